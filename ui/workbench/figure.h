// SPDX-License-Identifier: Apache-2.0
// Figures and numbers that leave the program. A figure is made anew from the document by a workbench of its own in
// simulated time with the CPU's doubles, so that the same state gives the same bytes in every host and whatever is on
// screen goes on meanwhile. The maker advances by step() on the frame thread, a few milliseconds each; nothing waits.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/gpu/context.h"
#include "ui/document/document.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {

struct WebSection;

/// Sizes that journals ask for. Points are 1/72 inch.
struct FigurePreset {
  std::string key;       ///< "single-column"
  std::string label;     ///< N_("…")
  double width, height;  ///< points
  double textSize;       ///< points
};
/// window (as on screen), single-column (88 mm, 8 pt), double-column (183 mm, 8 pt), slide (16:9, 18 pt).
const std::vector<FigurePreset>& figurePresets();

/// A parameter that the pictures of a page (.html) go through, on a slider.
struct FigureSweep {
  std::string key;  ///< "flow.p"; empty: one picture
  double from = 0, to = 1;
  int count = 9;  ///< of pictures
  bool operator==(const FigureSweep&) const = default;
};
inline constexpr int kMostSwept = 61;

struct FigureRequest {
  /// Its ending says what: png svg pdf html csv npz, mp4 webm, or a folder's name ending in / (frames). Empty: the
  /// clipboard, PNG and SVG (FigureMaker::clip()).
  std::string path;
  double width = 900, height = 600;  ///< points on paper
  double textSize = 0;               ///< points of ordinary text; 0: the theme's
  double scale = 2;                  ///< PNG, frames and films: pixels per point, any
  std::string theme;                 ///< empty: light
  int pane = 0;                      ///< 1 to 4; 0: all that are shown
  bool legend = true, caption = true;
  /// Views of the pages that become panels with letters: "loss", "curves.loss", "training@2.curves.loss" (of pane 2
  /// alone). Panes that have none of them stay whole. Empty: whole pages.
  std::vector<std::string> views{};
  bool part = true;                          ///< false: charts are whole, also where a person zoomed in
  ChartParts parts{};                        ///< those that are not whole; empty: as in the window, by `part`
  std::string title;                         ///< metadata; empty: figureTitle()
  double seconds = 0, framesPerSecond = 30;  ///< films and frames: 0 seconds: one whole play
  FigureSweep sweep{};                       ///< pages
  bool lesson = false;                       ///< pages: every step of the open lesson with its text
  /// Of a page: its pictures alone, for takeSection(), with this before their ids; empty: the file.
  std::string idPrefix{};
};

/// Of "flow.p=0.2..0.8" or "flow.p=0.2..0.8/13". Usage with how it is written.
Result<FigureSweep> parseSweep(const std::string& text);

/// Size, type and theme of a preset; of panels the height that gives them the shape of charts. Usage with the names
/// there are.
Result<void> applyPreset(FigureRequest& request, const std::string& key);
/// The height, points, at which so many panels have the shape of charts on a page of this width and type.
double heightOfPanels(const FigureRequest& request, std::size_t panels);

/// A request as the script step `export` and `sepx render` mean it for a file name: "paths.csv" style table names,
/// formats. Usage with the endings there are.
Result<void> checkFigure(const FigureRequest& request);

/// Text, table or picture for the clipboard.
struct Clip {
  std::string text;  ///< UTF-8
  std::string png;   ///< bytes; empty: none
  std::string svg;   ///< bytes; empty: none
};

class FigureMaker {
 public:
  /// `context`: for PNG, frames and films; may be null for the others. The document, seed and version are taken now.
  FigureMaker(const Workbench& of, gpu::Context* context, FigureRequest request);
  ~FigureMaker();
  /// Goes on for some milliseconds. True when it ended: written, failed or cancelled.
  bool step();
  /// From now on a step takes as long as it needs: for hosts without a frame loop.
  void waitForJobs();
  double share() const;  ///< 0 to 1
  /// What it has begun to write is written as a whole, by a job.
  void cancel();
  /// Of a maker that ended or was cancelled: none of its jobs runs any more. Before that its destructor waits for them.
  bool jobsEnded() const;
  Result<std::string> outcome() const;  ///< the path written, once ended
  Clip clip() const;                    ///< of a figure for the clipboard, once ended
  /// What it lacks for want of room, once ended; a sentence, translated; empty: nothing.
  std::string remark() const;
  const FigureRequest& request() const;
  /// Of a request with an idPrefix, once ended. `nothingDrawn()`: it failed because there is nothing to see.
  Result<WebSection> takeSection();
  bool nothingDrawn() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// To the end, for hosts without a frame loop. `remark`: gets FigureMaker::remark().
Result<std::string> makeFigure(const Workbench& of, gpu::Context* context, FigureRequest request,
                               std::string* remark = nullptr);

/// What a figure shows, for its metadata and its file: "Training · Encoder against decoder · Curves: loss, symmetry s".
std::string figureTitle(const Workbench& of, const FigureRequest& request);
/// "curves.loss" of a panel of the only pane, else the name that scripts use: how a request names it.
std::string panelName(const Workbench& of, int pane, const FigurePanel& panel);

/// What is on screen, as a figure of the same size, theme and scale: what a script's `export` means.
FigureRequest windowFigure(const Workbench& of, gpu::Extent extent, float scale, std::string path);

/// What a figure says about how it was made: Workbench::recipe() and the request, without its path.
struct FigureRecipe {
  Document document;
  std::uint64_t seed = 0;
  std::string version;
  FigureRequest request;
};
/// BadInput, without a file's name, for a text that is not a recipe of ours.
Result<FigureRecipe> parseRecipe(const std::string& text);

}  // namespace sepx::ui

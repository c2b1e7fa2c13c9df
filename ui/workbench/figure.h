// SPDX-License-Identifier: Apache-2.0
// Exports figures and numbers. A separate workbench computes a figure from the document in simulated time, in double
// precision on the CPU unless the options choose the GPU. So the same state gives the same bytes in every host, and the
// window stays in use. FigureMaker advances by step() on the frame thread, a few milliseconds per call, without
// waiting.
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

/// Sizes that journals require. Points are 1/72 inch.
struct FigurePreset {
  std::string key;       ///< "single-column"
  std::string label;     ///< N_("…")
  double width, height;  ///< points
  double textSize;       ///< points
};
/// window (as on screen), single-column (88 mm, 8 pt), double-column (183 mm, 8 pt), slide (16:9, 18 pt).
const std::vector<FigurePreset>& figurePresets();

/// A parameter that the slider of a page (.html) varies, with one picture per value.
struct FigureSweep {
  std::string key;  ///< "flow.p"; empty: one picture
  double from = 0, to = 1;
  int count = 9;  ///< number of pictures
  bool operator==(const FigureSweep&) const = default;
};
inline constexpr int kMostSwept = 61;

struct FigureRequest {
  /// The ending selects the format: png svg pdf html csv npz mp4 webm; a name that ends in / is a folder of frames.
  /// Empty: the clipboard, as PNG and SVG (FigureMaker::clip()).
  std::string path;
  double width = 900, height = 600;  ///< points on paper
  double textSize = 0;               ///< points of ordinary text; 0: the theme's
  double scale = 2;                  ///< PNG, frames and films: pixels per point, any
  std::string theme;                 ///< empty: light
  int pane = 0;                      ///< 1 to 4; 0: all that are shown
  bool legend = true, caption = true;
  /// Views of the pages that become panels with letters: "loss", "curves.loss", "training@2.curves.loss" (of pane 2
  /// alone). Panes without any of them are shown whole. Empty: whole pages.
  std::vector<std::string> views{};
  bool part = true;                          ///< false: charts are shown whole, even where the user zoomed in
  ChartParts parts{};                        ///< charts not shown whole; empty: as in the window if `part`
  std::string title;                         ///< metadata; empty: figureTitle()
  double seconds = 0, framesPerSecond = 30;  ///< films and frames; 0 seconds: one whole play
  FigureSweep sweep{};                       ///< pages
  bool lesson = false;                       ///< pages: every step of the open lesson with its text
  /// Pages: not empty: no file, but the pictures alone, for takeSection(), with this prefix before their ids.
  std::string idPrefix{};
};

/// Parses "flow.p=0.2..0.8" or "flow.p=0.2..0.8/13". Usage, with the expected form, for any other text.
Result<FigureSweep> parseSweep(const std::string& text);

/// Sets size, text size, scale and theme from a preset. If the request has views, the height gives their panels the
/// shape of charts, except on a slide. Usage, with the known names, if there is no such preset.
Result<void> applyPreset(FigureRequest& request, const std::string& key);
/// The height in points at which the panels have the shape of charts, for the width and text size of the request.
double heightOfPanels(const FigureRequest& request, std::size_t panels);

/// Checks the name ending, theme, pane, sizes and film options of a request, for the script step `export`, for dialogs
/// and for `sepx render`. Usage, with the known endings or the permitted range.
Result<void> checkFigure(const FigureRequest& request);

/// Text, table or picture for the clipboard.
struct Clip {
  std::string text;  ///< UTF-8
  std::string png;   ///< bytes; empty: none
  std::string svg;   ///< bytes; empty: none
};

class FigureMaker {
 public:
  /// `context`: for PNG, frames and films; may be null for other formats. Document, seed and version are copied now.
  FigureMaker(const Workbench& of, gpu::Context* context, FigureRequest request);
  ~FigureMaker();
  /// Works for some milliseconds. True when the figure has ended: written, failed or cancelled.
  bool step();
  /// From now on step() blocks as long as it needs: for hosts without a frame loop.
  void waitForJobs();
  double share() const;  ///< 0 to 1
  /// Cancels the figure. A file that is already being written is completed by a job.
  void cancel();
  /// After the end or a cancellation: none of its jobs runs any more. Before that, its destructor waits for them.
  bool jobsEnded() const;
  Result<std::string> outcome() const;  ///< the path written, once ended
  Clip clip() const;                    ///< of a figure for the clipboard, once ended
  /// Once ended: a translated sentence about what was left out for lack of room; empty: nothing.
  std::string remark() const;
  const FigureRequest& request() const;
  /// Once ended, for a request with an idPrefix. nothingDrawn(): it failed because there is nothing to see.
  Result<WebSection> takeSection();
  bool nothingDrawn() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Makes a figure to its end, for hosts without a frame loop. `remark`: receives FigureMaker::remark().
Result<std::string> makeFigure(const Workbench& of, gpu::Context* context, FigureRequest request,
                               std::string* remark = nullptr);

/// The title of a figure, for its metadata and its file: "Training · Encoder against decoder · Curves: loss, symmetry
/// s".
std::string figureTitle(const Workbench& of, const FigureRequest& request);
/// The name of a panel in a request: "curves.loss" in a window of one pane, otherwise the name that scripts use.
std::string panelName(const Workbench& of, int pane, const FigurePanel& panel);

/// The request, as in the script step `export`, for a figure of what is on screen: same size, theme and scale.
FigureRequest windowFigure(const Workbench& of, gpu::Extent extent, float scale, std::string path);

/// How a figure was made, as it is stored in the figure: Workbench::recipe() and the request without its path.
struct FigureRecipe {
  Document document;
  std::uint64_t seed = 0;
  std::string version;
  FigureRequest request;
};
/// BadInput, without a file name, if the text is not a recipe of this program.
Result<FigureRecipe> parseRecipe(const std::string& text);

}  // namespace sepx::ui

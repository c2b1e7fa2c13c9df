// SPDX-License-Identifier: Apache-2.0
// The interface of every exhibit: declarations, update, scene, panel, pointer. The Workbench owns exhibits and calls
// them on the frame thread in this order each frame: pointer events -> update -> scene -> panel. An exhibit changes the
// document only through the Editor that it is given. It never accesses a window, a file dialog or Vulkan directly.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/page/capabilities.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/readable.h"

namespace sepx::ui {

class Exhibit {
 public:
  virtual ~Exhibit() = default;
  virtual std::string key() const = 0;   ///< "flow"
  virtual std::string name() const = 0;  ///< translated
  /// The title in the strip above a pane, which distinguishes it from its neighbours: "Flow · p = 0.5, q = 0.8".
  /// Translated.
  virtual std::string title() const { return name(); }
  /// One sentence for the start page: what the exhibit shows. Translated.
  virtual std::string about() const { return {}; }
  /// An instructive state, for the animated picture of the start page.
  virtual Document exampleState() const { return {}; }
  virtual void declare(PropertyRegistry& registry) = 0;

  /// Handles pointer and key events. Returns the cursor to show.
  virtual Cursor input(ExhibitContext& context, const CanvasInput& input) = 0;
  /// Takes over finished results and restarts stale work. Takes no lock and does not wait.
  virtual void update(ExhibitContext& context) = 0;
  /// Rebuilds the layers that changed. An unchanged layer keeps its revision.
  virtual const render::Scene& scene(const ExhibitContext& context) = 0;
  /// ImGui: parameter panel (unless `inspectorShown`), legend, read-outs, transport.
  virtual void panel(ExhibitContext& context, bool inspectorShown) = 0;
  /// Reports the positions of the buttons inside the picture, for scripts and lessons. Called once a frame, even if no
  /// panel is shown.
  virtual void reportControls(const ExhibitContext&) {}

  /// Whether something moves by itself (a playing head, an inertial zoom).
  virtual bool animating() const = 0;
  /// Whether all results belong to the present document and nothing is pending.
  virtual bool complete() const = 0;
  virtual std::string status() const = 0;  ///< for the status bar
  virtual void releaseGpu() = 0;

  using Command = ExhibitCommand;
  virtual std::vector<Command> commands(const Document& document) = 0;
  /// Runs one of the commands, even if it is disabled. Usage if there is none with this key; CheckFailed if it is not
  /// available now.
  Result<void> run(ExhibitContext& context, std::string_view command);
  /// For the script step "add point E,W". Usage if the exhibit has no points.
  virtual Result<void> addPoint(ExhibitContext& context, const std::vector<double>& theta);

  // Queries for callers that do not know the exhibit's keys.
  virtual std::optional<PlacedList> placed() const { return std::nullopt; }
  /// Numbers to copy as one line: the first of these lists of keys of which every key has a number is used.
  virtual std::vector<std::vector<std::string>> numbersToCopy(const Document&) const { return {}; }
  /// Commands for a window's own menu over the picture, the most important first.
  virtual std::vector<std::string> pictureCommands() const { return {}; }
  virtual std::vector<PropertyGroup> groups() const { return {}; }
  /// The groups that belong only to the page that is shown.
  virtual std::vector<std::string> groupsInSight(const Document&) const { return {}; }
  /// The section of the document with the visible part of the picture, "flow.view"; empty: there is none.
  virtual std::string viewSection() const { return {}; }
  /// Whether something plays; empty if there is nothing to play.
  virtual std::optional<bool> playing() const { return std::nullopt; }
  /// Empty if the exhibit does not show checkpoints.
  virtual std::optional<CheckpointKeys> checkpoints(const Document&) const { return std::nullopt; }
  virtual ModelTree modelTree() const { return {}; }

  /// Pointer gestures over the picture for the overview of keys: the gesture and its effect, translated.
  virtual std::vector<std::pair<std::string, std::string>> gestures() const { return {}; }

  /// The content of the picture as text, for those who cannot see it, in reading order; boxes in points of the picture.
  virtual std::vector<ReadableView> readable() { return {}; }
  /// The colour limits of this pane's own data; empty if no number is shown as a colour.
  virtual std::optional<ColorLimits> ownLimits() const { return std::nullopt; }
  /// The numbers behind the picture of the last update, beginning with the list of the elements that the user placed.
  virtual Numbers numbers() const { return {}; }
  /// The views of the page shown that can be panels of a figure, in the order of the page.
  virtual std::vector<FigurePanel> panels() const { return {}; }
  /// The charts of the page shown that the user zoomed or whose axes the user changed.
  virtual ChartParts chartParts() const { return {}; }
  /// Parts that a figure lacks because there is no room: "the legend". Translated.
  virtual std::vector<std::string> leftOut() const { return {}; }
  /// The caption of a figure: what it shows, with the parameters, in one or two sentences.
  virtual std::string caption() const { return {}; }
  /// Imports a table that the user dropped: points, or the user's own trajectory to be drawn over the theory. Usage,
  /// with the columns that the exhibit knows, if it cannot use the table.
  virtual Result<void> importTable(ExhibitContext& context, const Table& table, const std::string& name);
  /// Opens a text file that the user dropped, by its path. False if the exhibit does not use texts.
  virtual bool openText(ExhibitContext&, const std::string&) { return false; }
  /// The most instructive state to show beside `mine`, for a split window: for example the other side of p + q = 1.
  virtual Document contrastState(const Document& mine) const { return mine; }
  /// The files that the picture was made from. In a figure an exhibit is complete() only when it knows their hashes.
  virtual std::vector<SourceFile> sources() const { return {}; }
  /// Duration of playing from the beginning, in seconds at the present speed; 0: nothing plays.
  virtual double playSeconds() const { return 0; }
};

}  // namespace sepx::ui

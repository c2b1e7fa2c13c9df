// SPDX-License-Identifier: Apache-2.0
// What every exhibit is: declarations, update, scene, panel, pointer. The Workbench owns exhibits and calls them on the
// frame thread in this order each frame: pointer events -> update -> scene -> panel. An exhibit changes the document
// only through the Editor it is given; it never sees a window, a file or Vulkan.
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
  /// For the strip above a pane: what tells it from its neighbours. "Flow · p = 0.5, q = 0.8". Translated.
  virtual std::string title() const { return name(); }
  /// One sentence for the start page: what a person sees here. Translated.
  virtual std::string about() const { return {}; }
  /// A state worth seeing, for the moving picture of the start page.
  virtual Document exampleState() const { return {}; }
  virtual void declare(PropertyRegistry& registry) = 0;

  /// Answers the cursor to show.
  virtual Cursor input(ExhibitContext& context, const CanvasInput& input) = 0;
  /// Takes over finished results, starts what is stale. No lock, no waiting.
  virtual void update(ExhibitContext& context) = 0;
  /// Rebuilds the layers that changed (a layer that did not keeps its revision).
  virtual const render::Scene& scene(const ExhibitContext& context) = 0;
  /// ImGui: parameter panel (unless `inspectorShown`), legend, read-outs, transport.
  virtual void panel(ExhibitContext& context, bool inspectorShown) = 0;
  /// Says where the buttons inside the picture are, for scripts and lessons; once a frame, also where no panel is
  /// shown.
  virtual void reportControls(const ExhibitContext&) {}

  /// Something moves by itself (a playing head, an inertial zoom).
  virtual bool animating() const = 0;
  /// All results belong to the present document and nothing is pending.
  virtual bool complete() const = 0;
  virtual std::string status() const = 0;  ///< for the status bar
  virtual void releaseGpu() = 0;

  using Command = ExhibitCommand;
  virtual std::vector<Command> commands(const Document& document) = 0;
  /// Carries one of them out, enabled or not. Usage: there is none of this key; CheckFailed: it can do nothing now.
  Result<void> run(ExhibitContext& context, std::string_view command);
  /// Script: "add point E,W". Usage where there are no points.
  virtual Result<void> addPoint(ExhibitContext& context, const std::vector<double>& theta);

  // What others may want of it without knowing its keys.
  virtual std::optional<PlacedList> placed() const { return std::nullopt; }
  /// Numbers to copy as one line: the first of these lists of keys that all have a number.
  virtual std::vector<std::vector<std::string>> numbersToCopy(const Document&) const { return {}; }
  /// In the order of importance for a window's own menu over the picture.
  virtual std::vector<std::string> pictureCommands() const { return {}; }
  virtual std::vector<PropertyGroup> groups() const { return {}; }
  /// The groups that belong to what of it is in sight alone.
  virtual std::vector<std::string> groupsInSight(const Document&) const { return {}; }
  /// The section of the document that says what of the picture is in sight, "flow.view"; empty: there is none.
  virtual std::string viewSection() const { return {}; }
  /// Whether something plays; nothing where there is nothing to play.
  virtual std::optional<bool> playing() const { return std::nullopt; }
  /// Nothing where it does not show checkpoints.
  virtual std::optional<CheckpointKeys> checkpoints(const Document&) const { return std::nullopt; }
  virtual ModelTree modelTree() const { return {}; }

  /// What the pointer does over the picture, for the sheet of keys: gesture and what it does, translated.
  virtual std::vector<std::pair<std::string, std::string>> gestures() const { return {}; }

  /// What of the picture can be read without seeing it, in reading order; boxes in points of the picture.
  virtual std::vector<ReadableView> readable() { return {}; }
  /// The colour scale that this pane's own data ask for; nothing where no number is shown as a colour.
  virtual std::optional<ColorLimits> ownLimits() const { return std::nullopt; }
  /// The numbers behind the picture of the last update, the list of what a person placed first.
  virtual Numbers numbers() const { return {}; }
  /// The views of the page in sight that can be panels of a figure, in the order of the page.
  virtual std::vector<FigurePanel> panels() const { return {}; }
  /// What a person zoomed to in the page in sight.
  virtual ChartParts chartParts() const { return {}; }
  /// What a figure lacks for want of room: "the legend". Translated.
  virtual std::vector<std::string> leftOut() const { return {}; }
  /// Under a figure: what it shows, with the parameters, in one or two sentences.
  virtual std::string caption() const { return {}; }
  /// Numbers that a person dropped: points, or a trajectory of their own to lie over the theory. Usage with the columns
  /// it knows when it has no use for them.
  virtual Result<void> importTable(ExhibitContext& context, const Table& table, const std::string& name);
  /// The path of a text file that a person dropped. False: the exhibit has no use for texts.
  virtual bool openText(ExhibitContext&, const std::string&) { return false; }
  /// The state that is most telling beside this one, for a window that is split: the other side of p + q = 1.
  virtual Document contrastState(const Document& mine) const { return mine; }
  /// The files behind the picture. In a figure an exhibit is complete() only when it knows their hashes.
  virtual std::vector<SourceFile> sources() const { return {}; }
  /// How long a play from the beginning takes, seconds at the speed as set; 0: nothing plays.
  virtual double playSeconds() const { return 0; }
};

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// What every exhibit is: declarations, update, scene, panel, pointer. The Workbench owns exhibits and calls them on the
// frame thread in this order each frame: pointer events -> update -> scene -> panel. An exhibit changes the document
// only through the Editor it is given; it never sees a window, a file or Vulkan.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/job.h"
#include "engine/core/table.h"
#include "engine/core/thread_pool.h"
#include "engine/gpu/kernels/kernels.h"
#include "engine/render/scene.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/input.h"
#include "ui/canvas/theme.h"
#include "ui/document/document.h"
#include "ui/exhibit/capabilities.h"
#include "ui/exhibit/job_lanes.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

class ControlMap;

enum class Compute { Auto, Cpu, Gpu };
enum class Cursor { Arrow, Hand, Move, Cross, Text, ResizeHorizontal, ResizeVertical };

/// The exhibit's way to change the document: every call is one undoable, named change. In a split window each pane has
/// its own: keys have no pane in them, and the document is the pane's.
class Editor {
 public:
  virtual ~Editor() = default;
  virtual const Document& document() const = 0;
  virtual std::uint64_t revision() const = 0;
  virtual const PropertyRegistry& properties() const = 0;
  virtual Result<void> set(std::string_view key, const Value& value, std::string group = {}) = 0;
  /// A change of several fields at once, or of a list. `label` translated.
  virtual void commit(Document next, std::string label, std::string group = {}) = 0;
  /// A change that is not undoable (the camera).
  virtual void replace(Document next) = 0;
  virtual void seal() = 0;
  virtual void say(std::string errorSentence) = 0;
};

/// A file that a picture was made from, for its recipe.
struct SourceFile {
  std::string path;
  std::string sha256;  ///< lower-case hexadecimal; empty: not yet known
};

/// What an exhibit may use in a frame.
struct ExhibitContext {
  Editor& editor;
  JobLanes jobs;
  ThreadPool& pool;   ///< for the work inside jobs only
  gpu::Context* gpu;  ///< nullptr without a device
  Compute compute;
  bool scripted;
  const Theme& theme;
  double seconds;                  ///< host time
  float scale;                     ///< pixels per point
  render::Rect area;               ///< the part of the window, in points, that belongs to the exhibit's picture
  ControlMap* controls = nullptr;  ///< where ImGui controls report themselves; set while panel() runs
  float uiScale = 1;               ///< ImGui units per point
  bool figure = false;             ///< the picture leaves the program: no advice to a person, no pointer, no panel
  std::uint64_t seed = 0;          ///< --seed: which of all random draws the program makes
  int pane = 1;                    ///< which pane of the window, from 1
  bool legend = true;              ///< false: a figure that was asked for without
  std::optional<ColorLimits> sharedLimits{};  ///< of all panes together, where they share one colour scale
  std::optional<render::Rect> panel{};        ///< where panel() puts its column, points; none: right of `area`
  std::string assets{};                       ///< folder of what ships with the program: models, published tables
  std::string rules{};                        ///< folder of the person's own rules for checkpoints; empty: none
  /// Asks the host for a file whose path becomes the value of a property of this pane ("weights.compare.checkpoint");
  /// empty where a host has no dialog.
  std::function<void(std::string_view key)> chooseFile{};
};

/// Pointer and keys over the canvas, in points relative to the window; what ImGui did not take.
struct CanvasInput {
  std::vector<InputEvent> events;  ///< positions already in points
};

class Exhibit {
 public:
  virtual ~Exhibit() = default;
  virtual std::string key() const = 0;   ///< "flow"
  virtual std::string name() const = 0;  ///< translated
  /// For the strip above a pane: what tells it from its neighbours. "Flow · p = 0.5, q = 0.8". Translated.
  virtual std::string title() const { return name(); }
  /// One sentence for the start page: what a person sees here. Translated.
  virtual std::string about() const { return {}; }
  /// A state worth seeing, for the living picture of the start page.
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

  /// Something moves by itself (a playing head, an inertial zoom).
  virtual bool animating() const = 0;
  /// All results belong to the present document and nothing is pending.
  virtual bool complete() const = 0;
  virtual std::string status() const = 0;  ///< for the status bar
  virtual void releaseGpu() = 0;

  /// Commands of this exhibit, merged into Workbench::commands().
  struct Command {
    std::string key, label, shortcut, menu;
    bool enabled = true;
  };
  virtual std::vector<Command> commands(const Document& document) const = 0;
  virtual Result<void> run(ExhibitContext& context, std::string_view command) = 0;
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

  /// The colour scale that this pane's own data ask for; nothing where no number is shown as a colour.
  virtual std::optional<ColorLimits> ownLimits() const { return std::nullopt; }
  /// The numbers behind the picture of the last update, the list of what a person placed first.
  virtual Numbers numbers() const { return {}; }
  /// Under a figure: what it shows, with the parameters, in one or two sentences.
  virtual std::string caption() const { return {}; }
  /// Numbers that a person dropped: points, or a trajectory of their own to lie over the theory. Usage with the columns
  /// it knows when it has no use for them.
  virtual Result<void> take(ExhibitContext& context, const Table& table, const std::string& name);
  /// The state that is most telling beside this one, for a window that is split: the other side of p + q = 1.
  virtual Document contrastState(const Document& mine) const { return mine; }
  /// The files behind the picture. In a figure an exhibit is complete() only when it knows their hashes.
  virtual std::vector<SourceFile> sources() const { return {}; }
  /// How long a play from the beginning takes, seconds at the speed as set; 0: nothing plays.
  virtual double playSeconds() const { return 0; }
};

}  // namespace sepx::ui

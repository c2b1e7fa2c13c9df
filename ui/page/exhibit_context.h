// SPDX-License-Identifier: Apache-2.0
// What an exhibit and its pages are given: the editor of the document, the context of a frame, commands. Frame thread
// only.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/table.h"
#include "engine/core/thread_pool.h"
#include "engine/gpu/kernels/kernels.h"
#include "engine/render/scene.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/input.h"
#include "ui/canvas/theme.h"
#include "ui/document/document.h"
#include "ui/page/compute.h"
#include "ui/page/figure_choice.h"
#include "ui/page/job_lanes.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

class ControlMap;
class Runs;

enum class Cursor { Arrow, Hand, Move, Cross, Text, ResizeHorizontal, ResizeVertical };

/// A message to the user about what was done: one sentence, and a command of the exhibit that continues or reverts it.
/// The command is offered as a button as long as it exists.
struct Note {
  std::string text, command{}, action{};  ///< text and action are translated; action: label of the button
};

/// The interface through which an exhibit changes the document: set() and commit() each make one undoable, named
/// change. In a split window each pane has its own editor: keys contain no pane number, and document() is the state of
/// the pane.
class Editor {
 public:
  virtual ~Editor() = default;
  virtual const Document& document() const = 0;
  virtual std::uint64_t revision() const = 0;
  virtual const PropertyRegistry& properties() const = 0;
  virtual Result<void> set(std::string_view key, const Value& value, std::string group = {}) = 0;
  /// Changes several fields at once, or a list. `label` is translated.
  virtual void commit(Document next, std::string label, std::string group = {}) = 0;
  /// A change that is not undoable (the camera).
  virtual void replace(Document next) = 0;
  virtual void seal() = 0;
  virtual void say(std::string errorSentence) = 0;
  virtual void note(Note note) = 0;
};

/// A file that a picture was made from, for its recipe.
struct SourceFile {
  std::string path;
  std::string sha256;  ///< lower-case hexadecimal; empty: not yet known
};

/// Services for an exhibit, the same in every frame of a window.
struct ExhibitServices {
  JobLanes jobs;
  ThreadPool& pool;             ///< for the work inside jobs only
  gpu::Context* gpu = nullptr;  ///< null without a device
  Compute compute = Compute::Cpu;
  std::uint64_t seed = 0;  ///< --seed: seed of all random draws of the program
  Runs* runs =
      nullptr;  ///< the window's trainers and runs (ui/runs/runs.h), also in a figure; null in tests of single parts
  std::string assets{};  ///< folder of what ships with the program: models, published tables
  std::string rules{};   ///< folder of the user's own rules for checkpoints; empty: none
  /// Opens the host's file dialog; the chosen path becomes the value of a property of this pane
  /// ("weights.compare.checkpoint"). Empty if the host has no dialog.
  std::function<void(std::string_view key)> chooseFile{};
};

/// Where and how the picture of the exhibit is shown in a frame.
struct ExhibitView {
  const Theme& theme;
  render::Rect area;      ///< the part of the window, in points, that belongs to the exhibit's picture
  double seconds = 0;     ///< host time
  float scale = 1;        ///< pixels per point
  float uiScale = 1;      ///< ImGui units per point
  int pane = 1;           ///< which pane of the window, from 1
  bool scripted = false;  ///< a script runs: no user waits for a response
  bool figure = false;    ///< the picture is exported: no hints to the user, no pointer, no panel
  bool audience = false;  ///< for an audience, which cannot operate this window: no tabs and no buttons
  bool legend = true;     ///< false: a figure was requested without its legend
  std::optional<ColorLimits> sharedLimits{};  ///< of all panes together, if they share one colour scale
  std::optional<render::Rect> panel{};        ///< where panel() puts its column, points; none: right of `area`
  ControlMap* controls = nullptr;             ///< where ImGui controls report themselves; set while panel() runs
  FigureChoice choice{};                      ///< of a figure
};

/// What an exhibit may use in a frame, and the editor through which it changes the document.
struct ExhibitContext : ExhibitServices, ExhibitView {
  Editor& editor;
};

/// Pointer and key events over the canvas that ImGui did not take, in points relative to the window.
struct CanvasInput {
  std::vector<InputEvent> events;  ///< positions already in points
};

/// A command of an exhibit, merged into Workbench::commands(), with what it does.
struct ExhibitCommand {
  std::string key, label, shortcut, menu;
  bool enabled = true;
  std::function<void(ExhibitContext&)> act{};  ///< empty: it cannot run now, as when it is disabled
};

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Translates pointer and key events over the plane into changes of the document: drag, nudge, add, select, pan, zoom. A
// drag is one undo step, sealed on release. Frame thread; no ImGui.
#pragma once

#include <optional>
#include <utility>

#include "ui/canvas/camera.h"
#include "ui/exhibits/flow/shared/drag_input.h"
#include "ui/exhibits/flow/shared/flow_scene.h"
#include "ui/exhibits/flow/shared/flow_state.h"

namespace sepx::ui {

class FlowInput {
 public:
  /// Handles one event. `state` and `layout` belong to the current document; positions are page coordinates.
  void handle(const InputEvent& event, const FlowState& state, const FlowLayout& layout, ExhibitContext& context);
  Cursor cursor(const FlowState& state, const FlowLayout& layout) const;
  /// Page position of the pointer while it is over the plot and not over the (p,q) square.
  std::optional<render::Point> pointer(const FlowLayout& layout) const;
  /// Called for a new document. A drag of a point ends if the point is no longer where the drag left it (deleted,
  /// undone, another session), so that the drag never continues with another point that has taken its index.
  void follow(const FlowState& state);
  /// The point that was clicked with the right button since the last call. It is selected, and its menu should open.
  std::optional<int> takeMenu() { return std::exchange(menu_, std::nullopt); }
  /// The point whose move by a drag or by the arrow keys has ended since the last call.
  std::optional<int> takeDropped() { return std::exchange(dropped_, std::nullopt); }
  bool holds() const { return held_.has_value(); }
  /// The point that is being dragged, -1 for none.
  int held() const { return held_ ? held_->point : -1; }
  /// The point that a press at `at` (page) grabs; empty if there is none.
  static std::optional<int> handleAt(render::Point at, const FlowState& state, const FlowLayout& layout);

 private:
  struct Now {
    const FlowState& state;
    const FlowLayout& layout;
    ExhibitContext& context;
    Camera camera() const { return {state.view, layout.plot}; }
    Editor& editor() const { return context.editor; }
  };
  /// What is held between a press and its release: a point, or the plane.
  struct Held {
    HandleDrag drag;
    Button button;
    Document before;
    int point = -1;              ///< -1: the plane
    render::Point at{};          ///< data, where the drag has left the point
    std::size_t points = 0;      ///< number of points that the document must have
    std::optional<int> under{};  ///< the point under the pointer when the right button was pressed
    bool copies = false;         ///< the first move makes a copy
    bool moved = false;          ///< further than a click allows
    bool changed = false;        ///< whether the document was changed
    bool left = false;           ///< the pointer has left since the last move
  };
  void moved(render::Point at, bool snap, const Now& now);
  void movePoint(render::Point at, bool snap, const Now& now);
  void pressed(const PointerPressed& event, bool twice, const Now& now);
  void doubleClicked(render::Point at, const Now& now) const;
  void released(const Now& now);
  /// Escape: reverts the changes of the drag and leaves no undo step.
  void takeBack(const Now& now);
  void key(const KeyPressed& event, const Now& now);
  bool isDoubleClick(const PointerPressed& press, double seconds);

  std::optional<render::Point> at_;  ///< page position of the pointer
  std::optional<Held> held_;
  render::Point pressedAt_;
  double pressedSeconds_ = -1;  ///< host time of the press that may begin a double click; below 0: none
  std::optional<int> dropped_, menu_;
};

}  // namespace sepx::ui

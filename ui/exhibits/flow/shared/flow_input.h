// SPDX-License-Identifier: Apache-2.0
// Pointer and keys over the plane become changes of the document: drag, nudge, add, select, pan, zoom. Everything a
// drag does is one undo step, sealed on release. Frame thread; no ImGui.
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
  /// One event. `state` and `layout` are of the present document; positions are page coordinates.
  void handle(const InputEvent& event, const FlowState& state, const FlowLayout& layout, ExhibitContext& context);
  Cursor cursor(const FlowState& state, const FlowLayout& layout) const;
  /// Page position of the pointer while it is over the plot and not over the (p,q) square.
  std::optional<render::Point> pointer(const FlowLayout& layout) const;
  /// A new document: a grip on a point ends when that point is not where the grip has left it (deleted, undone, another
  /// session), so that it never takes hold of the point that came into its place.
  void follow(const FlowState& state);
  /// The point that was clicked with the right button since the last call: it is selected, and asks for its menu.
  std::optional<int> takeMenu() { return std::exchange(menu_, std::nullopt); }
  /// The point that a drag or the arrow keys have moved and let go since the last call.
  std::optional<int> takeDropped() { return std::exchange(dropped_, std::nullopt); }
  bool holds() const { return held_.has_value(); }
  /// The point that is being dragged, -1 for none.
  int held() const { return held_ ? held_->point : -1; }
  /// The point that a press at a place of the page takes.
  static std::optional<int> handleAt(render::Point at, const FlowState& state, const FlowLayout& layout);

 private:
  struct Now {
    const FlowState& state;
    const FlowLayout& layout;
    ExhibitContext& context;
    Camera camera() const { return {state.view, layout.plot}; }
    Editor& editor() const { return context.editor; }
  };
  /// Between a press and its release: a point, or the plane.
  struct Held {
    HandleDrag drag;
    Button button;
    Document before;
    int point = -1;              ///< -1: the plane
    render::Point at{};          ///< data, where the drag has left the point
    std::size_t points = 0;      ///< so many there were
    std::optional<int> under{};  ///< the point under a right button that went down
    bool copies = false;         ///< the first move makes a copy
    bool moved = false;          ///< further than in a click
    bool changed = false;        ///< the document
    bool left = false;           ///< the pointer went away meanwhile
  };
  void moved(render::Point at, bool snap, const Now& now);
  void movePoint(render::Point at, bool snap, const Now& now);
  void pressed(const PointerPressed& event, bool twice, const Now& now);
  void pressedTwice(render::Point at, const Now& now) const;
  void released(const Now& now);
  /// Escape: what the grip has changed is as it was, and there is no undo step of it.
  void takeBack(const Now& now);
  void key(const KeyPressed& event, const Now& now);
  bool isTwice(const PointerPressed& press, double seconds);

  std::optional<render::Point> at_;  ///< page, where the pointer is
  std::optional<Held> held_;
  render::Point pressedAt_;
  double pressedSeconds_ = -1;  ///< host time of the press that a double click begins with; below 0: none
  std::optional<int> dropped_, menu_;
};

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Pointer and keys over the Flow picture become changes of the document: drag, nudge, add, select, pan, zoom, the (p,q)
// dot. Everything a drag does is one undo step, sealed on release. Frame thread; no ImGui.
#pragma once

#include <optional>
#include <utility>

#include "ui/canvas/camera.h"
#include "ui/exhibits/flow/shared/drag_input.h"
#include "ui/exhibits/flow/shared/flow_limits.h"
#include "ui/exhibits/flow/shared/flow_scene.h"
#include "ui/exhibits/flow/shared/flow_state.h"

namespace sepx::ui {

class FlowInput : DragInput<FlowState, FlowLayout> {
 public:
  /// One event. `state` and `layout` are of the present document; positions are page coordinates.
  void handle(const InputEvent& event, const FlowState& state, const FlowLayout& layout, ExhibitContext& context) {
    dispatch(event, state, layout, context);
  }

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
  /// The point that is being dragged, -1 for none.
  int held() const { return grip_ == Grip::Handle ? heldIndex_ : -1; }

 private:
  enum class Grip { None, Handle, Pan, Square, Legend, Scale };

  bool holds() const override { return grip_ != Grip::None; }
  void moved(render::Point at, Modifiers modifiers, const FlowState& state, const FlowLayout& layout,
             ExhibitContext& context) override;
  void pressed(const PointerPressed& event, render::Point at, bool twice, const FlowState& state,
               const FlowLayout& layout, ExhibitContext& context) override;
  void released(const FlowState& state, const FlowLayout& layout, ExhibitContext& context) override;
  void interrupted(const FlowState& state, const FlowLayout& layout, ExhibitContext& context) override {
    under_.reset();
    released(state, layout, context);
  }
  void scrolled(const Scrolled& event, const FlowState& state, const FlowLayout& layout,
                ExhibitContext& context) override;
  void key(const KeyPressed& event, const FlowState& state, const FlowLayout& layout, ExhibitContext& context) override;
  /// Escape: what the grip has changed is as it was, and there is no undo step of it.
  void takeBack(const FlowState& state, const FlowLayout& layout, ExhibitContext& context);
  void letGo();
  void pressedEmpty(render::Point at, bool twice, const FlowState& state, const FlowLayout& layout,
                    ExhibitContext& context);
  void dragHandle(render::Point at, bool snap, const FlowState& state, const FlowLayout& layout,
                  ExhibitContext& context);
  /// Into the plot it stays where it is left; left of the plot it stands beside the picture.
  void dragLegend(render::Point at, const FlowLayout& layout, ExhibitContext& context);
  void dragSquare(render::Point at, bool snap, const FlowLayout& layout, ExhibitContext& context);
  /// One end of the colour scale goes where the pointer is: what had the colour there gets that of the end.
  void dragScale(render::Point at, const FlowLayout& layout, ExhibitContext& context);
  void pressedScale(render::Point at, bool twice, const FlowLayout& layout, ExhibitContext& context);
  /// Ctrl-drag: a copy of the point comes along instead of the point itself.
  void copyHeld(const FlowState& state, ExhibitContext& context);
  std::optional<int> handleAt(render::Point at, const FlowState& state, const FlowLayout& layout) const;

  Grip grip_ = Grip::None;
  int heldIndex_ = -1;
  std::size_t heldOf_ = 0;           ///< so many points there were
  ColorScale heldScale_;             ///< when the grip on one of its ends began
  bool heldUpper_ = false;           ///< which end
  render::Point heldAt_;             ///< data, where the held point is
  render::Point legendGrip_;         ///< where in the legend it is held
  bool copies_ = false;              ///< the first move of this grip makes a copy
  std::optional<int> dropped_;       ///< takeDropped()
  std::optional<int> under_, menu_;  ///< the point under a right button that went down; the one whose menu is asked for
};

}  // namespace sepx::ui

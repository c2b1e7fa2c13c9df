// SPDX-License-Identifier: Apache-2.0
// Pointer and keys over the space of (e, w, a): orbit, pan, zoom; points in the view plane, along an axis or in the
// section; the slice and the clip planes. Everything a drag does is one undo step; the camera is none. Frame thread.
#pragma once

#include <optional>

#include "ui/canvas/handles.h"
#include "ui/exhibit/exhibit.h"
#include "ui/exhibits/flow/space/space_scene.h"

namespace sepx::ui {

class SpaceInput {
 public:
  /// One event; positions are page coordinates.
  Cursor handle(const InputEvent& event, const SpaceFrame& frame, ExhibitContext& context);
  /// What is under the pointer or held; nothing where it is the picture itself.
  const SpaceHandle* hot() const { return hot_ ? &*hot_ : nullptr; }
  /// Ends a grip on a point that is no longer where it was left (undone, deleted).
  void follow(const FlowState& flow);
  const std::optional<render::Point>& pointer() const { return at_; }

 private:
  enum class Grip { None, Orbit, Pan, Point, Axis, Inset, Slider, Slice, Clip, Held };

  void moved(render::Point at, Modifiers modifiers, const SpaceFrame& frame, ExhibitContext& context);
  void pressed(const PointerPressed& event, const SpaceFrame& frame, ExhibitContext& context);
  bool pressedGizmo(render::Point at, const SpaceFrame& frame, ExhibitContext& context);
  void pressedInset(render::Point at, bool twice, const SpaceFrame& frame, ExhibitContext& context);
  void take(Grip grip, const SpaceHandle& handle, render::Point at, ExhibitContext& context);
  void drag(render::Point at, bool snap, const SpaceFrame& frame, ExhibitContext& context);
  void dragPoint(render::Point at, bool snap, const SpaceFrame& frame, ExhibitContext& context);
  void dragPlane(render::Point at, bool snap, const SpaceFrame& frame, ExhibitContext& context);
  void released(const SpaceFrame& frame, ExhibitContext& context);
  void takeBack(ExhibitContext& context);
  void letGo();
  void key(const KeyPressed& event, const SpaceFrame& frame, ExhibitContext& context);
  void scrolled(const Scrolled& event, const SpaceFrame& frame, ExhibitContext& context);
  void movePoint(std::size_t index, const markov::Place3& to, const SpaceFrame& frame, ExhibitContext& context,
                 const std::string& group);
  std::optional<SpaceHandle> under(render::Point at, const SpaceFrame& frame) const;
  Cursor cursor(const SpaceFrame& frame) const;

  Grip grip_ = Grip::None;
  Button button_ = Button::Left;
  std::optional<SpaceHandle> held_, hot_;
  std::optional<HandleDrag> drag_;
  std::optional<render::Point> at_, before_;
  bool dragging_ = false, changed_ = false, left_ = false;
  markov::Place3 heldAt_{};  ///< where the grip has left the point
  std::size_t heldOf_ = 0;
  Document original_;
  render::Point lastPress_;
  double lastSeconds_ = -1;
};

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Pointer and keys over the space of (e, w, a): orbit, pan, zoom; points in the view plane, along an axis or in the
// section; the slice and the clip planes. Everything a drag does is one undo step; the camera is none. Frame thread.
#pragma once

#include <optional>

#include "ui/exhibits/flow/shared/drag_input.h"
#include "ui/exhibits/flow/space/space_scene.h"

namespace sepx::ui {

class SpaceInput : DragInput<SpaceFrame> {
 public:
  /// One event; positions are page coordinates.
  Cursor handle(const InputEvent& event, const SpaceFrame& frame, ExhibitContext& context);
  /// What is under the pointer or held; nothing where it is the picture itself.
  const SpaceHandle* hot() const { return hot_ ? &*hot_ : nullptr; }
  /// Ends a grip on a point that is no longer where it was left (undone, deleted).
  void follow(const FlowState& flow);
  const std::optional<render::Point>& pointer() const { return at_; }

 private:
  enum class Grip { None, Orbit, Pan, Point, Axis, Inset, Slider, Slice, Clip, Legend, Held };

  bool holds() const override { return grip_ != Grip::None; }
  void moved(render::Point at, Modifiers modifiers, const SpaceFrame& frame, ExhibitContext& context) override;
  void pressed(const PointerPressed& event, render::Point at, bool twice, const SpaceFrame& frame,
               ExhibitContext& context) override;
  void released(const SpaceFrame& frame, ExhibitContext& context) override;
  void scrolled(const Scrolled& event, const SpaceFrame& frame, ExhibitContext& context) override;
  void key(const KeyPressed& event, const SpaceFrame& frame, ExhibitContext& context) override;
  bool pressedGizmo(render::Point at, const SpaceFrame& frame, ExhibitContext& context);
  void pressedInset(render::Point at, bool twice, const SpaceFrame& frame, ExhibitContext& context);
  void take(Grip grip, const SpaceHandle& handle, render::Point at, ExhibitContext& context);
  void drag(render::Point at, bool snap, const SpaceFrame& frame, ExhibitContext& context);
  void dragPoint(render::Point at, bool snap, const SpaceFrame& frame, ExhibitContext& context);
  void dragPlane(render::Point at, bool snap, const SpaceFrame& frame, ExhibitContext& context);
  void dragLegend(render::Point at, const SpaceFrame& frame, ExhibitContext& context);
  void takeBack(ExhibitContext& context);
  void letGo();
  void movePoint(std::size_t index, const markov::Place3& to, const SpaceFrame& frame, ExhibitContext& context,
                 const std::string& group);
  std::optional<SpaceHandle> under(render::Point at, const SpaceFrame& frame) const;
  Cursor cursor(const SpaceFrame& frame) const;

  Grip grip_ = Grip::None;
  std::optional<SpaceHandle> held_, hot_;
  markov::Place3 heldAt_{};  ///< where the grip has left the point
  std::size_t heldOf_ = 0;
  render::Point legendGrip_;  ///< where the legend is held, from its corner
};

}  // namespace sepx::ui

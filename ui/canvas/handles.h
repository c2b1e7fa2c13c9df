// SPDX-License-Identifier: Apache-2.0
// What can be taken hold of on a canvas. Hit tests work in points, so that a handle is as easy to take at every zoom; a
// drag keeps the offset between pointer and handle, so that nothing jumps when it begins. Pure.
#pragma once

#include <optional>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/camera.h"

namespace sepx::ui {

struct Handle {
  int id = 0;
  render::Point at;  ///< page
};

/// How far from its centre a handle can be taken, points.
inline constexpr double kReach = 12;

/// The nearest handle within reach; the later of two at the same distance (it is drawn above).
std::optional<int> pick(const std::vector<Handle>& handles, render::Point pointer, double reach = kReach);

class HandleDrag {
 public:
  HandleDrag(render::Point handle, render::Point pointer)
      : offset_{handle.x - pointer.x, handle.y - pointer.y}, start_(pointer) {}

  /// Where the handle goes when the pointer is at `pointer`, page.
  render::Point at(render::Point pointer) const { return {pointer.x + offset_.x, pointer.y + offset_.y}; }
  /// A press that trembles is a click, not a drag.
  bool beyond(render::Point pointer, double threshold) const;

 private:
  render::Point offset_, start_;
};

/// The grid crossing next to `data`.
render::Point snapped(render::Point data, double stepX, double stepY);

/// `data` to two decimal digits below what a point of the page spans, so that a dragged coordinate is a short number.
render::Point tidied(const Camera& camera, render::Point data);

/// What a key press moves a point by when `span` is shown: 1, 2 or 5 times a power of ten, at most a two-hundredth of
/// it. It depends on the data alone, so that keys lead to the same numbers in every window.
double nudgeStep(double span);

/// `data` moved by whole steps; the moved coordinate is tidied, the other one stays to the last digit.
render::Point nudged(const render::Rect& window, render::Point data, int right, int up, int steps);

}  // namespace sepx::ui

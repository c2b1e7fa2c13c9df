// SPDX-License-Identifier: Apache-2.0
// Handles that can be dragged on a canvas. Hit tests work in points, so that a handle is equally easy to grab at every
// zoom. A drag keeps the offset between pointer and handle, so that nothing jumps when it begins. Pure.
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

/// Distance from its centre within which a handle can be grabbed, points.
inline constexpr double kReach = 12;

/// The nearest handle within reach. Of two at the same distance the later one, because it is drawn on top.
std::optional<int> pick(const std::vector<Handle>& handles, render::Point pointer, double reach = kReach);

class HandleDrag {
 public:
  HandleDrag(render::Point handle, render::Point pointer)
      : offset_{handle.x - pointer.x, handle.y - pointer.y}, start_(pointer) {}

  /// Position of the handle when the pointer is at `pointer`, page.
  render::Point at(render::Point pointer) const { return {pointer.x + offset_.x, pointer.y + offset_.y}; }
  /// Whether the pointer has moved more than `threshold` points since the press. A smaller movement is a click, not a
  /// drag.
  bool beyond(render::Point pointer, double threshold) const;

 private:
  render::Point offset_, start_;
};

/// The grid point nearest to `data`.
render::Point snapped(render::Point data, double stepX, double stepY);

/// `data` rounded to two decimal digits below the size of a point of the page, so that a dragged coordinate is a short
/// number.
render::Point tidied(const Camera& camera, render::Point data);

/// The distance by which a key press moves a point when `span` is shown: 1, 2 or 5 times a power of ten, at most 1/200
/// of the span. It depends on the data alone, so that the keys lead to the same numbers in every window size.
double nudgeStep(double span);

/// `data` moved by whole steps. A coordinate that moves is tidied; one that does not keeps all its digits.
render::Point nudged(const render::Rect& window, render::Point data, int right, int up, int steps);

}  // namespace sepx::ui

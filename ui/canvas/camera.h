// SPDX-License-Identifier: Apache-2.0
// Which part of the data the canvas shows, and where: `window` (data, y up) is mapped linearly onto `plot` (points, y
// down). Value types and pure functions. Spans stay within 1e-9 to 1e9 (and wide enough that adjacent pixels map to
// different doubles), and centres within 1e9 of the origin, so that no picture consists of rounding errors.
#pragma once

#include "engine/render/scene.h"

namespace sepx::ui {

struct Camera {
  render::Rect window;
  render::Rect plot;

  bool operator==(const Camera&) const = default;
};

inline constexpr double kLeastSpan = 1e-9;
inline constexpr double kLargestSpan = 1e9;

render::Point toPage(const Camera& camera, render::Point data);
render::Point toData(const Camera& camera, render::Point page);

/// The window nearest to `window` within the limits. An axis whose bounds are not finite or whose span is empty takes
/// those of `fallback`.
render::Rect boundedWindow(render::Rect window, render::Rect fallback);

/// Moves the data with the pointer by (dx, dy) points.
Camera panned(const Camera& camera, double dx, double dy);
/// Scales both spans of the window by 1/factor and keeps the data point under `about` (page) in place.
Camera zoomed(const Camera& camera, render::Point about, double factor);

}  // namespace sepx::ui

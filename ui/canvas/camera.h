// SPDX-License-Identifier: Apache-2.0
// Which data is on the canvas and where: `window` (data, y up) is mapped linearly onto `plot` (points, y down). Values;
// every function is pure. Spans stay within 1e-9 to 1e9 (and wide enough that doubles still tell two pixels apart),
// centres within 1e9 of the origin, so that no picture is made of rounding.
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

/// The window nearest to `window` that obeys the limits; a window that is not finite or empty becomes `fallback`.
render::Rect boundedWindow(render::Rect window, render::Rect fallback);

/// The data moves with the pointer by (dx, dy) points.
Camera panned(const Camera& camera, double dx, double dy);
/// Shows 1/factor of the window, with the data under `about` (page) where it was. Both axes scale by the same factor.
Camera zoomed(const Camera& camera, render::Point about, double factor);

}  // namespace sepx::ui

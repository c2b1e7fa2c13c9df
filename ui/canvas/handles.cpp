// SPDX-License-Identifier: Apache-2.0
// Picking, dragging, snapping and nudging of handles. Pure.
#include "ui/canvas/handles.h"

#include <cmath>

namespace sepx::ui {

std::optional<int> pick(const std::vector<Handle>& handles, render::Point pointer, double reach) {
  std::optional<int> best;
  double least = reach;
  for (const Handle& handle : handles) {
    const double distance = std::hypot(handle.at.x - pointer.x, handle.at.y - pointer.y);
    if (distance <= least) {
      least = distance;
      best = handle.id;
    }
  }
  return best;
}

bool HandleDrag::beyond(render::Point pointer, double threshold) const {
  return std::hypot(pointer.x - start_.x, pointer.y - start_.y) > threshold;
}

render::Point snapped(render::Point data, double stepX, double stepY) {
  // + 0.0 turns a negative zero into zero, which would otherwise be printed with its sign.
  return {std::round(data.x / stepX) * stepX + 0.0, std::round(data.y / stepY) * stepY + 0.0};
}

namespace {

/// `value` rounded to the second decimal digit below `size`.
double tidiedTo(double value, double size) {
  const int digits = 2 - static_cast<int>(std::floor(std::log10(size)));
  if (digits > 300 || digits < -300) return value;
  // Dividing by a power of ten yields the double with the shortest decimal form.
  const double power = std::pow(10.0, std::abs(digits));
  const double result = digits >= 0 ? std::round(value * power) / power : std::round(value / power) * power;
  return std::isfinite(result) ? result + 0.0 : value;
}

}  // namespace

render::Point tidied(const Camera& camera, render::Point data) {
  return {tidiedTo(data.x, camera.window.width() / camera.plot.width()),
          tidiedTo(data.y, camera.window.height() / camera.plot.height())};
}

double nudgeStep(double span) {
  const double most = span / 200 * (1 + 1e-9);  // a span of 4 gives steps of 0.02 despite rounding errors
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  return (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1) * power;
}

render::Point nudged(const render::Rect& window, render::Point data, int right, int up, int steps) {
  const double x = nudgeStep(window.width()), y = nudgeStep(window.height());
  if (right != 0) data.x = tidiedTo(data.x + right * steps * x, x);
  if (up != 0) data.y = tidiedTo(data.y + up * steps * y, y);
  return data;
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The linear map between data and page, and the limits of the window. Pure.
#include "ui/canvas/camera.h"

#include <algorithm>
#include <cmath>

namespace sepx::ui {

namespace {

struct Interval {
  double min, max;
};

bool usable(double min, double max) {
  return std::isfinite(min) && std::isfinite(max) && max > min;
}

Interval bounded(double min, double max) {
  const double centre = std::clamp(min + (max - min) / 2, -kLargestSpan, kLargestSpan);
  // A window narrower than this around `centre` has fewer doubles than a screen has pixels.
  const double resolution = std::abs(centre) * 1e-11;
  const double span = max - min;
  const double allowed = std::clamp(span, std::max(kLeastSpan, resolution), kLargestSpan);
  if (allowed == span && centre == min + (max - min) / 2) return {min, max};
  return {centre - allowed / 2, centre + allowed / 2};
}

}  // namespace

render::Point toPage(const Camera& camera, render::Point data) {
  const render::Rect& w = camera.window;
  const render::Rect& p = camera.plot;
  return {p.min.x + (data.x - w.min.x) / w.width() * p.width(), p.max.y - (data.y - w.min.y) / w.height() * p.height()};
}

render::Point toData(const Camera& camera, render::Point page) {
  const render::Rect& w = camera.window;
  const render::Rect& p = camera.plot;
  return {w.min.x + (page.x - p.min.x) / p.width() * w.width(), w.min.y + (p.max.y - page.y) / p.height() * w.height()};
}

render::Rect boundedWindow(render::Rect window, render::Rect fallback) {
  const Interval x = usable(window.min.x, window.max.x) ? bounded(window.min.x, window.max.x)
                                                        : Interval{fallback.min.x, fallback.max.x};
  const Interval y = usable(window.min.y, window.max.y) ? bounded(window.min.y, window.max.y)
                                                        : Interval{fallback.min.y, fallback.max.y};
  return {{x.min, y.min}, {x.max, y.max}};
}

Camera panned(const Camera& camera, double dx, double dy) {
  const double x = -dx / camera.plot.width() * camera.window.width();
  const double y = dy / camera.plot.height() * camera.window.height();
  const render::Rect moved{{camera.window.min.x + x, camera.window.min.y + y},
                           {camera.window.max.x + x, camera.window.max.y + y}};
  return {boundedWindow(moved, camera.window), camera.plot};
}

Camera zoomed(const Camera& camera, render::Point about, double factor) {
  if (!std::isfinite(factor) || factor <= 0) return camera;
  const render::Rect& w = camera.window;
  // The change of span that the limits allow on one axis. Both axes use the same value, so that shapes are kept.
  const auto allowed = [](double span, double centre, double wanted) {
    const double least = std::max(kLeastSpan, std::abs(centre) * 1e-11);
    return std::clamp(span / wanted, std::min(span, least), std::max(span, kLargestSpan)) / span;
  };
  const double x = allowed(w.width(), w.min.x + w.width() / 2, factor);
  const double y = allowed(w.height(), w.min.y + w.height() / 2, factor);
  const double ratio = factor > 1 ? std::max(x, y) : std::min(x, y);
  const render::Point fixed = toData(camera, about);
  const render::Rect next{{fixed.x + (w.min.x - fixed.x) * ratio, fixed.y + (w.min.y - fixed.y) * ratio},
                          {fixed.x + (w.max.x - fixed.x) * ratio, fixed.y + (w.max.y - fixed.y) * ratio}};
  return {boundedWindow(next, camera.window), camera.plot};
}

}  // namespace sepx::ui

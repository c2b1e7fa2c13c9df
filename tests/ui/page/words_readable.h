// SPDX-License-Identifier: Apache-2.0
// Checks whether each text of a scene has enough contrast to its background: 4.5 (WCAG AA), and 7 in the themes for
// projectors and for high contrast.
#pragma once

#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/ui/page/words_apart.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

namespace words_readable {

inline render::Color over(render::Color ground, render::Color veil) {
  const auto mixed = [&veil](float below, float above) { return below + (above - below) * veil.a; };
  return {mixed(ground.r, veil.r), mixed(ground.g, veil.g), mixed(ground.b, veil.b), 1};
}

/// Whether a point is in a convex polygon, whatever its orientation.
inline bool holds(const std::vector<render::Point>& polygon, render::Point at) {
  bool left = false, right = false;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const render::Point a = polygon[i], b = polygon[(i + 1) % polygon.size()];
    const double turn = (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
    left = left || turn > 0;
    right = right || turn < 0;
  }
  return polygon.size() > 2 && left != right;  // a polygon without an area contains no point
}

/// The background colour at a point of a page, built from the bottom layer up; empty over a picture, whose colours are
/// data.
class Ground {
 public:
  Ground(const render::Scene& scene, render::Point at) : scene_(scene), at_(at), color_(scene.background) {}

  void add(const render::Item& item) {
    if (const auto* const fill = std::get_if<render::Fill>(&item)) {
      if (fill->space == render::Space::Page ? holds(fill->points, at_) : holds(onPage(fill->points), at_))
        fill->color.a >= 0.99f ? color_ = fill->color : color_ ? color_ = over(*color_, fill->color) : color_;
    } else if (const auto* const marker = std::get_if<render::Marker>(&item)) {
      const render::Point at = marker->space == render::Space::Page ? marker->at : render::toPage(scene_, marker->at);
      if (std::hypot(at.x - at_.x, at.y - at_.y) <= marker->size / 2 && (color_ || marker->fill.a >= 0.99f))
        color_ = over(color_.value_or(render::Color{}), marker->fill);
    } else if (const auto* const heat = std::get_if<render::Heatmap>(&item)) {
      hide(heat->extent, heat->space);
    } else if (const auto* const labels = std::get_if<render::LabelMap>(&item)) {
      hide(labels->extent, labels->space);
    } else if (std::get_if<render::Solid>(&item)) {
      if (scene_.plot.contains(at_)) color_.reset();
    }
  }
  const std::optional<render::Color>& color() const { return color_; }

 private:
  std::vector<render::Point> onPage(std::vector<render::Point> points) const {
    for (render::Point& point : points)
      point = render::toPage(scene_, point);
    return points;
  }
  void hide(const render::Rect& extent, render::Space space) {
    if (space == render::Space::Page ? extent.contains(at_) : extent.contains(render::toData(scene_, at_)))
      color_.reset();
  }

  const render::Scene& scene_;
  render::Point at_;
  std::optional<render::Color> color_;
};

}  // namespace words_readable

/// One line for every text with less contrast. Texts over a picture of data are not checked, nor are texts of disabled
/// buttons (ui/views/strip.cpp).
inline std::string contrastFaults(const render::Scene& scene, const Theme& theme) {
  using namespace words_readable;
  const double least = theme.key == "projector" || theme.key == "contrast" ? 7 : 4.5;
  std::set<std::string> faults;
  for (const render::Layer& layer : scene.layers) {
    for (const render::Item& item : layer.items) {
      const auto* const label = std::get_if<render::Label>(&item);
      if (!label || label->text.empty()) continue;
      if (label->space != render::Space::Page && label->backdrop) {  // a label in a plot
        const render::Color ground = over(theme.plotBackground, *label->backdrop);
        const double has = contrast(over(ground, label->color), ground);
        if (has < least) faults.insert(layer.name + ": " + label->text + " " + std::to_string(has));
      }
      if (label->vertical || label->space != render::Space::Page) continue;
      render::Color disabled = theme.textMuted;
      disabled.a *= 0.6f;
      if (label->color == disabled) continue;
      const render::Rect box = boxOf(*label);
      Ground ground(scene, {(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2});
      for (const render::Layer& below : scene.layers) {
        for (const render::Item& one : below.items) {
          if (&one == &item) break;
          ground.add(one);
        }
        if (&below == &layer) break;
      }
      std::optional<render::Color> color = ground.color();
      if (label->backdrop && (color || label->backdrop->a >= 0.99f))
        color = over(color.value_or(render::Color{}), *label->backdrop);
      if (!color) continue;
      const double has = contrast(over(*color, label->color), *color);
      if (has < least) faults.insert(layer.name + ": " + label->text + " " + std::to_string(has));
    }
  }
  std::string all;
  for (const std::string& fault : faults)
    all += "\n  contrast of " + fault;
  return all;
}

}  // namespace sepx::ui

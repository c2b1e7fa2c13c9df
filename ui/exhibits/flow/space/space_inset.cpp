// SPDX-License-Identifier: Apache-2.0
// The section in its inset: pixels by basin or loss, traces of the sets, the places where paths cross the plane, the
// initial points projected along the axis across, and the slider that moves the plane. Pure.
#include "ui/exhibits/flow/space/space_inset.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "ui/canvas/shapes.h"
#include "ui/canvas/symbol_labels.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_limits.h"
#include "ui/exhibits/flow/shared/flow_scene.h"
#include "ui/exhibits/flow/space/space_axes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using markov::LimitKind;
using render::Dash;

/// A page rectangle in data coordinates, as the extent of an image.
render::Rect extentOf(const render::Rect& page, const Camera& camera) {
  const render::Point a = toData(camera, page.min), b = toData(camera, page.max);
  return {{a.x, b.y}, {b.x, a.y}};
}

class InsetMaker {
 public:
  InsetMaker(const SpaceFrame& frame, const Camera& camera)
      : f_(frame), theme_(frame.theme()), box_(*frame.layout.inset), page_(camera), here_(insetCamera(frame)) {}

  std::vector<render::Item> make() {
    ground();
    pixels();
    traces();
    points();
    axes();
    slider();
    return std::move(items_);
  }

 private:
  void ground() {
    const render::Rect around{{box_.min.x - 2.4 * theme_.smallSize, box_.min.y - 1.9 * theme_.smallSize},
                              {f_.layout.slider->max.x + 4, box_.max.y + 2.6 * theme_.smallSize}};
    render::Color ground = theme_.surface;
    ground.a = 0.92f;
    addBox(items_, around, theme_.radius, ground, theme_.border);
    items_.emplace_back(pageFill(box_, theme_.plotBackground));
  }

  void pixels() {
    const auto& section = f_.results.section();
    if (!section) return;
    if (!section->labels) {
      render::Heatmap heat;
      heat.extent = extentOf(box_, page_);
      heat.width = heat.height = section->side;
      heat.values = section->loss;
      heat.map = theme_.lossMap;
      heat.opacity = 0.85f;
      items_.emplace_back(std::move(heat));
      lossBar();
      return;
    }
    render::LabelMap map;
    map.extent = extentOf(box_, page_);
    map.width = map.height = section->side;
    map.labels = section->labels;
    map.palette = basinPalette(theme_);
    map.hatch = basinHatch();
    items_.emplace_back(std::move(map));
  }

  /// Adds a small colour bar of the loss inside the section, at its right edge.
  void lossBar() {
    constexpr int kShades = 64;
    auto shades = std::make_shared<std::vector<float>>(kShades);
    for (int i = 0; i < kShades; ++i)
      (*shades)[static_cast<std::size_t>(i)] = 1 - static_cast<float>(i) / (kShades - 1);
    const ColorLimits limits = limitsOf(f_.flow.chain);
    const double size = theme_.smallSize;
    const render::Rect at{{box_.max.x - 14, box_.min.y + 2.4 * size},
                          {box_.max.x - 6, box_.min.y + 0.5 * box_.height()}};
    render::Heatmap bar;
    bar.extent = extentOf(at, page_);
    bar.width = 1;
    bar.height = kShades;
    bar.values = std::move(shades);
    bar.map = theme_.lossMap;
    bar.smooth = true;
    items_.emplace_back(std::move(bar));
    items_.emplace_back(pageFrameLine(at, theme_.border));
    const auto mark = [&](double y, const std::string& text) {
      render::Label label = textAt({at.min.x - 4, y}, text, theme_.smallSize, theme_.text, render::AlignX::Right);
      label.backdrop = faded(theme_.plotBackground, 0.8f);
      items_.emplace_back(std::move(label));
    };
    mark(at.min.y - 1.1 * size, tr("loss, nats"));
    mark(at.min.y + 0.3 * size, shownFixed(limits.high, 3));
    mark(at.max.y - 0.3 * size, shownFixed(limits.low, 3));
  }

  void line(const markov::SectionLine& line, render::Color color, float width, Dash dash) {
    std::vector<render::Point> points;
    for (const markov::SectionPoint& at : line)
      points.push_back(toPage(here_, {at.x, at.y}));
    for (ClippedLine& piece : clipLine(points, {}, box_))
      items_.emplace_back(render::Polyline{std::move(piece.points), {color, width, dash}, {}, render::Space::Page});
  }
  void lines(const std::vector<markov::SectionLine>& all, render::Color color, float width, Dash dash) {
    for (const markov::SectionLine& one : all)
      line(one, color, width, dash);
  }
  void glyph(const markov::SectionPoint& at, render::Shape shape, float size, render::Color fill, render::Color edge) {
    const render::Point page = toPage(here_, {at.x, at.y});
    if (box_.contains(page))
      items_.emplace_back(render::Marker{page, shape, size, fill, edge, 1.5f, render::Space::Page});
  }

  void traces() {
    if (f_.space.show.energy) lines(f_.energyTrace, theme_.accent, 1.5f, Dash::Dashed);
    const auto& section = f_.results.section();
    if (!section) return;
    lines(section->minima, theme_.localMin, 2, Dash::Dashed);
    lines(section->maxima, theme_.localMax, 2, Dash::Dotted);
    lines(section->separatrix, theme_.separatrix, 1.5f, Dash::Solid);
    lines(section->thetaStar, theme_.globalMin, 2.5f, Dash::Solid);
    lines(section->saddleLines, theme_.saddle, 2, Dash::Solid);
    lines(section->stationaryLines, theme_.saddle, 2, Dash::Dashed);
    for (const auto& at : section->saddles)
      glyph(at, render::Shape::Diamond, 9, theme_.saddle, theme_.plotBackground);
    for (const auto& at : section->stationary)
      glyph(at, render::Shape::Diamond, 9, theme_.plotBackground, theme_.saddle);
  }

  void points() {
    for (std::size_t i = 0; i < f_.results.points(); ++i)
      for (const markov::SectionPoint& at : crossings(f_.results.point(i).path, f_.space.section))
        glyph(at, render::Shape::Cross, 8, pointColor(f_, i), pointColor(f_, i));
    const std::size_t across = f_.space.section.across();
    const double span = f_.space.box.high[across] - f_.space.box.low[across];
    for (const SpaceHandle& handle : insetHandles(f_)) {
      const auto i = static_cast<std::size_t>(handle.index);
      // The marker is filled if the point lies in the plane, and a ring if it is in front of it or behind it.
      const bool inPlane = std::abs(placeOf(f_.flow.points[i])[across] - f_.space.section.at) < 0.005 * span;
      const bool selected = handle.index == f_.marked();
      const render::Color color = pointColor(f_, i);
      items_.emplace_back(render::Marker{
          handle.at, inPlane ? render::Shape::Circle : render::Shape::Ring, selected ? 12.0f : 9.0f, color,
          inPlane ? (selected ? theme_.selection : theme_.text) : color, selected ? 2.5f : 1.5f, render::Space::Page});
    }
  }

  void axes() {
    const markov::SectionPlane& plane = f_.space.section;
    items_.emplace_back(pageFrameLine(box_, theme_.border));
    const auto ticks = [&](std::size_t axis) {
      return makeTicks(f_.space.box.low[axis], f_.space.box.high[axis], f_.page.compact ? 3 : 5);
    };
    const float size = theme_.smallSize;
    const Ticks x = ticks(plane.x()), y = ticks(plane.y());
    for (std::size_t i = 0; i < x.values.size(); ++i) {
      const double at = toPage(here_, {x.values[i], 0}).x;
      items_.emplace_back(pageLine({at, box_.max.y}, {at, box_.max.y + 4}, theme_.tick));
      items_.emplace_back(
          textAt({at, box_.max.y + 5 + 0.5 * size}, x.labels[i], size, theme_.tick, render::AlignX::Center));
    }
    for (std::size_t i = 0; i < y.values.size(); ++i) {
      const double at = toPage(here_, {0, y.values[i]}).y;
      items_.emplace_back(pageLine({box_.min.x - 4, at}, {box_.min.x, at}, theme_.tick));
      items_.emplace_back(textAt({box_.min.x - 6, at}, y.labels[i], size, theme_.tick, render::AlignX::Right));
    }
    items_.emplace_back(textAt({box_.max.x - 4, box_.max.y + 5 + 1.6 * size}, symbolName(kSpaceAxes[plane.x()]),
                               theme_.textSize, theme_.text, render::AlignX::Right));
    items_.emplace_back(textAt({box_.min.x - 6, box_.min.y - 0.9 * size}, symbolName(kSpaceAxes[plane.y()]),
                               theme_.textSize, theme_.text, render::AlignX::Right));
    std::string title = std::string(tr("section")) + " " + kSpaceAxes[plane.across()] + " = " + shownFixed(plane.at, 3);
    const auto& section = f_.results.section();
    if (section && section->of.integrate && section->finished)
      title += " · " + std::to_string(section->disagreements) + " " + tr("pixels differ");
    items_.emplace_back(textAt({box_.min.x + 4, box_.min.y - 0.9 * size}, elided(title, size, box_.width() + 20), size,
                               theme_.textMuted));
  }

  void slider() {
    if (f_.page.figure) return;
    const render::Rect& at = *f_.layout.slider;
    const double x = 0.5 * (at.min.x + at.max.x), y = sliderPlace(f_, f_.space.section.at);
    const bool hot = f_.hot && f_.hot->kind == SpaceHandle::Kind::Slice;
    items_.emplace_back(pageLine({x, at.min.y}, {x, at.max.y}, theme_.border, 3));
    items_.emplace_back(render::Marker{{x, y},
                                       render::Shape::Square,
                                       hot ? 14.0f : 11.0f,
                                       theme_.accent,
                                       hot ? theme_.text : theme_.plotBackground,
                                       1.5f,
                                       render::Space::Page});
    items_.emplace_back(textAt({x, at.min.y - 0.9 * theme_.smallSize},
                               symbolName(kSpaceAxes[f_.space.section.across()]), theme_.textSize, theme_.accent,
                               render::AlignX::Center));
  }

  const SpaceFrame& f_;
  const Theme& theme_;
  const render::Rect box_;
  const Camera page_, here_;
  std::vector<render::Item> items_;
};

}  // namespace

Camera insetCamera(const SpaceFrame& frame) {
  const std::size_t x = frame.space.section.x(), y = frame.space.section.y();
  const markov::Box3& box = frame.space.box;
  return {{{box.low[x], box.low[y]}, {box.high[x], box.high[y]}},
          frame.layout.inset.value_or(render::Rect{{0, 0}, {1, 1}})};
}

std::vector<SpaceHandle> insetHandles(const SpaceFrame& frame) {
  std::vector<SpaceHandle> handles;
  if (!frame.layout.inset) return handles;
  const Camera camera = insetCamera(frame);
  for (std::size_t i = 0; i < frame.flow.points.size(); ++i) {
    const markov::Place3 at = placeOf(frame.flow.points[i]);
    const render::Point page = toPage(camera, {at[frame.space.section.x()], at[frame.space.section.y()]});
    if (!frame.layout.inset->contains(page)) continue;
    handles.push_back({SpaceHandle::Kind::Point, static_cast<int>(i), page, point3(at), 0});
  }
  return handles;
}

double sliderValue(const SpaceFrame& frame, double pageY) {
  const render::Rect& at = *frame.layout.slider;
  const std::size_t across = frame.space.section.across();
  const double low = frame.space.box.low[across], high = frame.space.box.high[across];
  return std::clamp(high + (low - high) * (pageY - at.min.y) / at.height(), low, high);
}

double sliderPlace(const SpaceFrame& frame, double value) {
  const render::Rect& at = *frame.layout.slider;
  const std::size_t across = frame.space.section.across();
  const double low = frame.space.box.low[across], high = frame.space.box.high[across];
  return at.min.y + at.height() * (high - value) / (high - low);
}

std::vector<render::Item> insetItems(const SpaceFrame& frame, const Camera& camera) {
  if (!frame.layout.inset) return {};
  return InsetMaker(frame, camera).make();
}

}  // namespace sepx::ui

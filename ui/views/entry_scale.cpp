// SPDX-License-Identifier: Apache-2.0
// Draws the colours, histogram, ends and numbers of a colour scale, and handles the drag of an end.
#include "ui/views/entry_scale.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/core/number.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/page_draw.h"
#include "ui/properties/tr.h"
#include "ui/views/digest.h"

namespace sepx::ui {

namespace {

constexpr const char* kGroup = "colour scale";
constexpr double kTitle = 1.4, kHistogram = 4.4;  // multiples of the small type size
constexpr double kDragFrom = 3;                   // points

/// A scale in its box.
struct PlacedScale {
  PlacedScale(const EntryScale& of, const ViewPlace& place) : scale(of), theme(place.theme) {
    const double left = place.box.min.x + kScaleGrip;
    bar = {{left, place.box.min.y + kTitle * theme.smallSize}, {left + kScaleBar, place.box.max.y - kScaleGrip}};
    bins = {{bar.max.x + 3, bar.min.y}, {bar.max.x + 3 + kHistogram * theme.smallSize, bar.max.y}};
    right = scale.roomForHistogram ? bins.max.x : bar.max.x;
  }
  double y(double value) const {
    const MatrixScale& of = scale.scale;
    return bar.max.y - (of.place(value) - of.axisLow()) / (of.axisHigh() - of.axisLow()) * bar.height();
  }
  double value(double y) const {
    const MatrixScale& of = scale.scale;
    return of.valueAt(of.axisLow() + (bar.max.y - y) / bar.height() * (of.axisHigh() - of.axisLow()));
  }
  std::vector<render::Item> items() const;
  void addMarks(std::vector<render::Item>& items) const;
  void addBars(std::vector<render::Item>& items) const;
  void addEnds(std::vector<render::Item>& items) const;
  std::vector<double> countsOf(int count) const;
  PictureGrip grip(render::Point from) const;

  EntryScale scale;
  Theme theme;
  render::Rect bar, bins;
  double right;  ///< right edge of the bar and, if shown, the histogram
};

/// Numbers at the ends, at zero, and at values between that have room.
void PlacedScale::addMarks(std::vector<render::Item>& items) const {
  const double room = 1.3 * theme.smallSize, across = scale.edge - right;
  const ColorLimits& limits = scale.scale.limits;
  // As many digits as fit left of `edge`.
  int digits = 3;
  const auto tooWide = [&](double value) { return textWidth(entryText(value, digits), theme.smallSize) > across; };
  while (digits > 1 && (tooWide(limits.low) || tooWide(limits.high) || tooWide(-0.5 * limits.high)))
    --digits;
  std::vector<double> taken;
  const auto mark = [&](double value, bool end) {
    const double at = y(value);
    if (at < bar.min.y - 1 || at > bar.max.y + 1) return;
    if (std::any_of(taken.begin(), taken.end(), [&](double other) { return std::abs(other - at) < room; })) return;
    taken.push_back(at);
    items.push_back(textAt({right + 6, at}, entryText(value, digits), theme.smallSize, end ? theme.text : theme.tick));
  };
  mark(limits.high, true);
  mark(limits.low, true);
  mark(0, false);
  const bool logarithmic = scale.scale.kind == ScaleKind::Logarithmic;
  for (const double share : logarithmic ? std::vector{0.1, 0.01, -0.1, -0.01} : std::vector{0.5, -0.5})
    mark(share * limits.high, false);
}

/// Counts along the value axis, from its lower end. For moduli, both signs are added.
std::vector<double> PlacedScale::countsOf(int count) const {
  const MatrixScale& of = scale.scale;
  const attention::Histogram& histogram = *scale.histogram;
  const double low = of.axisLow(), high = of.axisHigh();
  std::vector<double> counts;
  if (of.kind == ScaleKind::Logarithmic) {
    const auto edge = [&](int i) { return of.valueAt(low + i * (high - low) / count); };
    for (int i = 0; i < count; ++i)
      counts.push_back(histogram.bins(edge(i), edge(i + 1), 1).front());
    return counts;
  }
  counts = histogram.bins(low, high, count);
  if (of.kind == ScaleKind::Diverging) return counts;
  const std::vector<double> negative = histogram.bins(-high, -low, count);
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i] += negative[counts.size() - 1 - i];
  return counts;
}

/// Draws square roots of counts, so that a single outlier is still visible.
void PlacedScale::addBars(std::vector<render::Item>& items) const {
  const auto count = static_cast<int>(std::clamp(bins.height() / 3, 16.0, 120.0));
  const std::vector<double> numbers = countsOf(count);
  const double most = *std::max_element(numbers.begin(), numbers.end());
  if (!(most > 0)) return;
  render::Polyline bars;
  bars.space = render::Space::Page;
  bars.stroke = {faded(theme.textMuted, 0.8f), static_cast<float>(std::max(1.0, bins.height() / count - 0.8)),
                 render::Dash::Solid};
  for (int i = 0; i < count; ++i) {
    const double number = numbers[static_cast<std::size_t>(i)];
    if (number <= 0) continue;
    const double at = bins.max.y - (i + 0.5) / count * bins.height();
    const double length = std::max(1.0, std::sqrt(number / most) * bins.width());
    bars.points.insert(bars.points.end(), {{bins.min.x, at}, {bins.min.x + length, at}, {NAN, NAN}});
  }
  items.push_back(std::move(bars));
}

void PlacedScale::addEnds(std::vector<render::Item>& items) const {
  const double far = scale.roomForHistogram ? bins.max.x : bar.max.x + 3;
  for (const double end : {scale.scale.limits.low, scale.scale.limits.high}) {
    if (scale.scale.kind == ScaleKind::Sequential && end == 0) continue;
    items.push_back(pageLine({bar.min.x - 4, y(end)}, {far, y(end)}, scale.locked ? theme.accent : theme.text,
                             scale.locked ? theme.strongLine : theme.lineWidth));
  }
  items.push_back(pageLine({bar.min.x - 2, y(0)}, {bar.max.x + 2, y(0)}, theme.text, 1));
}

std::vector<render::Item> PlacedScale::items() const {
  std::vector<render::Item> items;
  // Beyond the ends the colours are constant.
  render::Heatmap ramp = rampOf(scale.scale, scale.scale.axisLow(), scale.scale.axisHigh(), theme);
  ramp.extent = bar;
  ramp.space = render::Space::Page;
  items.emplace_back(std::move(ramp));
  items.emplace_back(pageFrameLine(bar, theme.border));
  if (scale.roomForHistogram && scale.histogram) addBars(items);
  addEnds(items);
  addMarks(items);
  items.push_back(
      textAt({bar.min.x, bar.min.y - 0.75 * theme.smallSize}, scale.scale.title(), theme.smallSize, theme.text));
  return items;
}

/// Moves the held end in proportion to the scale at the start of the drag, so that nothing jumps.
PictureGrip PlacedScale::grip(render::Point from) const {
  const bool upper = from.y <= y(0) || scale.scale.kind == ScaleKind::Sequential;
  const auto drag = [held = *this, from, upper](Editor& editor, render::Point at, bool) {
    const MatrixScale& of = held.scale.scale;
    const double zero = held.y(0), before = std::abs(from.y - zero), now = upper ? zero - at.y : at.y - zero;
    if (before < 4) return;
    const double end = std::max(std::abs(of.limits.low), std::abs(of.limits.high));
    double moved = end * std::clamp(now / before, 0.02, 20.0);
    if (of.kind == ScaleKind::Logarithmic)
      moved = std::abs(held.value(upper ? std::min(at.y, zero - 2) : std::max(at.y, zero + 2)));
    const double step = roundStep(end / 500);
    moved = std::max(step, std::round(moved / step) * step);
    moved = parseNumber(formatFixed(moved, 12)).value_or(moved);
    if (!std::isfinite(moved) || moved <= 0) return;
    const ColorLimits limits = fitting({of.kind == ScaleKind::Sequential ? of.limits.low : -moved, moved}, of.kind);
    editor.commit(held.scale.with(editor.document(), limits), tr("move the colour scale"), kGroup);
  };
  const auto back = [](Editor& editor, const Document& before) {
    editor.commit(before, tr("move the colour scale"), kGroup);
  };
  return {.drag = drag, .cursor = Cursor::ResizeVertical, .still = kDragFrom, .takeBack = back};
}

}  // namespace

render::Rect scaleBox(const render::Rect& plot, double left, double edge) {
  return {{left - kScaleGrip, plot.min.y}, {edge, plot.max.y + kScaleGrip}};
}

View entryScale(std::string name, const EntryScale& scale) {
  const auto on = [scale](const ViewPlace& place, render::Point at) {
    const PlacedScale placed(scale, place);
    const double right = scale.roomForHistogram ? placed.right : placed.right + kScaleGrip;
    return at.x <= right && at.y >= placed.bar.min.y - kScaleGrip ? std::optional(placed) : std::nullopt;
  };
  PictureContent content;
  content.of = Digest()
                   .add(scale.scale.kind, scale.scale.limits.low, scale.scale.limits.high, scale.roomForHistogram,
                        scale.histogram, scale.locked, scale.edge)
                   .value();
  content.draw = [scale](const ViewPlace& place) { return PlacedScale(scale, place).items(); };
  content.hold = [on](const ViewPlace& place, render::Point at) -> std::optional<PictureGrip> {
    const std::optional<PlacedScale> held = on(place, at);
    return held ? std::optional(held->grip(at)) : std::nullopt;
  };
  content.twice = [on, scale](Editor& editor, const ViewPlace& place, render::Point at) {
    if (!on(place, at)) return false;
    editor.commit(scale.with(editor.document(), std::nullopt), tr("colour scale from the data"));
    editor.seal();
    return true;
  };
  return {std::move(name), std::move(content)};
}

}  // namespace sepx::ui

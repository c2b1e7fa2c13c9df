// SPDX-License-Identifier: Apache-2.0
// Draws a placed chart, clipped to the plot: background and grid, stripes, bands, lines, bars, markers, names of
// reference lines that do not overlap, axes, title and legend. Also chooses looks for series that have none.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/render/tessellate.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/symbol_labels.h"
#include "ui/views/chart_axis.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

namespace {

constexpr double kTolerance = 0.1;    // largest error of a simplified line, points of the page
constexpr double kColumns = 2;        // per point of the page
constexpr std::size_t kMany = 20000;  // number of points from which markers that nearly hide each other are left out
constexpr double kCap = 3;            // half the width of the cap of a bar, points
constexpr float kStemAlpha = 0.7f;    // of bars from 0
constexpr double kSwatchGap = 0.7;    // between dashes in a swatch, in lengths of a dash
constexpr render::Point kGap{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};

bool isGap(render::Point at) {
  return !std::isfinite(at.x) || !std::isfinite(at.y);
}

bool overlap(const render::Rect& a, const render::Rect& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

/// A column of a band on the page.
struct BandColumn {
  double x, low, high;
};

}  // namespace

std::vector<render::Point> thinned(const std::vector<render::Point>& page) {
  std::vector<render::Point> out;
  std::size_t i = 0;
  bool gap = false;
  double last = std::numeric_limits<double>::quiet_NaN();  // column of the last point
  while (i < page.size()) {
    if (isGap(page[i])) {
      gap = true;
      ++i;
      continue;
    }
    const double column = std::floor(page[i].x * kColumns);
    if (gap && !out.empty() && column != last) out.push_back(kGap);
    gap = false;
    last = column;
    std::size_t first = i, low = i, high = i, end = i;
    for (; i < page.size() && (isGap(page[i]) || std::floor(page[i].x * kColumns) == column); ++i) {
      if (isGap(page[i])) continue;
      if (page[i].y < page[low].y) low = i;
      if (page[i].y > page[high].y) high = i;
      end = i;
    }
    // Gaps skipped after the last point separate it from the next column.
    gap = end + 1 < i;
    std::size_t at[] = {first, std::min(low, high), std::max(low, high), end};
    for (std::size_t k = 0; k < 4; ++k)
      if (k == 0 || at[k] != at[k - 1]) out.push_back(page[at[k]]);
  }
  return out;
}

std::vector<render::Item> PlacedChart::items() const {
  std::vector<render::Item> items;
  addGround(items);
  for (const ChartReference& reference : chart_.references)
    addReference(items, reference);
  for (const ChartSeries& series : chart_.series)
    if (series.look.spread == Spread::Band) addBand(items, series);
  for (const ChartSeries& series : chart_.series) {
    if (series.look.width > 0 && series.look.spread != Spread::Quartiles) addLine(items, series);
    if (series.look.spread == Spread::Bars || series.look.spread == Spread::Quartiles) addBars(items, series);
    if (series.look.stem > 0) addStems(items, series);
    if (series.look.marker) addMarkers(items, series);
  }
  for (render::Marker mark : chart_.marks) {
    mark.at = page(mark.at);
    mark.space = render::Space::Page;
    if (isGap(mark.at) || !inside(mark.at)) continue;
    if (mark.shape == render::Shape::Cross)
      items.emplace_back(render::Marker{mark.at, mark.shape, mark.size + 2, theme_.plotBackground,
                                        theme_.plotBackground, mark.edgeWidth + 2, render::Space::Page});
    items.emplace_back(mark);
  }
  std::vector<render::Rect> taken;
  for (const ChartReference& reference : chart_.references)
    addReferenceName(items, reference, taken);
  if (chart_.compact)
    addCompactAxes(items);
  else
    ui::addAxes(items, camera_, x_, y_, axisNames(), theme_);
  addTitle(items);
  if (chart_.legend)
    addLegend(items, {camera_.plot.min.x, camera_.plot.min.y - legend_ - 0.2 * theme_.textSize}, camera_.plot.width(),
              legendOf(chart_), theme_);
  return items;
}

AxisNames PlacedChart::axisNames() const {
  const render::Rect& plot = camera_.plot;
  const render::Point middle{plot.min.x + plot.width() / 2, plot.min.y + plot.height() / 2};
  const double across = 2 * std::min(middle.x - box_.min.x, box_.max.x - middle.x),
               up = 2 * std::min(middle.y - box_.min.y, box_.max.y - middle.y);
  return {elided(chart_.x.name, theme_.textSize, across), elided(chart_.y.name, theme_.textSize, up)};
}

void PlacedChart::addGround(std::vector<render::Item>& items) const {
  const render::Rect& plot = camera_.plot;
  if (chart_.ground) items.emplace_back(pageFill(plot, theme_.plotBackground));
  for (const double value : x_.values) {
    const double at = toPage(camera_, {value, 0}).x;
    const bool zero = value == 0 && !chart_.x.logarithmic && !chart_.x.whole && at > plot.min.x + 0.5;
    items.emplace_back(pageLine({at, plot.min.y}, {at, plot.max.y}, zero ? theme_.axisZero : theme_.grid));
  }
  for (const double value : y_.values) {
    const double at = toPage(camera_, {0, value}).y;
    const bool zero = value == 0 && !chart_.y.logarithmic && !chart_.y.whole;
    items.emplace_back(pageLine({plot.min.x, at}, {plot.max.x, at}, zero ? theme_.axisZero : theme_.grid));
  }
}

void PlacedChart::addReference(std::vector<render::Item>& items, const ChartReference& reference) const {
  const render::Rect& plot = camera_.plot;
  const ChartLook& look = reference.look;
  // The position of a value on the page, along the axis of the reference. The other coordinate is any that the axis can
  // show.
  const auto along = [&](double value) {
    return reference.vertical ? toPage(camera_, {axisX(value), camera_.window.min.y}).x
                              : toPage(camera_, {camera_.window.min.x, axisY(value)}).y;
  };
  const double least = reference.vertical ? plot.min.x : plot.min.y,
               most = reference.vertical ? plot.max.x : plot.max.y;
  if (reference.stripe) {
    double from = along(reference.stripe->first), to = along(reference.stripe->second);
    if (from > to) std::swap(from, to);
    from = std::max(from, least);
    to = std::min(to, most);
    if (from < to)
      items.emplace_back(pageFill(reference.vertical ? render::Rect{{from, plot.min.y}, {to, plot.max.y}}
                                                     : render::Rect{{plot.min.x, from}, {plot.max.x, to}},
                                  faded(look.color, look.shade)));
  }
  const double at = along(reference.value);
  if (!(at >= least && at <= most)) return;
  items.emplace_back(reference.vertical
                         ? pageLine({at, plot.min.y}, {at, plot.max.y}, look.color, look.width, look.dash)
                         : pageLine({plot.min.x, at}, {plot.max.x, at}, look.color, look.width, look.dash));
}

void PlacedChart::addReferenceName(std::vector<render::Item>& items, const ChartReference& reference,
                                   std::vector<render::Rect>& taken) const {
  const render::Rect& plot = camera_.plot;
  const double size = theme_.smallSize, high = 1.4 * size;
  const std::string name = elided(reference.name, size, 0.9 * plot.width());
  const double width = textWidth(name, size) + 8;
  std::vector<render::Point> corners;  // top left, the preferred place first
  if (reference.vertical) {
    const double x = toPage(camera_, {axisX(reference.value), camera_.window.min.y}).x;
    if (name.empty() || !(x >= plot.min.x && x <= plot.max.x)) return;
    for (const double y : {plot.max.y - high, plot.min.y})
      for (const double left : {x, x - width})
        corners.push_back({left, y});
  } else {
    const double y = toPage(camera_, {camera_.window.min.x, axisY(reference.value)}).y;
    if (name.empty() || !(y >= plot.min.y && y <= plot.max.y)) return;
    const double first = reference.nameFirst ? plot.min.x : plot.max.x - width;
    const double last = plot.min.x + plot.max.x - width - first;
    for (const double share : {0.0, 1.0, 0.25, 0.5, 0.75})
      for (const double top : {y - high, y})
        corners.push_back({first + share * (last - first), top});
  }
  const auto boxAt = [&](render::Point corner) { return render::Rect{corner, {corner.x + width, corner.y + high}}; };
  const auto free = [&](render::Point corner) {
    const render::Rect box = boxAt(corner);
    return inside(box.min) && inside(box.max) &&
           std::none_of(taken.begin(), taken.end(), [&](const render::Rect& other) { return overlap(box, other); });
  };
  // The name of a horizontal line is placed where it hides the fewest points of the data. A vertical line prefers its
  // lower end.
  const auto hides = [&](render::Point corner, std::size_t most) {
    const render::Rect box = boxAt(corner);
    std::size_t count = 0;
    for (const ChartSeries& series : chart_.series)
      for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i)
        if (box.contains(page({series.x[i], series.y[i]})) && ++count >= most) return count;
    return count;
  };
  std::optional<std::size_t> least;
  auto found = corners.end();
  for (auto corner = corners.begin(); corner != corners.end() && least != std::size_t{0}; ++corner) {
    if (!free(*corner)) continue;
    // A later place is chosen only if it hides less than half as many points.
    const std::size_t most = least ? (*least + 1) / 2 : std::numeric_limits<std::size_t>::max();
    const std::size_t hidden = reference.vertical ? 0 : hides(*corner, most);
    if (!least || hidden < most) least = hidden, found = corner;
  }
  if (found == corners.end()) return;  // better no name than two names that overlap
  taken.push_back(boxAt(*found));
  render::Label label = textAt({found->x + 4, found->y + high / 2}, name, theme_.smallSize, reference.look.color);
  label.color.a = 1;
  label.backdrop = faded(theme_.plotBackground, 0.8f);
  items.emplace_back(std::move(label));
}

void PlacedChart::addBand(std::vector<render::Item>& items, const ChartSeries& series) const {
  const std::size_t count = std::min({series.x.size(), series.low.size(), series.high.size()});
  const bool dense = static_cast<double>(count) > kColumns * camera_.plot.width();
  const render::Color color = faded(series.look.color, series.look.shade);
  std::vector<render::Point> lower, upper;
  std::optional<BandColumn> last;
  for (std::size_t i = 0; i < count; ++i) {
    // If a logarithmic axis cannot show the lower end, the band extends to the edge of the plot.
    const render::Point high = page({series.x[i], series.high[i]});
    render::Point low = page({series.x[i], series.low[i]});
    if (isGap(low) && !isGap(high) && !std::isnan(series.low[i])) low = {high.x, camera_.plot.max.y};
    lower.push_back(low);
    upper.push_back(high);
    if (isGap(low) || isGap(high)) {
      last.reset();
      continue;
    }
    BandColumn now{high.x, low.y, high.y};
    if (dense)
      for (; i + 1 < count; ++i) {
        const render::Point nextHigh = page({series.x[i + 1], series.high[i + 1]});
        const render::Point nextLow = page({series.x[i + 1], series.low[i + 1]});
        if (isGap(nextHigh) || isGap(nextLow) || nextHigh.x - now.x > 1 / kColumns) break;
        now.low = std::max(now.low, nextLow.y);
        now.high = std::min(now.high, nextHigh.y);
      }
    if (dense) lower.back() = {now.x, now.low}, upper.back() = {now.x, now.high};
    if (last && now.x > last->x) {
      const std::vector<render::Point> cut = render::clipConvex(
          {}, {{last->x, last->high}, {now.x, now.high}, {now.x, now.low}, {last->x, last->low}}, camera_.plot);
      if (cut.size() > 2) items.emplace_back(render::Fill{cut, color, render::Space::Page});
    }
    last = now;
  }
  if (!(series.look.width > 0)) return;
  for (const std::vector<render::Point>* edge : {&lower, &upper})
    for (ClippedLine& piece : clipLine(*edge, {}, camera_.plot))
      items.emplace_back(render::Polyline{
          std::move(piece.points),
          {faded(series.look.color, 0.55f), std::max(0.75f, 0.4f * series.look.width), render::Dash::Solid},
          {},
          render::Space::Page});
}

void PlacedChart::addBars(std::vector<render::Item>& items, const ChartSeries& series) const {
  const std::size_t count = std::min({series.x.size(), series.y.size(), series.low.size(), series.high.size()});
  const bool quartiles = series.look.spread == Spread::Quartiles;
  const render::Color color = quartiles ? faded(series.look.color, 0.8f) : series.look.color;
  const float width = quartiles ? 1.5f : 1.25f;
  const render::Rect& plot = camera_.plot;
  const double half = std::clamp(0.12 * plot.width() / std::max<double>(1, static_cast<double>(count)), 2.0, 7.0);
  const double cap = quartiles ? half / 2 : kCap;
  for (std::size_t i = 0; i < count; ++i) {
    const render::Point low = page({series.x[i], series.low[i]}), high = page({series.x[i], series.high[i]});
    if (isGap(low) || isGap(high) || low.x < plot.min.x || low.x > plot.max.x) continue;
    const double from = std::max(high.y, plot.min.y), to = std::min(low.y, plot.max.y);
    if (from > to) continue;
    items.emplace_back(pageLine({low.x, to}, {low.x, from}, color, width));
    for (const render::Point& end : {low, high})
      if (inside(end)) items.emplace_back(pageLine({end.x - cap, end.y}, {end.x + cap, end.y}, color, width));
    const render::Point middle = page({series.x[i], series.y[i]});
    if (quartiles && !isGap(middle) && inside(middle))
      items.emplace_back(pageLine({middle.x - half, middle.y}, {middle.x + half, middle.y}, series.look.color, 2));
  }
}

void PlacedChart::addLine(std::vector<render::Item>& items, const ChartSeries& series) const {
  const ChartLook& look = series.look;
  std::vector<render::Point> page(std::min(series.x.size(), series.y.size()));
  for (std::size_t i = 0; i < page.size(); ++i)
    page[i] = this->page({series.x[i], series.y[i]});
  if (static_cast<double>(page.size()) > 2 * kColumns * camera_.plot.width()) page = thinned(page);
  for (const ClippedLine& piece : clipLine(page, {}, camera_.plot)) {
    if (piece.points.size() < 2) continue;
    render::Polyline drawn{{}, {look.color, look.width, look.dash}, {}, render::Space::Page};
    for (const std::size_t i : simplifiedPoints(piece.points, {}, kTolerance))
      drawn.points.push_back(piece.points[i]);
    items.emplace_back(std::move(drawn));
  }
  // A value between two gaps has no line and is drawn as a dot.
  if (look.marker) return;
  for (std::size_t i = 0; i < page.size(); ++i) {
    const bool alone = (i == 0 || isGap(page[i - 1])) && (i + 1 == page.size() || isGap(page[i + 1]));
    if (alone && !isGap(page[i]) && inside(page[i]))
      items.emplace_back(render::Marker{page[i], render::Shape::Circle, 2 * look.width + 1, look.color, look.color, 0,
                                        render::Space::Page});
  }
}

void PlacedChart::addMarkers(std::vector<render::Item>& items, const ChartSeries& series) const {
  const ChartLook& look = series.look;
  const std::size_t count = std::min(series.x.size(), series.y.size());
  const double gap = std::max(static_cast<double>(look.markerGap), count > kMany ? 1.0 : 0.0);
  render::Point last{-1e9, -1e9};
  for (std::size_t i = 0; i < count; ++i) {
    const render::Point at = page({series.x[i], series.y[i]});
    if (isGap(at) || !inside(at) || std::hypot(at.x - last.x, at.y - last.y) < gap) continue;
    last = at;
    const bool hollow = i < series.hollow.size() ? series.hollow[i] : look.hollow;
    addMarker(items, at, look, hollow, theme_);
  }
}

void PlacedChart::addStems(std::vector<render::Item>& items, const ChartSeries& series) const {
  const double half = static_cast<double>(series.look.stem) / 2;
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    const render::Point low = page({series.x[i] - half, std::min(0.0, series.y[i])}),
                        high = page({series.x[i] + half, std::max(0.0, series.y[i])});
    if (isGap(low) || isGap(high)) continue;
    items.emplace_back(pageFill({{low.x, high.y}, {high.x, low.y}}, faded(series.look.color, kStemAlpha)));
  }
}

void PlacedChart::addCompactAxes(std::vector<render::Item>& items) const {
  const render::Rect& plot = camera_.plot;
  const double size = theme_.smallSize;
  items.emplace_back(pageFrameLine(plot, theme_.border));
  double room = plot.max.x + plot.width();
  if (!chart_.x.name.empty() && !chart_.x.bare) {
    const std::string name = symbolName(chart_.x.name);
    items.emplace_back(textAt({plot.max.x, plot.max.y + 2}, name, theme_.textSize, theme_.text, render::AlignX::Right,
                              render::AlignY::Top));
    room = plot.max.x - textWidth(name, theme_.textSize) - 4;
  }
  for (std::size_t i = 0; i < x_.values.size(); ++i) {
    const double at = toPage(camera_, {x_.values[i], 0}).x;
    if (at + textWidth(x_.labels[i], size) / 2 > room) continue;
    // Does not overlap the lowest number of the other axis.
    items.emplace_back(textAt({at, plot.max.y + std::max(3.0, 0.45 * size)}, x_.labels[i], theme_.smallSize,
                              theme_.tick, render::AlignX::Center, render::AlignY::Top));
  }
  for (std::size_t i = 0; i < y_.values.size(); ++i)
    items.emplace_back(textAt({plot.min.x - 5, toPage(camera_, {0, y_.values[i]}).y}, y_.labels[i], theme_.smallSize,
                              theme_.tick, render::AlignX::Right));
}

void PlacedChart::addTitle(std::vector<render::Item>& items) const {
  const float size = theme_.textSize;  // the same as that of the names of the axes
  const render::Rect& plot = camera_.plot;
  const std::vector<std::string> lines = titleLines(chart_, box_, plot.min.x, size);
  double y = plot.min.y - legend_ - (chart_.compact ? 0.3 : 0.5) * theme_.textSize;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line, y -= kTitleLine * size) {
    render::Label label =
        textAt({plot.min.x, y}, *line, size, theme_.text, render::AlignX::Left, render::AlignY::Bottom);
    label.bold = chart_.strongTitle;
    items.emplace_back(std::move(label));
  }
}

ChartLook seriesLook(const Theme& theme, std::size_t i) {
  const std::array<render::Color, 6> colors{theme.localMin,  theme.globalMin, theme.saddle,
                                            theme.attractor, theme.localMax,  theme.textMuted};
  constexpr std::array kDashes{render::Dash::Solid, render::Dash::Dashed, render::Dash::Dotted};
  constexpr std::array kShapes{render::Shape::Circle, render::Shape::Square, render::Shape::Diamond,
                               render::Shape::Triangle};
  ChartLook look;
  look.color = colors[i % colors.size()];
  look.dash = kDashes[(i + i / colors.size()) % kDashes.size()];
  look.width = theme.lineWidth;
  // From the fourth series on, dashes repeat, so sparse markers are added.
  if (i >= kDashes.size()) {
    look.marker = kShapes[i / kDashes.size() % kShapes.size()];
    look.markerGap = 60;
    look.markerSize = 7;
  }
  return look;
}

std::vector<LegendEntry> legendOf(const LineChart& chart) {
  std::vector<LegendEntry> entries;
  for (const ChartSeries& series : chart.series)
    if (!series.name.empty()) entries.push_back({series.name, series.look});
  return entries;
}

void addSwatch(std::vector<render::Item>& items, render::Point left, double width, const ChartLook& look,
               const Theme& theme) {
  constexpr double kHalf = 5;
  const double middle = left.x + width / 2;
  if (look.spread == Spread::Band)
    items.emplace_back(pageFill({{left.x, left.y - kHalf}, {left.x + width, left.y + kHalf}},
                                faded(look.color, std::max(look.shade, 0.14f))));
  if (look.stem > 0)
    items.emplace_back(pageFill({{middle - kHalf / 2, left.y - kHalf}, {middle + kHalf / 2, left.y + kHalf}},
                                faded(look.color, kStemAlpha)));
  if (look.spread == Spread::Bars || look.spread == Spread::Quartiles)
    items.emplace_back(pageLine({middle, left.y - kHalf - 1}, {middle, left.y + kHalf + 1}, look.color, 1.25f));
  if (look.spread == Spread::Quartiles)
    items.emplace_back(pageLine({middle - kHalf, left.y}, {middle + kHalf, left.y}, look.color, 2));
  if (look.width > 0 && look.spread != Spread::Quartiles) {
    if (look.dash == render::Dash::Dashed) {
      // Whole dashes: two, or three if a marker covers the middle, so that the gaps beside it are visible.
      const int count = look.marker ? 3 : 2;
      const double dash = width / (count + (count - 1) * kSwatchGap), period = (1 + kSwatchGap) * dash;
      for (int i = 0; i < count; ++i)
        items.emplace_back(
            pageLine({left.x + i * period, left.y}, {left.x + i * period + dash, left.y}, look.color, look.width));
    } else {
      items.emplace_back(pageLine(left, {left.x + width, left.y}, look.color, look.width, look.dash));
    }
  }
  if (look.marker) addMarker(items, {middle, left.y}, look, look.hollow, theme);
}

void addMarker(std::vector<render::Item>& items, render::Point at, const ChartLook& look, bool hollow,
               const Theme& theme) {
  items.emplace_back(render::Marker{at, *look.marker, look.markerSize, hollow ? theme.plotBackground : look.color,
                                    look.color, look.markerSize < 6 && !hollow ? 0.0f : 1.5f, render::Space::Page});
  if (look.crossed)
    items.emplace_back(render::Marker{at, render::Shape::Cross, 4, look.color, look.color, 1.2f, render::Space::Page});
}

void addRing(std::vector<render::Item>& items, render::Point at, float size, const Theme& theme) {
  items.emplace_back(render::Marker{at, render::Shape::Ring, size, {}, theme.text, 1.5f, render::Space::Page});
}

double addLegend(std::vector<render::Item>& items, render::Point at, double width,
                 const std::vector<LegendEntry>& entries, const Theme& theme) {
  const double size = theme.smallSize, row = 1.6 * size;
  double x = at.x, y = at.y + row / 2;
  for (const LegendEntry& entry : entries) {
    const ChartLook& look = entry.look;
    const bool small = !(look.width > 0) || look.spread == Spread::Quartiles;
    const bool words = !(look.width > 0) && !look.marker && !(look.stem > 0) && look.spread == Spread::None;
    const double swatch = words ? 0 : (small ? 16 : 26) + 6;
    const double needed = swatch + textWidth(entry.name, size);
    if (x > at.x && x + needed > at.x + width) x = at.x, y += row;
    if (!words) addSwatch(items, {x, y}, swatch - 6, look, theme);
    items.emplace_back(textAt({x + swatch, y}, elided(entry.name, size, std::max(at.x + width - x - swatch, 2 * size)),
                              theme.smallSize, theme.text));
    x += needed + 1.4 * size;
  }
  return entries.empty() ? 0 : y + row / 2 - at.y;
}

}  // namespace sepx::ui

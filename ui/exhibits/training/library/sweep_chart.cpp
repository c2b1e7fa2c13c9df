// SPDX-License-Identifier: Apache-2.0
// See sweep_chart.h.
#include "ui/exhibits/training/library/sweep_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/render/color_map.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/training/library/library_rows.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/views/digest.h"
#include "ui/views/matrix_scale.h"
#include "ui/views/page_kit.h"

namespace sepx::ui {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kMetricDecades = 20;      // largest over smallest mean from which the axis is logarithmic
constexpr std::size_t kMostCells = 90000;  // of a map
constexpr double kLegendFrom = 12;         // multiples of the type size: least height of a chart with a legend
constexpr double kPointReach = 24;         // points
constexpr double kBarRoom = 9;             // points between neighbours that error bars need

/// Colours of means: linear or logarithmic between the smallest and the largest.
struct Colors {
  double low = 0, high = 1;
  bool logarithmic = false;
  render::ColorMap map = render::ColorMap::Viridis;
  double share(double value) const;  ///< 0 to 1; NaN: no place in the colours
  std::vector<std::pair<double, std::string>> marks(double height, double textSize) const;
};

/// A point of the chart, in the units of its axes.
struct Spot {
  std::size_t cell = 0;  ///< of the grid
  render::Point at;
};
using Spots = std::vector<std::vector<Spot>>;  ///< by series and point

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  bool any() const { return low <= high; }
};

Extent extentOfMeans(const sweep::SweepGrid& grid) {
  Extent extent;
  for (const sweep::SweepCell& cell : grid.cells) {
    if (cell.spread.count == 0) continue;
    extent.low = std::min(extent.low, cell.spread.mean);
    extent.high = std::max(extent.high, cell.spread.mean);
  }
  return extent;
}

bool isLogarithmic(SweepScale scale, const sweep::SweepAxis& axis) {
  if (!axis.isNumber() || axis.numbers.front() <= 0) return false;
  return scale == SweepScale::Logarithmic || (scale == SweepScale::Automatic && axis.spansDecades());
}

/// The coordinate in a chart for an index of an axis.
double positionOf(const sweep::SweepAxis& axis, std::size_t place) {
  return axis.isNumber() ? axis.numbers[place] : static_cast<double>(place);
}

/// The smallest distance between neighbours on the axis' own scale.
double leastGap(const sweep::SweepAxis& axis, bool logarithmic) {
  double gap = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < axis.labels.size(); ++i) {
    const double a = positionOf(axis, i - 1), b = positionOf(axis, i);
    gap = std::min(gap, logarithmic ? std::log10(b / a) : b - a);
  }
  return gap;
}

double spanOf(const sweep::SweepAxis& axis, bool logarithmic) {
  const double a = positionOf(axis, 0), b = positionOf(axis, axis.labels.size() - 1);
  return logarithmic ? std::log10(b / a) : b - a;
}

std::string emptyWords(const sweep::SweepCell& cell) {
  if (cell.notFinite > 0) return "NaN";
  if (cell.missing > 0) return "–";
  return cell.unfinished > 0 ? "…" : "";
}
std::vector<std::string> cellWords(const SweepPicture& picture, std::size_t index) {
  const sweep::SweepGrid& grid = picture.grid;
  const sweep::SweepCell& cell = grid.cells[index];
  std::vector<std::string> lines{trFormat("{} = {}", picture.fieldName(grid.x.field), grid.x.labels[cell.x])};
  if (grid.y) lines.push_back(trFormat("{} = {}", picture.fieldName(grid.y->field), grid.y->labels[cell.y]));
  if (const std::string spread = spreadWords(cell.spread); !spread.empty())
    lines.push_back(trFormat("{}: {}", grid.metric, spread));
  if (cell.notFinite > 0) lines.push_back(trFormat("{} runs: {} is not finite", cell.notFinite, grid.metric));
  if (cell.missing > 0) lines.push_back(trFormat("{} runs have no {}", cell.missing, grid.metric));
  if (cell.unfinished > 0)
    lines.push_back(picture.filtered ? trFormat("{} of {} runs have not finished, or do not pass search and filter",
                                                cell.unfinished, cell.runs.size())
                                     : trFormat("{} of {} runs have not finished", cell.unfinished, cell.runs.size()));
  return lines;
}

/// Why the chart has no values.
std::string nothingText(const SweepPicture& picture) {
  const sweep::SweepGrid& grid = picture.grid;
  const bool missing = std::ranges::any_of(grid.cells, [](const auto& cell) { return cell.missing > 0; });
  const bool notFinite = std::ranges::any_of(grid.cells, [](const auto& cell) { return cell.notFinite > 0; });
  return notFinite          ? trFormat("{} is not finite in any finished run. Choose another metric.", grid.metric)
         : missing          ? trFormat("No finished run has {}. Choose another metric.", grid.metric)
         : picture.filtered ? std::string(tr("No finished run passes search and filter. Press Show all to clear both."))
                            : std::string(tr("No run has finished yet. The chart appears when the first one has."));
}

double Colors::share(double value) const {
  if (!std::isfinite(value) || (logarithmic && !(value > 0))) return kNaN;
  const double from = logarithmic ? std::log10(low) : low, to = logarithmic ? std::log10(high) : high;
  return to > from ? ((logarithmic ? std::log10(value) : value) - from) / (to - from) : 0.5;
}

std::vector<std::pair<double, std::string>> Colors::marks(double height, double textSize) const {
  std::vector<std::pair<double, std::string>> marks;
  if (!(high > low)) return {{0.5, formatReading(low)}};
  if (!logarithmic) {
    const Ticks ticks = fittingTicks(low, high, height, textSize, false);
    for (std::size_t i = 0; i < ticks.values.size(); ++i)
      marks.emplace_back(share(ticks.values[i]), tickLabel(ticks.values[i], ticks.step));
    return marks;
  }
  const Ticks decades = decadeTicks(std::log10(low), std::log10(high), height / (2.6 * textSize));
  for (const double at : decades.values)
    marks.emplace_back(share(std::pow(10.0, at)), formatReading(std::pow(10.0, at)));
  if (marks.size() > 1) return marks;
  marks.clear();
  const Ticks ticks = fittingTicks(std::log10(low), std::log10(high), height, textSize, false);
  for (const double at : ticks.values)
    marks.emplace_back(share(std::pow(10.0, at)), formatReading(std::pow(10.0, at)));
  return marks;
}

class ChartMaker {
 public:
  ChartMaker(std::shared_ptr<const SweepPicture> picture, std::optional<std::size_t> chosen, const render::Rect& room,
             const Theme& theme);
  ChartContent make() const;

 private:
  const sweep::SweepGrid& grid() const { return picture_->grid; }
  const SweepChoice& choice() const { return picture_->choice; }
  bool logarithmicMetric() const;
  ChartAxis fieldAxis(const sweep::SweepAxis& axis, SweepScale scale) const;
  ChartAxis metricAxis() const;
  double dodge(std::size_t line, std::size_t lines) const;
  ChartSeries series(std::size_t line, std::size_t lines, std::vector<Spot>& spots) const;
  void addLines(LineChart& chart, Spots& spots) const;
  void addPoints(LineChart& chart, Spots& spots) const;
  double mapRow(std::size_t yPlace) const;
  std::vector<render::Item> over(const PlacedChart& chart, const ViewPlace& place, const Spots& spots) const;
  void addMap(std::vector<render::Item>& items, const PlacedChart& chart, const std::vector<Spot>& spots) const;
  void addCellText(std::vector<render::Item>& items, const sweep::SweepCell& cell, const render::Rect& at) const;
  void addMark(std::vector<render::Item>& items, const PlacedChart& chart, const Spots& spots) const;
  void addBar(std::vector<render::Item>& items, const render::Rect& plot) const;

  std::shared_ptr<const SweepPicture> picture_;
  std::optional<std::size_t> chosen_;
  Theme theme_;
  double width_;
  bool low_;
  SweepKind kind_;
  Colors colors_;
};

}  // namespace

SweepKind sweepKind(const SweepPicture& picture) {
  const sweep::SweepGrid& grid = picture.grid;
  if (!grid.y) return SweepKind::Lines;
  if (picture.choice.form == SweepForm::Lines && grid.lines() <= kMostSweepLines) return SweepKind::Lines;
  const std::size_t all = grid.columns() * grid.lines();
  const bool sparse = 2 * grid.cells.size() < all;
  if ((sparse || all > kMostCells) && grid.x.isNumber() && grid.y->isNumber()) return SweepKind::Points;
  return all <= kMostCells ? SweepKind::Map : SweepKind::Lines;
}

std::string sweepTitle(const SweepPicture& picture, double width) {
  const sweep::SweepGrid& grid = picture.grid;
  std::string over;
  for (const std::string& field : grid.averaged)
    over += (over.empty() ? "" : ", ") + headOf(field);
  if (over.empty()) return grid.metric;
  if (sweepKind(picture) != SweepKind::Lines) return trFormat("{}: mean over {}", grid.metric, over);
  const std::string mean = trFormat("mean over {}", over);  // the axis names the metric
  const bool bars = width >= kBarRoom * static_cast<double>(grid.columns()) || !grid.x.isNumber();
  const std::string spread =
      picture.choice.bars == SweepBars::Range ? tr("smallest to largest") : tr("± standard deviation");
  return bars ? trFormat("{}; bars: {}", mean, spread) : trFormat("{}; band: {}", mean, spread);
}

std::string spreadWords(const sweep::Spread& spread) {
  if (spread.count == 0) return {};
  if (spread.count == 1) return trFormat("{}, one run", formatReading(spread.mean));
  return trFormat("mean {} ± {} ({} … {}), {} runs", formatReading(spread.mean), formatReading(spread.deviation()),
                  formatReading(spread.low), formatReading(spread.high), spread.count);
}

namespace {

ChartMaker::ChartMaker(std::shared_ptr<const SweepPicture> picture, std::optional<std::size_t> chosen,
                       const render::Rect& room, const Theme& theme)
    : picture_(std::move(picture)),
      chosen_(chosen),
      theme_(theme),
      width_(room.width()),
      low_(room.height() <= kLegendFrom * static_cast<double>(theme.textSize)),
      kind_(sweepKind(*picture_)) {
  const Extent means = extentOfMeans(grid());
  if (means.any()) {
    colors_.low = means.low;
    colors_.high = means.high;
  }
  colors_.logarithmic = logarithmicMetric();
  colors_.map = theme.lossMap;
}

bool ChartMaker::logarithmicMetric() const {
  const Extent means = extentOfMeans(grid());
  if (!means.any() || !(means.low > 0) || choice().metricScale == SweepScale::Linear) return false;
  return choice().metricScale == SweepScale::Logarithmic || means.high >= kMetricDecades * means.low;
}

ChartAxis ChartMaker::fieldAxis(const sweep::SweepAxis& axis, SweepScale scale) const {
  ChartAxis made;
  made.name = picture_->fieldName(axis.field);
  made.brief = headOf(made.name);
  if (!axis.isNumber() || kind_ == SweepKind::Map) {
    for (const std::string& label : axis.labels)
      made.words.push_back(axis.isNumber() ? withMinus(label) : label);
    return made;
  }
  made.logarithmic = isLogarithmic(scale, axis);
  made.pad = 0.06;
  made.narrowest = made.logarithmic ? 0.3 : 1e-9;
  // All values of the plan, so that the axis does not change while runs finish.
  if (axis.labels.size() > 1) {
    constexpr double kBeyond = 0.06;  // of the span
    const double more = kBeyond * spanOf(axis, made.logarithmic);
    made.from = made.logarithmic ? axis.numbers.front() / std::pow(10.0, more) : axis.numbers.front() - more;
    made.to = made.logarithmic ? axis.numbers.back() * std::pow(10.0, more) : axis.numbers.back() + more;
  }
  made.whole =
      !made.logarithmic && std::ranges::all_of(axis.numbers, [](double value) { return value == std::floor(value); });
  return made;
}

ChartAxis ChartMaker::metricAxis() const {
  ChartAxis made;
  made.name = grid().metric;
  made.logarithmic = logarithmicMetric();
  made.pad = 0.06;
  made.narrowest = made.logarithmic ? 0.3 : 1e-9;
  // A bar that reaches below 0 ends at the edge of a logarithmic axis.
  if (made.logarithmic) made.least = extentOfMeans(grid()).low / 3;
  return made;
}

/// The offset of a line from its x, on the axis' own scale, so that error bars do not cover each other.
double ChartMaker::dodge(std::size_t line, std::size_t lines) const {
  constexpr double kApart = 7, kShare = 0.6;  // points; share of the room between neighbours
  const double apart = grid().x.isNumber() ? kApart : 2 * kApart;
  if (lines < 2) return 0;
  const sweep::SweepAxis& axis = grid().x;
  const bool logarithmic = isLogarithmic(choice().xScale, axis);
  const double span = std::max(spanOf(axis, logarithmic), axis.isNumber() ? 0.0 : 1.0);
  double step = apart * 1.25 * span / std::max(width_, 1.0);
  if (const double gap = leastGap(axis, logarithmic); std::isfinite(gap))
    step = std::min(step, kShare * gap / static_cast<double>(lines));
  return (static_cast<double>(line) - static_cast<double>(lines - 1) / 2) * step;
}

ChartSeries ChartMaker::series(std::size_t line, std::size_t lines, std::vector<Spot>& spots) const {
  const sweep::SweepAxis& axis = grid().x;
  const bool logarithmic = isLogarithmic(choice().xScale, axis);
  ChartSeries made;
  made.look = seriesLook(theme_, line);
  constexpr render::Shape kShapes[] = {render::Shape::Circle, render::Shape::Square, render::Shape::Diamond,
                                       render::Shape::Triangle};
  made.look.marker = kShapes[line % std::size(kShapes)];
  made.look.markerGap = 0;
  made.look.markerSize = 7;
  made.look.hollow = line / std::size(kShapes) % 2 == 1;
  if (!axis.isNumber()) made.look.width = 0;  // words have no order that a line could follow
  if (lines == 1) made.look.dash = render::Dash::Solid;
  const bool close = width_ < kBarRoom * static_cast<double>(axis.labels.size());
  made.look.spread = close && axis.isNumber() ? Spread::Band : Spread::Bars;
  if (grid().y) made.name = trFormat("{} {}", headOf(picture_->fieldName(grid().y->field)), grid().y->labels[line]);
  const double aside = dodge(line, lines);
  for (std::size_t place = 0; place < axis.labels.size(); ++place) {
    const sweep::SweepCell* const cell = grid().cell(place, line);
    if (cell == nullptr || cell->spread.count == 0) continue;
    const sweep::Spread& spread = cell->spread;
    const double at = positionOf(axis, place), away = spread.deviation();
    const bool range = choice().bars == SweepBars::Range && spread.count > 1;
    made.x.push_back(logarithmic ? at * std::pow(10.0, aside) : at + aside);
    made.y.push_back(spread.mean);
    spots.push_back({static_cast<std::size_t>(cell - grid().cells.data()), {made.x.back(), spread.mean}});
    made.low.push_back(range ? spread.low : choice().bars == SweepBars::Range ? kNaN : spread.mean - away);
    made.high.push_back(range ? spread.high : choice().bars == SweepBars::Range ? kNaN : spread.mean + away);
  }
  return made;
}

void ChartMaker::addLines(LineChart& chart, Spots& spots) const {
  chart.y = metricAxis();
  chart.legend = grid().y && grid().lines() <= kMostSweepLines && !low_;
  const std::size_t lines = std::min(grid().lines(), kMostSweepLines);
  for (std::size_t line = 0; line < lines; ++line)
    chart.series.push_back(series(line, lines, spots.emplace_back()));
}

/// The row of a map, from the bottom. Numbers are ordered upwards, words downwards.
double ChartMaker::mapRow(std::size_t yPlace) const {
  return static_cast<double>(grid().y->isNumber() ? yPlace : grid().lines() - 1 - yPlace);
}

/// Adds the points of the chart. Also used for a map, whose cells are then drawn over the chart.
void ChartMaker::addPoints(LineChart& chart, Spots& spots) const {
  const bool map = kind_ == SweepKind::Map;
  chart.y = fieldAxis(*grid().y, choice().yScale);
  if (map && !grid().y->isNumber()) std::ranges::reverse(chart.y.words);
  ChartSeries all;
  all.look.width = 0;
  std::vector<Spot>& cells = spots.emplace_back();
  for (std::size_t i = 0; i < grid().cells.size(); ++i) {
    const sweep::SweepCell& cell = grid().cells[i];
    const render::Point at = map ? render::Point{static_cast<double>(cell.x), mapRow(cell.y)}
                                 : render::Point{grid().x.numbers[cell.x], grid().y->numbers[cell.y]};
    cells.push_back({i, at});
    all.x.push_back(at.x);
    all.y.push_back(at.y);
    if (map) continue;
    const bool value = cell.spread.count > 0;
    chart.marks.push_back(
        {.at = at,
         .size = 11,
         .fill = value ? render::colorAt(colors_.map, colors_.share(cell.spread.mean)) : theme_.plotBackground,
         .edge = value ? theme_.text : theme_.textMuted,
         .edgeWidth = 1});
  }
  chart.series.push_back(std::move(all));
}

/// The rectangle of a cell of a map, in page coordinates.
render::Rect cellBox(const PlacedChart& chart, render::Point at) {
  const render::Point a = chart.page({at.x - 0.5, at.y + 0.5}), b = chart.page({at.x + 0.5, at.y - 0.5});
  return {a, b};
}

void ChartMaker::addCellText(std::vector<render::Item>& items, const sweep::SweepCell& cell,
                             const render::Rect& at) const {
  const double size = theme_.smallSize, width = at.width() - 6;
  const bool value = cell.spread.count > 0;
  const std::string mean = value ? formatReading(cell.spread.mean) : emptyWords(cell);
  if (mean.empty() || textWidth(mean, size) > width) return;
  const render::Color ink =
      value ? textColorOn(render::colorAt(colors_.map, colors_.share(cell.spread.mean))) : theme_.textMuted;
  const render::Point middle{(at.min.x + at.max.x) / 2, (at.min.y + at.max.y) / 2};
  const std::string away = cell.spread.count > 1 ? "± " + formatReading(cell.spread.deviation()) : "";
  const bool both = !away.empty() && at.height() > 3 * size && textWidth(away, 0.85 * size) <= width;
  items.push_back(
      textAt({middle.x, middle.y - (both ? 0.6 * size : 0)}, mean, theme_.smallSize, ink, render::AlignX::Center));
  if (both)
    items.push_back(
        textAt({middle.x, middle.y + 0.7 * size}, away, 0.85f * theme_.smallSize, ink, render::AlignX::Center));
}

void ChartMaker::addMap(std::vector<render::Item>& items, const PlacedChart& chart,
                        const std::vector<Spot>& spots) const {
  const render::Rect& plot = chart.camera().plot;
  const std::size_t columns = grid().columns(), lines = grid().lines();
  auto shares = std::make_shared<std::vector<float>>(columns * lines, std::nanf(""));
  for (const Spot& spot : spots) {
    const sweep::SweepCell& cell = grid().cells[spot.cell];
    const std::size_t row = lines - 1 - static_cast<std::size_t>(spot.at.y);
    if (cell.spread.count > 0)
      (*shares)[row * columns + cell.x] = static_cast<float>(std::clamp(colors_.share(cell.spread.mean), 0.0, 1.0));
  }
  items.push_back(pageFill(plot, theme_.plotBackground));
  items.push_back(render::Heatmap{.extent = flipped(plot),
                                  .width = static_cast<int>(columns),
                                  .height = static_cast<int>(lines),
                                  .values = std::move(shares),
                                  .map = colors_.map,
                                  .low = 0,
                                  .high = 1,
                                  .smooth = false});
  const double width = plot.width() / static_cast<double>(columns), height = plot.height() / static_cast<double>(lines);
  const render::Color line = faded(theme_.plotBackground, 0.5f);
  for (std::size_t i = 1; i < columns && width > 8 && height > 8; ++i) {
    const double x = plot.min.x + static_cast<double>(i) * width;
    items.push_back(pageLine({x, plot.min.y}, {x, plot.max.y}, line));
  }
  for (std::size_t i = 1; i < lines && width > 8 && height > 8; ++i) {
    const double y = plot.min.y + static_cast<double>(i) * height;
    items.push_back(pageLine({plot.min.x, y}, {plot.max.x, y}, line));
  }
  if (height > 1.4 * static_cast<double>(theme_.smallSize))
    for (const Spot& spot : spots)
      addCellText(items, grid().cells[spot.cell], cellBox(chart, spot.at));
  items.push_back(pageFrameLine(plot, theme_.border));
}

/// Marks the chosen cell. The frame in a map has two colours, one of which is visible on any background.
void ChartMaker::addMark(std::vector<render::Item>& items, const PlacedChart& chart, const Spots& spots) const {
  for (const std::vector<Spot>& of : spots)
    for (const Spot& spot : of) {
      if (spot.cell != chosen_) continue;
      if (kind_ == SweepKind::Map) {
        items.push_back(pageFrameLine(cellBox(chart, spot.at), theme_.plotBackground, 5));
        items.push_back(pageFrameLine(cellBox(chart, spot.at), theme_.text, 2));
      } else if (const render::Point page = chart.page(spot.at); std::isfinite(page.x) && std::isfinite(page.y)) {
        addRing(items, page, 15, theme_);
      }
    }
}

void ChartMaker::addBar(std::vector<render::Item>& items, const render::Rect& plot) const {
  if (!grid().hasValues()) return;
  const double left = plot.max.x + 1.5 * theme_.space;
  ColorBar bar{{{left, plot.min.y}, {left + theme_.smallSize, plot.max.y}}, colors_.map};
  bar.marks = colors_.marks(plot.height(), theme_.smallSize);
  addColorBar(items, Camera{flipped(plot), plot}, bar, theme_);
}

std::vector<render::Item> ChartMaker::over(const PlacedChart& chart, const ViewPlace& place, const Spots& spots) const {
  std::vector<render::Item> items;
  const render::Rect& plot = chart.camera().plot;
  if (kind_ == SweepKind::Map) addMap(items, chart, spots.front());
  if (kind_ != SweepKind::Lines) addBar(items, plot);
  if (chosen_ && !place.figure) addMark(items, chart, spots);
  if (!grid().hasValues()) addSentence(items, plot, nothingText(*picture_), theme_);
  return items;
}

ChartContent ChartMaker::make() const {
  ChartContent content;
  Spots made;
  content.chart.title = sweepTitle(*picture_, width_);
  content.chart.x = fieldAxis(grid().x, choice().xScale);
  if (kind_ == SweepKind::Lines)
    addLines(content.chart, made);
  else
    addPoints(content.chart, made);
  const bool map = kind_ == SweepKind::Map;
  const auto spots = std::make_shared<const Spots>(std::move(made));
  const auto spotAt = [spots, map](render::Point at, const ChartHit& hit) -> const Spot* {
    const Spot& spot = (*spots)[hit.series][hit.point];
    const bool inside = std::abs(at.x - spot.at.x) <= 0.5 && std::abs(at.y - spot.at.y) <= 0.5;
    return !map || inside ? &spot : nullptr;
  };
  content.over = {Digest().add(picture_, chosen_, colors_.map).value(),
                  [maker = *this, spots](const PlacedChart& chart, const ViewPlace& place) {
                    return maker.over(chart, place, *spots);
                  }};
  content.reach = map ? HUGE_VAL : kPointReach;
  content.spot = [picture = picture_, spotAt, map](render::Point at, const ChartHit* hit) -> std::optional<ChartSpot> {
    const Spot* const spot = hit ? spotAt(at, *hit) : nullptr;
    if (!spot) return std::nullopt;
    ChartSpot chartSpot{cellWords(*picture, spot->cell)};
    if (map)
      chartSpot.framed = render::Rect{{spot->at.x - 0.5, spot->at.y - 0.5}, {spot->at.x + 0.5, spot->at.y + 0.5}};
    else
      chartSpot.ringed = spot->at;
    return chartSpot;
  };
  content.target = [spotAt](render::Point at, const ChartHit& hit) {
    const Spot* const spot = spotAt(at, hit);
    return spot ? std::optional(spot->cell) : std::nullopt;
  };
  return content;
}

}  // namespace

ChartContent sweepChart(const std::shared_ptr<const SweepPicture>& picture, std::optional<std::size_t> chosen,
                        const render::Rect& room, const Theme& theme) {
  return ChartMaker(picture, chosen, room, theme).make();
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// How the chart of a sweep is laid out, and what lies under the pointer; sweep_draw.cpp draws it.
#include "ui/exhibits/training/library/sweep_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/render/color_map.h"
#include "ui/canvas/page_draw.h"
#include "ui/exhibits/training/library/library_view.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kMetricDecades = 20;      // largest over smallest mean: from there on the axis is logarithmic
constexpr std::size_t kMostCells = 90000;  // of a map
constexpr double kLegendFrom = 12;         // sizes of the text: the least height of a chart with a legend
constexpr double kPointReach = 24;         // points
constexpr double kBarRoom = 9;             // points between neighbours that error bars need

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

/// Where a place of an axis stands in a chart.
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

}  // namespace

double SweepColors::share(double value) const {
  if (!std::isfinite(value) || (logarithmic && !(value > 0))) return kNaN;
  const double from = logarithmic ? std::log10(low) : low, to = logarithmic ? std::log10(high) : high;
  return to > from ? ((logarithmic ? std::log10(value) : value) - from) / (to - from) : 0.5;
}

std::vector<std::pair<double, std::string>> SweepColors::marks(double height, double textSize) const {
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

SweepChart::Kind SweepChart::kindOf(const SweepPicture& picture) {
  const sweep::SweepGrid& grid = picture.grid;
  if (!grid.y) return Kind::Lines;
  if (picture.choice.form == SweepForm::Lines && grid.lines() <= kMostSweepLines) return Kind::Lines;
  const std::size_t all = grid.columns() * grid.lines();
  const bool sparse = 2 * grid.cells.size() < all;
  if ((sparse || all > kMostCells) && grid.x.isNumber() && grid.y->isNumber()) return Kind::Points;
  return all <= kMostCells ? Kind::Map : Kind::Lines;
}

SweepChart::SweepChart(std::shared_ptr<const SweepPicture> picture, const render::Rect& box, const Theme& theme)
    : picture_(std::move(picture)), theme_(theme), kind_(kindOf(*picture_)), box_(box) {
  const Extent means = extentOfMeans(grid());
  if (means.any()) {
    colors_.low = means.low;
    colors_.high = means.high;
  }
  colors_.logarithmic = logarithmicMetric();
  colors_.map = theme.lossMap;
  if (kind_ == Kind::Lines) placeLines(box);
  if (kind_ == Kind::Points) placePoints(box);
  if (kind_ == Kind::Map) placeMap(box);
}

const render::Rect& SweepChart::plot() const {
  return chart_ ? chart_->camera().plot : map_.plot;
}

bool SweepChart::logarithmicMetric() const {
  const Extent means = extentOfMeans(grid());
  if (!means.any() || !(means.low > 0) || choice().metricScale == SweepScale::Linear) return false;
  return choice().metricScale == SweepScale::Logarithmic || means.high >= kMetricDecades * means.low;
}

ChartAxis SweepChart::fieldAxis(const sweep::SweepAxis& axis, SweepScale scale) const {
  ChartAxis made;
  made.name = axis.isNumber() ? picture_->fieldName(axis.field) : std::string();  // else below the words
  made.logarithmic = isLogarithmic(scale, axis);
  made.pad = 0.06;
  made.narrowest = made.logarithmic ? 0.3 : 1e-9;
  // All of the plan's values, so that the axis stays while runs finish.
  if (axis.labels.size() > 1 && axis.isNumber()) {
    constexpr double kBeyond = 0.06;  // of the span
    const double more = kBeyond * spanOf(axis, made.logarithmic);
    made.from = made.logarithmic ? axis.numbers.front() / std::pow(10.0, more) : axis.numbers.front() - more;
    made.to = made.logarithmic ? axis.numbers.back() * std::pow(10.0, more) : axis.numbers.back() + more;
  }
  made.whole = !made.logarithmic && axis.isNumber() &&
               std::ranges::all_of(axis.numbers, [](double value) { return value == std::floor(value); });
  if (!axis.isNumber()) {
    made.bare = true;
    made.pad = 0;
    made.from = -0.5;
    made.to = static_cast<double>(axis.labels.size()) - 0.5;
  }
  return made;
}

ChartAxis SweepChart::metricAxis() const {
  ChartAxis made;
  made.name = grid().metric;
  made.logarithmic = logarithmicMetric();
  made.pad = 0.06;
  made.narrowest = made.logarithmic ? 0.3 : 1e-9;
  // A bar that reaches below 0 ends at the edge of a logarithmic axis.
  if (made.logarithmic) made.least = extentOfMeans(grid()).low / 3;
  return made;
}

/// How far a line stands beside its x, on the axis' own scale, so that error bars do not cover each other.
double SweepChart::dodge(std::size_t line, std::size_t lines) const {
  constexpr double kApart = 7, kShare = 0.6;  // points; of the room between neighbours
  const double apart = grid().x.isNumber() ? kApart : 2 * kApart;
  if (lines < 2) return 0;
  const sweep::SweepAxis& axis = grid().x;
  const bool logarithmic = isLogarithmic(choice().xScale, axis);
  const double span = std::max(spanOf(axis, logarithmic), axis.isNumber() ? 0.0 : 1.0);
  double step = apart * 1.25 * span / std::max(box_.width(), 1.0);
  if (const double gap = leastGap(axis, logarithmic); std::isfinite(gap))
    step = std::min(step, kShare * gap / static_cast<double>(lines));
  return (static_cast<double>(line) - static_cast<double>(lines - 1) / 2) * step;
}

ChartSeries SweepChart::series(std::size_t line, std::size_t lines) const {
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
  const bool close = box_.width() < kBarRoom * static_cast<double>(axis.labels.size());
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
    made.low.push_back(range ? spread.low : choice().bars == SweepBars::Range ? kNaN : spread.mean - away);
    made.high.push_back(range ? spread.high : choice().bars == SweepBars::Range ? kNaN : spread.mean + away);
  }
  return made;
}

void SweepChart::placeLines(const render::Rect& box) {
  LineChart chart;
  chart.title = title();
  chart.compact = box.width() < 320 || box.height() < kLegendFrom * theme_.textSize;
  chart.x = fieldAxis(grid().x, choice().xScale);
  chart.y = metricAxis();
  chart.legend = grid().y && grid().lines() <= kMostSweepLines && box.height() > kLegendFrom * theme_.textSize;
  const std::size_t lines = std::min(grid().lines(), kMostSweepLines);
  for (std::size_t line = 0; line < lines; ++line) {
    chart.series.push_back(series(line, lines));
    std::vector<std::size_t>& cells = cellsOf_.emplace_back();
    for (std::size_t place = 0; place < grid().columns(); ++place)
      if (const sweep::SweepCell* const cell = grid().cell(place, line); cell && cell->spread.count > 0)
        cells.push_back(static_cast<std::size_t>(cell - grid().cells.data()));
  }
  render::Rect inner = box;
  if (!grid().x.isNumber()) inner.max.y -= 1.6 * theme_.smallSize + 1.6 * theme_.textSize;
  chart_.emplace(std::move(chart), inner, theme_);
}

void SweepChart::placePoints(const render::Rect& box) {
  LineChart chart;
  chart.title = title();
  chart.x = fieldAxis(grid().x, choice().xScale);
  chart.y = fieldAxis(*grid().y, choice().yScale);
  ChartSeries all;
  all.look.width = 0;
  std::vector<std::size_t>& cells = cellsOf_.emplace_back();
  for (std::size_t i = 0; i < grid().cells.size(); ++i) {
    const sweep::SweepCell& cell = grid().cells[i];
    const render::Point at{grid().x.numbers[cell.x], grid().y->numbers[cell.y]};
    all.x.push_back(at.x);
    all.y.push_back(at.y);
    cells.push_back(i);
    render::Marker mark;
    mark.at = at;
    mark.size = 11;
    const bool value = cell.spread.count > 0;
    mark.fill = value ? render::colorAt(colors_.map, colors_.share(cell.spread.mean)) : theme_.plotBackground;
    mark.edge = value ? theme_.text : theme_.textMuted;
    mark.edgeWidth = 1;
    chart.marks.push_back(mark);
  }
  chart.series.push_back(std::move(all));
  render::Rect inner = box;
  inner.max.x -= 7 * theme_.smallSize;
  chart_.emplace(std::move(chart), inner, theme_);
}

void SweepChart::placeMap(const render::Rect& box) {
  const sweep::SweepAxis& y = *grid().y;
  double widest = 0;
  for (const std::string& label : y.labels)
    widest = std::max(widest, textWidth(label, theme_.smallSize));
  widest = std::min(widest, 0.25 * box.width());
  render::Rect plot{
      {box.min.x + widest + 8 + 1.8 * theme_.textSize, box.min.y + 1.9 * theme_.textSize},
      {box.max.x - 7 * theme_.smallSize - theme_.space, box.max.y - 1.9 * theme_.smallSize - 1.6 * theme_.textSize}};
  plot.max.x = std::max(plot.max.x, plot.min.x + 20);
  plot.max.y = std::max(plot.max.y, plot.min.y + 20);
  map_ = wholeMatrix(plot, static_cast<int>(grid().lines()), static_cast<int>(grid().columns()));
}

/// Numbers go up, words go down.
std::size_t SweepChart::mapRow(std::size_t yPlace) const {
  return grid().y->isNumber() ? grid().lines() - 1 - yPlace : yPlace;
}

render::Rect SweepChart::cellBox(const sweep::SweepCell& cell) const {
  return map_.box({static_cast<int>(mapRow(cell.y)), static_cast<int>(cell.x)});
}

std::optional<std::size_t> SweepChart::cellAt(render::Point pointer) const {
  if (kind_ != Kind::Map) {
    const std::optional<ChartHit> hit = chart_->nearest(pointer, kPointReach);
    return hit ? std::optional(cellsOf_[hit->series][hit->point]) : std::nullopt;
  }
  const auto at = map_.cellAt(pointer);
  if (!at) return std::nullopt;
  const auto row = static_cast<std::size_t>(at->row);
  const std::size_t y = grid().y->isNumber() ? grid().lines() - 1 - row : row;
  const sweep::SweepCell* const cell = grid().cell(static_cast<std::size_t>(at->column), y);
  return cell ? std::optional(static_cast<std::size_t>(cell - grid().cells.data())) : std::nullopt;
}

std::string SweepChart::title(const SweepPicture& picture, double width) {
  const sweep::SweepGrid& grid = picture.grid;
  std::string over;
  for (const std::string& field : grid.averaged)
    over += (over.empty() ? "" : ", ") + headOf(field);
  if (over.empty()) return grid.metric;
  if (kindOf(picture) != Kind::Lines) return trFormat("{}: mean over {}", grid.metric, over);
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

std::string SweepChart::emptyWords(const sweep::SweepCell& cell) const {
  if (cell.notFinite > 0) return "NaN";
  if (cell.missing > 0) return "–";
  return cell.unfinished > 0 ? "…" : "";
}

std::vector<std::string> SweepChart::words(std::size_t index) const {
  const sweep::SweepCell& cell = grid().cells[index];
  std::vector<std::string> lines{trFormat("{} = {}", picture_->fieldName(grid().x.field), grid().x.labels[cell.x])};
  if (grid().y) lines.push_back(trFormat("{} = {}", picture_->fieldName(grid().y->field), grid().y->labels[cell.y]));
  if (const std::string spread = spreadWords(cell.spread); !spread.empty())
    lines.push_back(trFormat("{}: {}", grid().metric, spread));
  if (cell.notFinite > 0) lines.push_back(trFormat("{} runs: {} is not finite", cell.notFinite, grid().metric));
  if (cell.missing > 0) lines.push_back(trFormat("{} runs have no {}", cell.missing, grid().metric));
  if (cell.unfinished > 0)
    lines.push_back(picture_->filtered
                        ? trFormat("{} of {} runs have not finished, or do not pass search and filter", cell.unfinished,
                                   cell.runs.size())
                        : trFormat("{} of {} runs have not finished", cell.unfinished, cell.runs.size()));
  return lines;
}

}  // namespace sepx::ui

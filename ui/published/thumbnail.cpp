// SPDX-License-Identifier: Apache-2.0
// See thumbnail.h.
#include "ui/published/thumbnail.h"

#include <algorithm>
#include <any>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "engine/studies/flow_study.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/published/published_view.h"
#include "ui/published/study_charts.h"
#include "ui/views/line_chart.h"
#include "ui/views/page_kit.h"

namespace sepx::ui {

namespace {

using studies::Check;
using studies::StudyTable;
using studies::Verdict;
using Items = std::vector<render::Item>;

constexpr std::size_t kMostRows = 30, kMostColumns = 3;

void addChart(Items& items, const render::Rect& box, const studies::StudyChart& from, const Theme& theme) {
  LineChart chart = lineChart(from, theme);
  chart.title.clear();
  chart.x.bare = chart.y.bare = true;
  chart.x.name.clear();
  constexpr double kInset = 5;  // for lines and markers at the ends of the axes
  chart.plot = render::Rect{{box.min.x + kInset, box.min.y + kInset}, {box.max.x - kInset, box.max.y - kInset}};
  for (render::Item& item : PlacedChart(std::move(chart), box, theme).items())
    items.push_back(std::move(item));
}

/// The starting points of a part, in the colours of their limits.
void addCloud(Items& items, const render::Rect& box, const studies::FlowFigurePart& part, const Theme& theme) {
  const double half = 2.5 * part.sigma, scale = std::min(box.width(), box.height()) / 2 / half;
  const render::Point middle{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2};
  items.emplace_back(pageLine({box.min.x, middle.y}, {box.max.x, middle.y}, theme.border));
  items.emplace_back(pageLine({middle.x, box.min.y}, {middle.x, box.max.y}, theme.border));
  constexpr std::size_t kMost = 160;
  const std::size_t every = std::max<std::size_t>(1, part.starts.size() / kMost);
  for (std::size_t i = 0; i < part.starts.size() && i < part.ends.size(); i += every) {
    const render::Point at{middle.x + scale * part.starts[i](0), middle.y - scale * part.starts[i](1)};
    if (!box.contains(at)) continue;
    const markov::LimitKind kind = part.ends[i];
    const bool global = kind == markov::LimitKind::GlobalMin, local = kind == markov::LimitKind::LocalMin;
    const ChartLook look{.color = global  ? theme.globalMin
                                  : local ? theme.localMin
                                          : theme.saddle,
                         .marker = global ? render::Shape::Circle : render::Shape::Triangle,
                         .markerSize = 4};
    addMarker(items, at, look, false, theme);
  }
}

/// The columns of numbers that share a scale: those with the same format as the first of them.
std::vector<std::size_t> numberColumns(const StudyTable& table) {
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < table.columns.size() && columns.size() < kMostColumns; ++column) {
    const studies::Column& one = table.columns[column];
    const bool numbers = one.shown && std::ranges::any_of(table.rows, [column](const studies::Row& row) {
                           return column < row.cells.size() && row.cells[column].value.is_number_float();
                         });
    if (!numbers) continue;
    const studies::Column& first = columns.empty() ? one : table.columns[columns.front()];
    if (one.form == first.form && one.digits == first.digits) columns.push_back(column);
  }
  return columns;
}

double numberIn(const studies::Row& row, std::size_t column) {
  if (column >= row.cells.size() || !row.cells[column].value.is_number()) return std::nan("");
  return row.cells[column].value.get<double>();
}

/// One group of bars per row, starting at 0; values that the paper prints are paler. Returns false if there are no
/// numbers.
bool addBars(Items& items, const render::Rect& box, const StudyTable& table, const Theme& theme) {
  const std::vector<std::size_t> columns = numberColumns(table);
  const std::size_t rows = std::min(table.rows.size(), kMostRows);
  double least = 0, most = 0;
  for (std::size_t row = 0; row < rows; ++row)
    for (const std::size_t column : columns)
      if (const double value = numberIn(table.rows[row], column); std::isfinite(value)) {
        least = std::min(least, value);
        most = std::max(most, value);
      }
  if (!(most > least)) return false;
  const auto height = [&](double value) { return box.max.y - (value - least) / (most - least) * box.height(); };
  const double step = std::min(box.width() / static_cast<double>(rows), 9.0 * static_cast<double>(columns.size())),
               left = (box.min.x + box.max.x - step * static_cast<double>(rows)) / 2,
               bar = 0.8 * step / static_cast<double>(columns.size());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double value = numberIn(table.rows[row], columns[i]);
      if (!std::isfinite(value)) continue;
      const double x = left + step * static_cast<double>(row) + bar * static_cast<double>(i);
      const render::Color color = seriesLook(theme, i).color;
      items.emplace_back(
          pageFill({{x, std::min(height(value), height(0))}, {x + bar - 0.5, std::max(height(value), height(0))}},
                   table.rows[row].published ? faded(color, 0.5f) : color));
    }
  items.emplace_back(
      pageLine({left, height(0)}, {left + step * static_cast<double>(rows), height(0)}, theme.textMuted));
  return true;
}

/// One square per check: filled if it holds, with a cross if it does not, empty if it is not judged.
void addChecks(Items& items, const render::Rect& box, const std::vector<Check>& checks, const Theme& theme) {
  constexpr double kLargest = 16;
  std::size_t columns = 1;
  const auto side = [&] {
    const double rows = std::ceil(static_cast<double>(checks.size()) / static_cast<double>(columns));
    return std::min({box.width() / static_cast<double>(columns), box.height() / rows, kLargest});
  };
  for (double best = side(); columns < checks.size(); best = side()) {
    ++columns;
    if (side() >= best) continue;
    --columns;
    break;
  }
  const double size = side();
  const std::size_t rows = (checks.size() + columns - 1) / columns;
  const render::Point from{(box.min.x + box.max.x - size * static_cast<double>(columns)) / 2,
                           (box.min.y + box.max.y - size * static_cast<double>(rows)) / 2};
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const double x = from.x + size * static_cast<double>(i % columns),
                 y = from.y + size * static_cast<double>(i / columns);
    const render::Rect square{{x + 1, y + 1}, {x + size - 1, y + size - 1}};
    const Verdict verdict = checks[i].verdict();
    if (verdict == Verdict::Holds) items.emplace_back(pageFill(square, theme.globalMin));
    if (verdict != Verdict::Holds)
      items.emplace_back(pageFrameLine(square, verdict == Verdict::Fails ? theme.error : theme.textMuted));
    if (verdict != Verdict::Fails) continue;
    items.emplace_back(pageLine(square.min, square.max, theme.error));
    items.emplace_back(pageLine({square.min.x, square.max.y}, {square.max.x, square.min.y}, theme.error));
  }
}

// Sketches of expected results, from formulas.

void addSketchLine(Items& items, const render::Rect& box, double (*curve)(double), render::Color color,
                   render::Dash dash) {
  constexpr int kPoints = 40;
  render::Polyline line;
  line.stroke = {color, 1.5f, dash};
  line.space = render::Space::Page;
  for (int i = 0; i <= kPoints; ++i) {
    const double x = static_cast<double>(i) / kPoints;
    line.points.push_back({box.min.x + x * box.width(), box.max.y - curve(x) * box.height()});
  }
  items.emplace_back(std::move(line));
}

void addSketchLines(Items& items, const render::Rect& box, double (*first)(double), double (*second)(double),
                    const Theme& theme) {
  items.emplace_back(pageLine({box.min.x, box.max.y}, box.max, theme.border));
  items.emplace_back(pageLine(box.min, {box.min.x, box.max.y}, theme.border));
  addSketchLine(items, box, first, theme.textMuted, render::Dash::Solid);
  addSketchLine(items, box, second, theme.textMuted, render::Dash::Dashed);
}

double entryOf(int i, int j) {
  std::uint32_t h = static_cast<std::uint32_t>(i) * 374761393u + static_cast<std::uint32_t>(j) * 668265263u + 97u;
  h = (h ^ (h >> 13)) * 1274126177u;
  return static_cast<double>((h ^ (h >> 16)) & 0xffffu) / 65535;
}

/// A matrix with a few strong columns, or a symmetric one.
void addSketchMatrix(Items& items, const render::Rect& box, bool columns, const Theme& theme) {
  constexpr int kSide = 9;
  const double side = std::min(box.width(), box.height()), cell = side / kSide;
  const render::Point from{(box.min.x + box.max.x - side) / 2, (box.min.y + box.max.y - side) / 2};
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j) {
      const double strength = columns ? (j == 2 || j == 6 ? 1 : 0.3) * (0.4 + 0.6 * entryOf(i, j))
                                      : entryOf(std::min(i, j), std::max(i, j));
      items.emplace_back(pageFill({{from.x + j * cell + 0.5, from.y + i * cell + 0.5},
                                   {from.x + (j + 1) * cell - 0.5, from.y + (i + 1) * cell - 0.5}},
                                  faded(theme.textMuted, 0.15f + 0.6f * static_cast<float>(strength))));
    }
}

double rising(double x) {
  return 0.12 + 0.76 / (1 + std::exp(9 - 18 * x));
}
double flat(double x) {
  return 0.12 + 0.03 * std::sin(14 * x);
}
double falling(double x) {
  return 0.1 + 0.8 * std::exp(-5 * x);
}
double fallingLater(double x) {
  return 0.3 + 0.6 * std::exp(-3 * x);
}
double along(double x) {
  return x;
}

void addSketch(Items& items, const render::Rect& box, const studies::Study& study, const Theme& theme) {
  const std::string_view id = study.id;
  const auto of = [id](std::initializer_list<std::string_view> some) {
    return std::ranges::find(some, id) != some.end();
  };
  if (of({"attention-structure-theorem-2-3", "attention-structure-corollary-a-8", "attention-structure-table-5"}))
    return addSketchMatrix(items, box, true, theme);
  if (of({"attention-structure-theorem-2-4", "attention-structure-corollary-a-12", "attention-structure-table-4"}))
    return addSketchMatrix(items, box, false, theme);
  if (of({"reversal-proposition-4-1", "reversal-proposition-4-5", "attention-structure-proposition-a-16"}))
    return addSketchLines(items, box, along, flat, theme);
  if (study.form == studies::StudyForm::Theorem || of({"attention-structure-figure-s5", "local-to-global-figure-4"}))
    return addSketchLines(items, box, falling, fallingLater, theme);
  addSketchLines(items, box, rising, flat, theme);
}

}  // namespace

void addThumbnail(Items& items, const render::Rect& box, const studies::Study& study, const studies::StudyResult* made,
                  const Theme& theme) {
  if (made && !made->charts.empty()) return addChart(items, box, made->charts.front(), theme);
  const auto* const flow = made ? std::any_cast<studies::FlowFigure>(&made->drawn) : nullptr;
  if (flow && !flow->parts.empty()) return addCloud(items, box, flow->parts.front(), theme);
  const bool ofChecks = made && !made->pageTable();
  if (!ofChecks && addBars(items, box, publishedTable(study, made), theme)) return;
  if (made && !made->checks.empty()) return addChecks(items, box, made->checks, theme);
  addSketch(items, box, study, theme);
}

}  // namespace sepx::ui

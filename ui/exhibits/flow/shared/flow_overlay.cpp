// SPDX-License-Identifier: Apache-2.0
// See flow_overlay.h.
#include "ui/exhibits/flow/shared/flow_overlay.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "engine/core/number.h"
#include "ui/canvas/camera.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/readable.h"
#include "ui/canvas/shapes.h"
#include "ui/canvas/symbol_labels.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/properties/number_words.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

namespace overlay {

namespace {

constexpr float kBoxOpacity = 0.96f;  // readable on any background

/// Adds the swatch in front of a row's text. y: the middle of the row.
void addRowSwatch(std::vector<render::Item>& items, const LegendRow& row, double x, double y, const Theme& theme) {
  const double middle = x + kSwatchWidth / 2 - 3, half = kSwatchWidth / 2 - 4;
  const render::Rect box{{middle - half, y - 5}, {middle + half, y + 5}};
  if (row.swatch == LegendRow::Swatch::Line)
    addSwatch(items, {box.min.x, y}, box.width(), {row.color, row.dash, theme.strongLine}, theme);
  if (row.swatch == LegendRow::Swatch::Glyph)
    items.push_back(
        render::Marker{{middle, y}, row.shape, 9, row.color, theme.plotBackground, 1.0f, render::Space::Page});
  if (row.swatch != LegendRow::Swatch::Area) return;
  items.push_back(pageFill(box, row.color));
  for (int i = 0; row.hatched && i < 4; ++i) {
    const double at = box.min.x + (i + 0.25) * box.width() / 4.5;
    items.push_back(pageLine({at, box.max.y}, {std::min(box.max.x, at + 5), box.min.y}, theme.text));
  }
}

}  // namespace

render::Color boxColor(const Theme& theme) {
  render::Color color = theme.surface;
  color.a = kBoxOpacity;
  return color;
}

LegendRow areaRow(const Theme& theme, markov::LimitKind kind, bool hatched, std::string text) {
  LegendRow row{LegendRow::Swatch::Area, kindColor(theme, kind), {}, {}, hatched, std::move(text), false};
  row.color.a = std::min(1.0f, 2 * theme.basinOpacity);
  return row;
}

LegendRow lineRow(render::Color color, render::Dash dash, std::string text) {
  return {LegendRow::Swatch::Line, color, dash, {}, false, std::move(text), false};
}

LegendRow glyphRow(const Theme& theme, markov::LimitKind kind, std::string text) {
  return {LegendRow::Swatch::Glyph, kindColor(theme, kind), {}, kindShape(kind), false, std::move(text), false};
}

LegendRow textRow(std::string text, bool bold) {
  return {LegendRow::Swatch::None, {}, {}, {}, false, std::move(text), bold};
}

LegendRow disagreementRow(const Theme& theme, const std::string& text, std::size_t count, std::size_t all) {
  LegendRow row = areaRow(theme, markov::LimitKind::Undecided, false,
                          filled(filled(text, "{n}", std::to_string(count)), "{m}", std::to_string(all)));
  row.color = theme.error;
  return row;
}

std::string chance(double value) {
  std::string text = shownProbability(value, 3);
  while (text.size() > 3 && text.back() == '0' && text.rfind("0.", 0) == 0)
    text.pop_back();
  return text;
}

double rowWidth(const LegendRow& row, float size) {
  return typesetWidth(row.text, size, row.bold) + (row.swatch == LegendRow::Swatch::None ? 0 : kSwatchWidth);
}

namespace {

constexpr std::string_view kWholePercent = "\u00A0%";  // keeps "44.2 %" on one line

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

std::vector<LegendRow> wrappedRows(const std::vector<LegendRow>& rows, double room, float size) {
  std::vector<LegendRow> result;
  for (const LegendRow& row : rows) {
    const bool swatch = row.swatch != LegendRow::Swatch::None;
    LegendRow next = row;
    const double width = room - (swatch ? kSwatchWidth : 0);
    for (const std::string& line : wrapped(replaced(row.text, " %", kWholePercent), size, width)) {
      next.text = replaced(line, kWholePercent, " %");
      result.push_back(next);
      if (swatch) next.swatch = LegendRow::Swatch::Blank;
    }
  }
  return result;
}

void addRows(std::vector<render::Item>& items, const std::vector<LegendRow>& rows, render::Point corner, double right,
             float size, double lineHeight, render::Color text, const Theme& theme) {
  double y = corner.y + lineHeight / 2;
  for (const LegendRow& row : rows) {
    addRowSwatch(items, row, corner.x, y, theme);
    const double x = row.swatch == LegendRow::Swatch::None ? corner.x : corner.x + kSwatchWidth;
    render::Label label = textAt({x, y}, elided(row.text, size, right - x), size, row.muted ? theme.textMuted : text);
    label.bold = row.bold;
    items.push_back(std::move(label));
    y += lineHeight;
  }
}

void addFoldMark(std::vector<render::Item>& items, double right, double y, bool open, render::Color color) {
  constexpr double kHalf = 3.5;
  const std::vector<render::Point> down{
      {right - 2 * kHalf, y - kHalf / 2}, {right - kHalf, y + kHalf / 2}, {right, y - kHalf / 2}};
  const std::vector<render::Point> aside{
      {right - 1.5 * kHalf, y - kHalf}, {right - kHalf / 2, y}, {right - 1.5 * kHalf, y + kHalf}};
  items.push_back(render::Polyline{open ? down : aside, {color, 1.5f, render::Dash::Solid}, {}, render::Space::Page});
}

bool fits(const FlowFrame& frame, const render::Rect& box) {
  return frame.layout.plot.contains(box.min) && frame.layout.plot.contains(box.max);
}

std::string relation(const markov::Chain& chain) {
  const double sum = chain.p + chain.q;
  const char* sign = sum > 1 ? " > 1" : sum < 1 ? " < 1" : " = 1";
  // A sum that rounds to 1 without being 1 is shown with enough digits to distinguish it from 1.
  const double away = std::abs(sum - 1);
  const int digits = away == 0 || away >= 0.005 ? 2 : std::min(12, static_cast<int>(std::ceil(-std::log10(away))) + 1);
  const std::string value = formatFixed(sum, digits);
  return away == 0 ? std::string("p + q = 1") : "p + q = " + value + sign;
}

}  // namespace overlay

namespace {

constexpr float kCasing = 2.5f;      // a dark (or light) edge around lines
constexpr double kTolerance = 0.06;  // points of the page: less than a pixel at every scale that is printed

}  // namespace

render::Rect drawnWindow(const render::Rect& window) {
  const double x = 0.1 * window.width(), y = 0.1 * window.height();
  return {{window.min.x - x, window.min.y - y}, {window.max.x + x, window.max.y + y}};
}

bool nearWindow(const FlowFrame& frame, render::Point at) {
  return std::isfinite(at.x) && std::isfinite(at.y) && drawnWindow(frame.state.view).contains(at);
}

render::Label nameAt(const FlowFrame& frame, render::Point at, const std::string& name, render::Color color,
                     double away, bool above) {
  const float size = frame.theme.smallSize;
  const render::Rect& plot = frame.layout.plot;
  const render::Point page = toPage(frame.camera(), at);
  const double across = textWidth(name, size) + away + 0.5 * size, down = away + size;
  const bool left = page.x + across > plot.max.x && page.x - across > plot.min.x;
  const bool up = above ? page.y - down > plot.min.y || page.y + down > plot.max.y
                        : page.y + down > plot.max.y && page.y - down > plot.min.y;
  render::Label label = textAt(at, name, size, readable(color, frame.theme.surface, frame.theme),
                               left ? render::AlignX::Right : render::AlignX::Left);
  label.space = render::Space::Data;
  label.offset = {left ? -away : away, up ? 2 - away : away - 2};
  label.backdrop = faded(frame.theme.surface, 0.9f);
  return label;
}

void addLine(std::vector<render::Item>& items, const std::vector<render::Point>& points, const render::Stroke& stroke,
             const FlowFrame& frame, const std::vector<double>& fade) {
  const Camera camera = frame.camera();
  for (const ClippedLine& piece : clipLine(points, fade, drawnWindow(frame.state.view))) {
    std::vector<render::Point> page(piece.points.size());
    std::transform(piece.points.begin(), piece.points.end(), page.begin(),
                   [&camera](render::Point at) { return toPage(camera, at); });
    std::vector<render::Point> seen;
    std::vector<float> alphas;
    for (const std::size_t i : simplifiedPoints(page, fade.empty() ? fade : piece.values, kTolerance)) {
      seen.push_back(piece.points[i]);
      if (!fade.empty()) alphas.push_back(static_cast<float>(piece.values[i]));
    }
    // Dashed and dotted lines have a continuous casing. Without it, the colours below would show in the gaps, and the
    // line would look solid.
    const render::Color casing = faded(frame.theme.plotBackground, stroke.dash == render::Dash::Solid ? 0.6f : 0.75f);
    items.push_back(render::Polyline{seen, {casing, stroke.width + kCasing, render::Dash::Solid}, alphas});
    items.push_back(render::Polyline{std::move(seen), stroke, std::move(alphas)});
  }
}

namespace {

constexpr double kLine = 1.45, kGap = 1.5, kNarrowest = 13;  // in text sizes

LegendGrid inColumns(const std::vector<LegendRow>& rows, double width, float size, std::size_t count) {
  LegendGrid grid;
  grid.size = size;
  grid.columnWidth = (width - kGap * size * static_cast<double>(count - 1)) / static_cast<double>(count);
  std::vector<std::vector<LegendRow>> broken;
  std::size_t lines = 0;
  for (const LegendRow& row : rows) {
    broken.push_back(overlay::wrappedRows({row}, grid.columnWidth, size));
    lines += broken.back().size();
  }
  const std::size_t target = (lines + count - 1) / count;
  for (std::vector<LegendRow>& row : broken) {
    const bool next =
        grid.columns.empty() || (grid.columns.size() < count && grid.columns.back().size() + row.size() > target);
    if (next) grid.columns.emplace_back();
    std::move(row.begin(), row.end(), std::back_inserter(grid.columns.back()));
  }
  std::size_t highest = 0;
  for (const auto& column : grid.columns)
    highest = std::max(highest, column.size());
  grid.height = kLine * size * static_cast<double>(highest);
  return grid;
}

}  // namespace

LegendGrid legendGrid(const std::vector<LegendRow>& rows, double width, float size, std::size_t most) {
  LegendGrid best = inColumns(rows, width, size, 1);
  for (std::size_t count = 2; count <= most; ++count) {
    LegendGrid grid = inColumns(rows, width, size, count);
    if (grid.columnWidth < kNarrowest * size) break;
    if (grid.height < best.height) best = std::move(grid);
  }
  return best;
}

void addLegendGrid(std::vector<render::Item>& items, const LegendGrid& grid, render::Point corner, const Theme& theme) {
  for (const std::vector<LegendRow>& column : grid.columns) {
    overlay::addRows(items, column, corner, corner.x + grid.columnWidth + 1, grid.size, kLine * grid.size, theme.text,
                     theme);
    corner.x += grid.columnWidth + kGap * grid.size;
  }
}

}  // namespace sepx::ui

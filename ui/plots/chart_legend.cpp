// SPDX-License-Identifier: Apache-2.0
// Legends, and looks for series that have none of their own.
#include <algorithm>
#include <array>

#include "ui/canvas/page_draw.h"
#include "ui/plots/line_chart.h"

namespace sepx::ui {

ChartLook seriesLook(const Theme& theme, std::size_t i) {
  const std::array<render::Color, 6> colors{theme.localMin,  theme.globalMin, theme.saddle,
                                            theme.attractor, theme.localMax,  theme.textMuted};
  constexpr std::array kDashes{render::Dash::Dashed, render::Dash::Solid, render::Dash::Dotted};
  constexpr std::array kShapes{render::Shape::Circle, render::Shape::Square, render::Shape::Diamond,
                               render::Shape::Triangle};
  ChartLook look;
  look.color = colors[i % colors.size()];
  look.dash = kDashes[(i + i / colors.size()) % kDashes.size()];
  look.width = theme.lineWidth;
  // From the fourth on the dashes come again: markers here and there.
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
  if (look.spread == Spread::Bars || look.spread == Spread::Quartiles)
    items.emplace_back(pageLine({middle, left.y - kHalf - 1}, {middle, left.y + kHalf + 1}, look.color, 1.25f));
  if (look.spread == Spread::Quartiles)
    items.emplace_back(pageLine({middle - kHalf, left.y}, {middle + kHalf, left.y}, look.color, 2));
  if (look.width > 0 && look.spread != Spread::Quartiles) {
    // Of dashes two whole ones.
    const bool dashed = look.dash == render::Dash::Dashed;
    const double dash = dashed ? 0.4 * width : width;
    const render::Dash kind = dashed ? render::Dash::Solid : look.dash;
    items.emplace_back(pageLine(left, {left.x + dash, left.y}, look.color, look.width, kind));
    if (dashed)
      items.emplace_back(pageLine({left.x + width - dash, left.y}, {left.x + width, left.y}, look.color, look.width));
  }
  if (look.marker)
    items.emplace_back(render::Marker{{middle, left.y},
                                      *look.marker,
                                      look.markerSize,
                                      look.hollow ? theme.plotBackground : look.color,
                                      look.color,
                                      1.5f,
                                      render::Space::Page});
}

double addLegend(std::vector<render::Item>& items, render::Point at, double width,
                 const std::vector<LegendEntry>& entries, const Theme& theme) {
  const double size = theme.smallSize, row = 1.6 * size;
  double x = at.x, y = at.y + row / 2;
  for (const LegendEntry& entry : entries) {
    const bool small = !(entry.look.width > 0) || entry.look.spread == Spread::Quartiles;
    const double swatch = small ? 16 : 26;
    const double needed = swatch + 6 + textWidth(entry.name, size);
    if (x > at.x && x + needed > at.x + width) x = at.x, y += row;
    addSwatch(items, {x, y}, swatch, entry.look, theme);
    items.emplace_back(textAt({x + swatch + 6, y},
                              elided(entry.name, size, std::max(at.x + width - x - swatch - 6, 2 * size)),
                              theme.smallSize, theme.text));
    x += needed + 1.4 * size;
  }
  return entries.empty() ? 0 : y + row / 2 - at.y;
}

}  // namespace sepx::ui

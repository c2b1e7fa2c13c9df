// SPDX-License-Identifier: Apache-2.0
// See legend_grid.h.
#include "ui/exhibits/flow/shared/legend_grid.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sepx::ui {

namespace {

constexpr double kLine = 1.45, kGap = 1.5, kNarrowest = 13;  // sizes of the text

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

// SPDX-License-Identifier: Apache-2.0
// Rows of a legend in columns, for a figure whose plot they would hide: they stand below it or beside it. Pure.
#pragma once

#include <vector>

#include "ui/exhibits/flow/shared/flow_overlay.h"

namespace sepx::ui {

struct LegendGrid {
  std::vector<std::vector<LegendRow>> columns;
  double columnWidth = 0, height = 0;  ///< points
  float size = 0;                      ///< of the text
};

/// In as many columns of equal width, at most `most`, as make it lowest. Texts are broken; a row stays in one column.
LegendGrid legendGrid(const std::vector<LegendRow>& rows, double width, float size, std::size_t most = 4);
/// `corner`: the upper left one.
void addLegendGrid(std::vector<render::Item>& items, const LegendGrid& grid, render::Point corner, const Theme& theme);

}  // namespace sepx::ui

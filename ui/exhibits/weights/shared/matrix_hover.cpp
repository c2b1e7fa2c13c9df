// SPDX-License-Identifier: Apache-2.0
// One dot product a look: nothing of the matrix is formed.
#include "ui/exhibits/weights/shared/matrix_hover.h"

#include <cmath>
#include <limits>

namespace sepx::ui {

double entryOf(const attention::LayerFactors& factors, int row, int column) {
  double sum = 0;
  for (int h = 0; h < factors.heads; ++h)
    sum += factors.query(h).row(row).dot(factors.key(h).row(column));
  return sum;
}

double entryOf(const attention::LayerFactors& factors, attention::Part part, int row, int column) {
  const double here = entryOf(factors, row, column);
  if (part == attention::Part::Full) return here;
  const double across = entryOf(factors, column, row);
  return part == attention::Part::Symmetric ? (here + across) / 2 : (here - across) / 2;
}

std::optional<MatrixHover> hoverAt(const WeightsShared& shared, const MatrixLayout& layout,
                                   const MatrixResults& results, std::optional<render::Point> pointer) {
  const std::shared_ptr<const attention::LayerFactors>& factors = results.factors();
  if (!pointer || !factors || layout.panes.empty()) return std::nullopt;
  if (factors != shared.factors) return std::nullopt;  // the picture is of the layer before
  const MatrixPane* const pane = layout.at(*pointer);
  if (!pane) return std::nullopt;
  const std::optional<MatrixCell> cell = layout.in(*pane).cellAt(*pointer);
  if (!cell || cell->row >= factors->rows() || cell->column >= factors->columns()) return std::nullopt;
  MatrixHover hover;
  hover.place = *cell;
  const auto stored = [](const std::vector<int>& order, int place) {
    return static_cast<std::size_t>(place) < order.size() ? order[static_cast<std::size_t>(place)] : place;
  };
  hover.row = stored(results.rowOrder(), cell->row);
  hover.column = stored(results.columnOrder(), cell->column);
  hover.part = pane->part;
  hover.value = entryOf(*factors, pane->part, hover.row, hover.column);
  hover.rowNorm = hover.columnNorm = std::numeric_limits<double>::quiet_NaN();
  const std::shared_ptr<const attention::Moments>& moments = shared.moments;
  if (moments && hover.row < moments->rowNorms.size() && hover.column < moments->columnNorms.size()) {
    hover.rowNorm = moments->rowNorms[hover.row];
    hover.columnNorm = moments->columnNorms[hover.column];
    hover.rowOutlier = hover.rowNorm > shared.parts.rows.threshold;
    hover.columnOutlier = hover.columnNorm > shared.parts.columns.threshold;
  }
  return hover;
}

}  // namespace sepx::ui

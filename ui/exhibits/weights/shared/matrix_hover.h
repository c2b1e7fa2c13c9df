// SPDX-License-Identifier: Apache-2.0
// What is under the pointer: row and column as stored, the exact entry in double precision from the factors, the norms
// of its row and column and whether they are outliers. Pure.
#pragma once

#include <optional>

#include "ui/exhibits/weights/shared/matrix_layout.h"
#include "ui/exhibits/weights/shared/matrix_results.h"

namespace sepx::ui {

struct MatrixHover {
  int row = 0, column = 0;  ///< of W_qk
  MatrixCell place;         ///< in the picture, by its order
  attention::Part part = attention::Part::Full;
  double value = 0;
  double rowNorm = 0, columnNorm = 0;  ///< of W_qk; NaN: not yet
  bool rowOutlier = false, columnOutlier = false;
  bool operator==(const MatrixHover&) const = default;
};

/// sum over heads of W_Q^h[row] . W_K^h[column]
double entryOf(const attention::LayerFactors& factors, int row, int column);
/// The same of a part: (M_ij +- M_ji) / 2.
double entryOf(const attention::LayerFactors& factors, attention::Part part, int row, int column);

std::optional<MatrixHover> hoverAt(const WeightsShared& shared, const MatrixLayout& layout,
                                   const MatrixResults& results, std::optional<render::Point> pointer);

}  // namespace sepx::ui

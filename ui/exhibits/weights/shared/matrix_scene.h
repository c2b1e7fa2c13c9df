// SPDX-License-Identifier: Apache-2.0
// The matrix page as items of a scene: every layer is made by a pure function of a MatrixFrame.
#pragma once

#include <optional>
#include <vector>

#include "engine/attention/survival.h"
#include "ui/exhibits/weights/shared/matrix_layout.h"
#include "ui/exhibits/weights/shared/matrix_results.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"

namespace sepx::ui {

/// What is under the pointer: row and column as stored, the exact entry in double precision from the factors, the norms
/// of its row and column and whether they are outliers.
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

struct MatrixFrame {
  const PageFrame& page;
  const MatrixLayout& layout;
  const MatrixResults& results;
  const MatrixScale& scale;
  std::optional<MatrixHover> hover;
  std::optional<Side> held;  ///< the threshold that is dragged or under the pointer
};

/// The largest norm of the two sides: rows and columns have one scale, so that their bars compare.
double largestNorm(const WeightsShared& shared);
/// Where a value stands on the value axis of the colour scale, page y, and back.
double valueToPage(const render::Rect& bar, const MatrixScale& scale, double value);
double pageToValue(const render::Rect& bar, const MatrixScale& scale, double y);

/// The picture is of the layer or head before.
bool isStale(const MatrixFrame& frame);
std::vector<render::Item> pictureItems(const MatrixFrame& frame);
/// Covers what three panes draw beyond their plots.
std::vector<render::Item> maskItems(const MatrixFrame& frame);
std::vector<render::Item> cellItems(const MatrixFrame& frame);
std::vector<render::Item> matrixAxisItems(const MatrixFrame& frame);
std::vector<render::Item> marginItems(const MatrixFrame& frame);
/// The colours of the scale, which are placed in data coordinates; what stands beside them is.
std::vector<render::Item> rampItems(const MatrixFrame& frame);
std::vector<render::Item> scaleItems(const MatrixFrame& frame);
std::vector<render::Item> minimapItems(const MatrixFrame& frame);
std::vector<render::Item> survivalItems(const MatrixFrame& frame, const attention::Survival& rows,
                                        const attention::Survival& columns);
std::vector<render::Item> hoverItems(const MatrixFrame& frame);

/// Whether cells are large enough that their values are printed.
bool printsValues(const MatrixFrame& frame);

}  // namespace sepx::ui

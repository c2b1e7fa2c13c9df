// SPDX-License-Identifier: Apache-2.0
// The matrix page as items of a scene: every layer is made by a pure function of a MatrixFrame.
#pragma once

#include <optional>
#include <vector>

#include "engine/attention/survival.h"
#include "ui/exhibits/weights/shared/matrix_hover.h"
#include "ui/exhibits/weights/shared/matrix_layout.h"
#include "ui/exhibits/weights/shared/matrix_results.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"

namespace sepx::ui {

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

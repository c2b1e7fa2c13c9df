// SPDX-License-Identifier: Apache-2.0
// Norms of the rows and columns of a matrix as bars at the edges of its plot, with a threshold over each side that can
// be dragged. Frame thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ui/views/matrix_view.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// What its functions refer to outlives the views of a frame; they answer of now, also while a threshold is dragged.
struct MatrixMargins {
  std::uint64_t of = 0;  ///< digest of norms and thresholds
  MatrixPlot plot;
  render::Rect rows, columns;  ///< page: at the left of the plot, above it
  double largest = 1;          ///< norm at the far end of both
  std::function<double(Side side, std::size_t place)> norm;
  std::function<double(Side side)> threshold;      ///< not finite: there is none
  std::function<std::string(Side side)> heldText;  ///< said of one that is dragged or under the pointer
  /// A document in which the threshold of a side is as near to this as it can be. `coarse`: Shift is held.
  std::function<Document(const Document& document, Side side, double threshold, bool coarse)> with;
};

PictureContent marginsContent(const MatrixMargins& margins);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Norms of the rows and columns of a matrix as bars at the edges of its plot, with a draggable threshold on each side.
// Frame thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ui/views/matrix_view.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// What the functions refer to must outlive the views of a frame. They return current values, also while a threshold is
/// dragged.
struct MatrixMargins {
  std::uint64_t of = 0;  ///< digest of norms and thresholds
  MatrixPlot plot;
  render::Rect rows, columns;  ///< page: left of the plot, above the plot
  double largest = 1;          ///< norm at the far end of both boxes
  std::function<double(Side side, std::size_t place)> norm;
  std::function<double(Side side)> threshold;      ///< not finite: there is none
  std::function<std::string(Side side)> heldText;  ///< text for a threshold that is dragged or under the pointer
  /// The document with the threshold of a side as near to `threshold` as possible. `coarse`: Shift is held.
  std::function<Document(const Document& document, Side side, double threshold, bool coarse)> with;
};

PictureContent marginsContent(const MatrixMargins& margins);

}  // namespace sepx::ui

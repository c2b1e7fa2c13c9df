// SPDX-License-Identifier: Apache-2.0
// Where the parts of the matrix page are: one plot or three of one shape with norms at the margins, the colour scale,
// and a column at the right, a free corner or a row below for notes, minimap and curves. Small areas lose the last ones
// first. Pure; lengths are points of the page.
#pragma once

#include <optional>

#include "ui/exhibits/weights/shared/weights_page_kit.h"

namespace sepx::ui {

struct MatrixLayout {
  MatrixPanes panes;                        ///< without their pictures
  std::optional<render::Rect> columnNorms;  ///< above the first plot
  std::optional<render::Rect> rowNorms;     ///< at its left
  std::optional<render::Rect> scale;        ///< the view of the colour scale
  bool histogram = false;                   ///< it has room for one
  std::optional<render::Rect> notes, minimap, survival, spectrum;
  const render::Rect& norms(Side side) const { return side == Side::Rows ? *rowNorms : *columnNorms; }
};

/// Of the chosen layer; there must be one.
MatrixLayout layoutMatrix(const PageFrame& frame);

}  // namespace sepx::ui

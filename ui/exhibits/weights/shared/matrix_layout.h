// SPDX-License-Identifier: Apache-2.0
// Where the parts of the matrix page are: one plot or three linked ones with cells that are square, norms at the
// margins, the colour scale with the histogram, and a column (or a row below) for notes, the minimap, survival curves
// and spectrum. Three plots stand beside each other, above each other or in a square, whichever makes them largest.
// Small areas lose the last ones first. Pure.
#pragma once

#include <optional>
#include <vector>

#include "engine/attention/tiles.h"
#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/exhibits/weights/shared/weights_page.h"
#include "ui/plots/matrix_view.h"

namespace sepx::ui {

struct MatrixPane {
  render::Rect plot;
  attention::Part part = attention::Part::Full;
};

struct MatrixLayout {
  render::Rect area;
  std::vector<MatrixPane> panes;            ///< one or three; empty: no room
  render::Rect view;                        ///< which entries: x = column, y = -row
  render::Rect whole;                       ///< the same of the whole matrix
  std::optional<render::Rect> columnNorms;  ///< above the first plot
  std::optional<render::Rect> rowNorms;     ///< at its left
  std::optional<render::Rect> scale;        ///< the colour bar
  std::optional<render::Rect> histogram;    ///< beside it
  std::optional<render::Rect> notes;        ///< on the matrix
  std::optional<render::Rect> minimap;
  std::optional<render::Rect> survival, spectrum;
  /// Where the norms of a side are; there must be some.
  const render::Rect& norms(Side side) const { return side == Side::Rows ? *rowNorms : *columnNorms; }
  bool zoomed() const { return view != whole; }
  Camera camera() const { return {view, panes.front().plot}; }
  /// The pane under a point of the page; null: none.
  const MatrixPane* at(render::Point page) const;
  /// All panes show the same view.
  MatrixPlot in(const MatrixPane& pane) const { return {pane.plot, view, whole}; }
  MatrixPlot first() const { return in(panes.front()); }
  /// Whether a pane is the first of its row.
  bool leads(const MatrixPane& pane) const { return pane.plot.min.x == panes.front().plot.min.x; }
  /// How far beyond the view a picture reaches, of its size, so that moving asks for nothing new; and how much of that
  /// is left when a new one is asked for. Several panes show the view alone.
  double around() const { return panes.size() > 1 ? 0.0 : 0.5; }
  double near() const { return panes.size() > 1 ? 0.0 : 0.12; }
  double cellWidth() const { return panes.front().plot.width() / view.width(); }
  double cellHeight() const { return panes.front().plot.height() / view.height(); }
};

/// `rows`, `columns` of the matrix, at least 1.
MatrixLayout layoutMatrix(const PageFrame& frame, double rows, double columns);

}  // namespace sepx::ui

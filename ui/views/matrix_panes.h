// SPDX-License-Identifier: Apache-2.0
// Matrices of one shape beside each other that show the same rows and columns, as views: pictures, lines between cells,
// values in cells that have room, numbers at the edges. The wheel zooms at the pointer, a drag pans, a double click
// shows all rows and columns. Row i lies at y from -i - 1 to -i, column j at x from j to j + 1. Frame thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/views/board.h"
#include "ui/views/matrix_view.h"

namespace sepx::ui {

inline constexpr double kZoom = 1.25;  ///< of a notch of the wheel

struct MatrixPane {
  std::string view;        ///< the name of its view
  std::string title;       ///< above the plot; may be empty
  render::Rect plot;       ///< page
  double titleBottom = 0;  ///< page y
  attention::Part part = attention::Part::Full;
  std::vector<MatrixPicture> pictures{};  ///< bottom first, with their places on the scale
  MatrixScale scale{};
  bool stale = false;      ///< the pictures are of another matrix than the chosen one: pale
  bool nonfinite = false;  ///< entries that are not finite are hatched
};

struct MatrixPanes {
  std::vector<MatrixPane> panes{};    ///< empty: there is no room
  render::Rect seen{};                ///< entries in sight: x = column, y = -row
  render::Rect whole{};               ///< all entries, likewise
  bool values = true;                 ///< printed in cells that have room
  std::string rowAxis, columnAxis{};  ///< empty: no numbers at the edges
  double rowEdge = 0;                 ///< page x left of which the first plot's row numbers stand
  /// Lines about a cell under the pointer; empty: nothing is said.
  std::function<std::vector<std::string>(const MatrixPane& pane, MatrixCell cell)> tip{};
  /// A document in which these are in sight; nothing: all of them. It is replaced, not undoable.
  std::function<Document(const Document& document, const std::optional<render::Rect>& seen)> with{};

  MatrixPlot in(const MatrixPane& pane) const { return {pane.plot, seen, whole}; }
  MatrixPlot first() const { return in(panes.front()); }
  bool zoomed() const { return seen != whole; }
  /// The pane under a point of the page; null: none.
  const MatrixPane* at(render::Point page) const;
  void show(Editor& editor, const std::optional<render::Rect>& entries) const {
    editor.replace(with(editor.document(), entries));
  }
  /// 1/factor of what is in sight, about a point of the page in a pane, else about the middle of the first one.
  void zoom(Editor& editor, std::optional<render::Point> about, double factor) const;
};

/// Plots of width / height `aspect` in as many rows as makes them largest, from the top left corner of `room`.
std::vector<render::Rect> largestPlots(const render::Rect& room, std::size_t count, double aspect, render::Point gap);

/// A view a pane, and the view "axes" over all of `area`.
void addPanes(Views& into, const render::Rect& area, MatrixPanes panes);

/// All of a matrix, small, with a frame around what `panes` show, which a drag moves.
PictureContent minimapOf(const MatrixPanes& panes, const MatrixPicture& overview, const MatrixScale& scale);

/// The rectangle in the page of entries that `plot` shows.
render::Rect pageBox(const MatrixPlot& plot, const render::Rect& entries);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Views of matrices of one shape, side by side, that show the same rows and columns: pictures, lines between cells,
// values in cells that have room, and numbers at the edges. The wheel zooms at the pointer, a drag pans, a double click
// shows all rows and columns. Row i lies at y from -i - 1 to -i, column j at x from j to j + 1. Frame thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/views/board.h"
#include "ui/views/matrix_view.h"

namespace sepx::ui {

inline constexpr double kZoom = 1.25;  ///< factor of one notch of the wheel

struct MatrixPane {
  std::string view;        ///< the name of its view
  std::string title;       ///< above the plot; may be empty
  render::Rect plot;       ///< page
  double titleBottom = 0;  ///< page y
  attention::Part part = attention::Part::Full;
  std::vector<MatrixPicture> pictures{};  ///< bottom first, with MatrixPicture::places
  MatrixScale scale{};
  bool stale = false;      ///< the pictures show another matrix than the chosen one and are drawn pale
  bool nonfinite = false;  ///< NaN and infinite entries are hatched
};

struct MatrixPanes {
  std::vector<MatrixPane> panes{};    ///< empty: there is no room
  render::Rect seen{};                ///< entries in sight: x = column, y = -row
  render::Rect whole{};               ///< all entries, likewise
  bool values = true;                 ///< printed in cells that have room
  std::string rowAxis, columnAxis{};  ///< empty: no numbers at the edges
  double rowEdge = 0;                 ///< page x to the left of which the row numbers of the first plot are drawn
  /// Lines about a cell under the pointer; empty: no tip.
  std::function<std::vector<std::string>(const MatrixPane& pane, MatrixCell cell)> tip{};
  /// The document with these entries in sight; empty optional: all of them. The change is not undoable.
  std::function<Document(const Document& document, const std::optional<render::Rect>& seen)> with{};

  MatrixPlot in(const MatrixPane& pane) const { return {pane.plot, seen, whole}; }
  MatrixPlot first() const { return in(panes.front()); }
  bool zoomed() const { return seen != whole; }
  /// The pane under a point of the page; null: none.
  const MatrixPane* at(render::Point page) const;
  void show(Editor& editor, const std::optional<render::Rect>& entries) const {
    editor.replace(with(editor.document(), entries));
  }
  /// Zooms by `factor` about a point of the page if it is in a pane, else about the middle of the first pane.
  void zoom(Editor& editor, std::optional<render::Point> about, double factor) const;
};

/// Plots with width / height `aspect`, in the number of rows that makes them largest, from the top left corner of
/// `room`. None if they would be too small.
std::vector<render::Rect> largestPlots(const render::Rect& room, std::size_t count, double aspect, render::Point gap);

/// Adds one view per pane, and the view "axes" over the whole `area`.
void addPanes(Views& into, const render::Rect& area, MatrixPanes panes);

/// A small picture of the whole matrix, with a frame around what `panes` show. A drag moves the frame.
PictureContent minimapOf(const MatrixPanes& panes, const MatrixPicture& overview, const MatrixScale& scale);

/// The rectangle in the page of entries that `plot` shows.
render::Rect pageBox(const MatrixPlot& plot, const render::Rect& entries);

}  // namespace sepx::ui

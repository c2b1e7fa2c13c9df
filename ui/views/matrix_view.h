// SPDX-License-Identifier: Apache-2.0
// A matrix in a rectangle of the page, whatever it is of: which entries are in sight, which blocks of them a picture
// needs, and what is drawn of them: colours, lines between cells, entries as text, rows' and columns' numbers, norms at
// the edges, the cell under the pointer. Entries come as pictures of an attention::TileSource (factors, on CPU or GPU)
// or from a function of row and column (any dense matrix). Row i lies at y from -i - 1 to -i, column j at x from j to
// j + 1. Pure; page lengths are points.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention/histogram.h"
#include "engine/attention/tiles.h"
#include "engine/render/scene.h"
#include "ui/canvas/camera.h"
#include "ui/canvas/theme.h"
#include "ui/views/matrix_scale.h"

namespace sepx::ui {

struct MatrixCell {
  int row = 0, column = 0;
  bool operator==(const MatrixCell&) const = default;
};

/// Where a matrix is drawn.
struct MatrixPlot {
  render::Rect plot;   ///< page
  render::Rect view;   ///< which entries: x = column, y = -row
  render::Rect whole;  ///< the same of all of them
  Camera camera() const { return {view, plot}; }
  double cellWidth() const { return plot.width() / view.width(); }
  double cellHeight() const { return plot.height() / view.height(); }
  /// The cell under a point of the plot.
  std::optional<MatrixCell> cellAt(render::Point page) const;
  /// Of a cell, on the page; it may reach beyond the plot.
  render::Rect box(MatrixCell cell) const;
};

/// All entries of [rows, columns] in a rectangle.
MatrixPlot wholeMatrix(const render::Rect& plot, int rows, int columns);
/// The view nearest to `view` inside the matrix with at least two cells; nothing: the whole.
std::optional<render::Rect> boundedView(render::Rect view, const render::Rect& whole);

/// Blocks of entries as the screen shows them.
struct MatrixPicture {
  attention::Crop crop;
  int width = 0, height = 0;
  double step = 1;
  bool exact = false;                                ///< as asked for, not a coarse one
  std::shared_ptr<const std::vector<float>> values;  ///< entries; null: none yet
  std::shared_ptr<const std::vector<float>> places;  ///< the same on the colour scale
  MatrixPicture() = default;
  MatrixPicture(const attention::Crop& of, attention::Picture&& made);
  /// Data coordinates, with the last blocks as large as the others.
  render::Rect extent() const;
  /// Whether every entry of a view is in it.
  bool covers(const render::Rect& view) const;
};

/// Entries along a side of the block under a pixel: 1, 2, 3, 4, 6, 8, 12, … `scale`: pixels per point.
Eigen::Index stepFor(const MatrixPlot& plot, double scale);
/// The view with `around` of its size again at every side, in whole blocks, inside the matrix.
attention::Crop cropFor(const MatrixPlot& plot, Eigen::Index step, double around);
/// Whether all that cropFor() says is in `crop`, and `crop` in the matrix: it may have been made for a larger one.
bool holds(const attention::Crop& crop, const MatrixPlot& plot, Eigen::Index step, double around);
/// The same picture with at most `side` blocks along a side, each the one of largest modulus of those it stands for.
MatrixPicture shrunk(const MatrixPicture& picture, int side);
/// Means of blocks are smaller than extremes: a coarse picture of means takes the extremes' size, so that it does not
/// look empty until the exact one comes.
void raiseToExtremes(MatrixPicture& picture, const attention::Histogram& histogram);
/// The blocks that a view touches.
MatrixPicture cropped(const MatrixPicture& picture, const render::Rect& view);
/// Every block as several texels: viewers of files smooth between texels, and a block must stay a block.
MatrixPicture enlarged(const MatrixPicture& picture, double blockPoints);

/// The picture's places in its colours, in data coordinates.
render::Heatmap heatmapOf(const MatrixPicture& picture, const MatrixScale& scale, const Theme& theme);
/// The colours from the place `high` down to the place `low`; the extent is the caller's.
render::Heatmap rampOf(const MatrixScale& scale, double low, double high, const Theme& theme);

/// A bar of colours from left to right with what its ends stand for, `width` points in all from `left`, mid-height.
void addColorStrip(std::vector<render::Item>& items, render::Point left, double width, render::ColorMap map,
                   const std::string& low, const std::string& high, const Theme& theme);

/// Lines between cells.
void addCellGrid(std::vector<render::Item>& items, const MatrixPlot& plot, const Theme& theme);
/// What is written in a cell, and on what; an empty text is nothing.
struct CellText {
  std::string text;
  render::Color ground;
};
/// Of every cell whose middle is in the plot.
void addCellTexts(std::vector<render::Item>& items, const MatrixPlot& plot, double size,
                  const std::function<CellText(MatrixCell)>& textOf);
/// Numbers of columns below the plot and the axis' name.
void addColumnNumbers(std::vector<render::Item>& items, const MatrixPlot& plot, const std::string& name,
                      const Theme& theme);
/// Numbers of rows left of `edge` and, where `leftmost` leaves room, the axis' name.
void addRowNumbers(std::vector<render::Item>& items, const MatrixPlot& plot, double edge, double leftmost,
                   const std::string& name, const Theme& theme);
/// The edge of a cell; of a small one lines through its row and column.
void addCellMark(std::vector<render::Item>& items, const MatrixPlot& plot, MatrixCell cell, const Theme& theme);
/// Which side of a matrix norms are of.
enum class Side { Rows, Columns };

/// Where a norm ends in the box of its side: x for rows, y for columns; and back.
double normToPage(const render::Rect& box, Side side, double norm, double largest);
double pageToNorm(const render::Rect& box, Side side, render::Point page, double largest);

/// Norms as bars in `box`: at the left of the plot for rows, above it for columns. One bar a cell, or, where cells are
/// narrower than a point, one a point with the largest norm under it; norms above `threshold` stand out.
struct NormBars {
  MatrixPlot plot;
  Side side = Side::Rows;
  render::Rect box;
  std::size_t count = 0;
  std::function<double(std::size_t place)> norm;
  double threshold = 0, largest = 1;

  void add(std::vector<render::Item>& items, const Theme& theme) const;
};

/// "−0.0312": four significant digits at most, powers of ten where decimals would show nothing.
std::string entryText(double value, int significant = 4);
/// The entry as wide as a cell of `width` allows; both signs have as many decimals.
std::string cellText(double value, double width, double size);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Draws any matrix in a rectangle of the page: finds the entries in sight and the blocks that a picture needs, and
// draws colours, lines between cells, entries as text, row and column numbers, norms at the edges, and the cell under
// the pointer. Entries come as pictures of an attention::TileSource (factors, on CPU or GPU) or from a function of row
// and column (any dense matrix). Row i lies at y from -i - 1 to -i, column j at x from j to j + 1. Pure; page lengths
// are points.
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
  render::Rect view;   ///< entries in sight: x = column, y = -row
  render::Rect whole;  ///< all entries, likewise
  Camera camera() const { return {view, plot}; }
  double cellWidth() const { return plot.width() / view.width(); }
  double cellHeight() const { return plot.height() / view.height(); }
  /// The cell under a point of the plot.
  std::optional<MatrixCell> cellAt(render::Point page) const;
  /// The box of a cell on the page; it may extend beyond the plot.
  render::Rect box(MatrixCell cell) const;
};

/// A plot with all entries of [rows, columns] in a rectangle.
MatrixPlot wholeMatrix(const render::Rect& plot, int rows, int columns);
/// The view nearest to `view` that lies inside the matrix and shows at least two cells along each side; empty optional:
/// the whole matrix.
std::optional<render::Rect> boundedView(render::Rect view, const render::Rect& whole);

/// A picture of a part of the matrix: one value per block of entries.
struct MatrixPicture {
  attention::Crop crop;
  int width = 0, height = 0;
  double step = 1;
  bool exact = false;                                ///< the requested picture, not a coarse preview
  std::shared_ptr<const std::vector<float>> values;  ///< entries; null: none yet
  std::shared_ptr<const std::vector<float>> places;  ///< the same, converted with MatrixScale::place()
  MatrixPicture() = default;
  MatrixPicture(const attention::Crop& of, attention::Picture&& made);
  /// In data coordinates, with the last blocks as large as the others.
  render::Rect extent() const;
  /// Whether every entry of a view is in it.
  bool covers(const render::Rect& view) const;
};

/// Entries along a side of the block that one pixel shows: 1, 2, 3, 4, 6, 8, 12, … `scale`: pixels per point.
Eigen::Index stepFor(const MatrixPlot& plot, double scale);
/// The view extended by `around` times its size at every side, in whole blocks, inside the matrix.
attention::Crop cropFor(const MatrixPlot& plot, Eigen::Index step, double around);
/// Whether `crop` contains what cropFor() returns and lies inside the matrix; it may have been made for a larger one.
bool holds(const attention::Crop& crop, const MatrixPlot& plot, Eigen::Index step, double around);
/// The same picture reduced to at most `side` blocks along a side. Each block has the value of largest modulus, or NaN,
/// among those that it replaces.
MatrixPicture shrunk(const MatrixPicture& picture, int side);
/// Scales a coarse picture of means of blocks to the typical size of extremes. Means are smaller, and without this the
/// picture looks empty until the exact one arrives.
void raiseToExtremes(MatrixPicture& picture, const attention::Histogram& histogram);
/// The picture cropped to the blocks that a view touches.
MatrixPicture cropped(const MatrixPicture& picture, const render::Rect& view);
/// The picture with several texels per block, because image viewers interpolate between texels and the edges of a block
/// must stay sharp. `blockPoints`: size of a block on the page.
MatrixPicture enlarged(const MatrixPicture& picture, double blockPoints);

/// A heat map of the picture's places in the colours of `scale`, in data coordinates.
render::Heatmap heatmapOf(const MatrixPicture& picture, const MatrixScale& scale, const Theme& theme);
/// The colours from the place `high` down to the place `low`; the caller sets the extent.
render::Heatmap rampOf(const MatrixScale& scale, double low, double high, const Theme& theme);

/// A bar of colours from left to right with texts for its ends, `width` points in all. `left`: left end at mid-height.
void addColorStrip(std::vector<render::Item>& items, render::Point left, double width, render::ColorMap map,
                   const std::string& low, const std::string& high, const Theme& theme);

/// Lines between cells.
void addCellGrid(std::vector<render::Item>& items, const MatrixPlot& plot, const Theme& theme);
/// The text of a cell, and the colour behind it; an empty text is not drawn.
struct CellText {
  std::string text;
  render::Color ground;
};
/// Adds the text of every cell whose middle is in the plot.
void addCellTexts(std::vector<render::Item>& items, const MatrixPlot& plot, double size,
                  const std::function<CellText(MatrixCell)>& textOf);
/// Numbers of columns below the plot, and the name of the axis.
void addColumnNumbers(std::vector<render::Item>& items, const MatrixPlot& plot, const std::string& name,
                      const Theme& theme);
/// Numbers of rows left of `edge` and, if there is room right of `leftmost`, the name of the axis.
void addRowNumbers(std::vector<render::Item>& items, const MatrixPlot& plot, double edge, double leftmost,
                   const std::string& name, const Theme& theme);
/// A frame around a cell, or lines through its row and column if the cell is small.
void addCellMark(std::vector<render::Item>& items, const MatrixPlot& plot, MatrixCell cell, const Theme& theme);
/// Whether norms are those of rows or of columns.
enum class Side { Rows, Columns };

/// The position of a norm in the box of its side (x for rows, y for columns), and the inverse.
double normToPage(const render::Rect& box, Side side, double norm, double largest);
double pageToNorm(const render::Rect& box, Side side, render::Point page, double largest);

/// Norms as bars in `box`: left of the plot for rows, above it for columns. One bar per cell, or, if cells are narrower
/// than a point, one per point with the largest of its norms. Norms above `threshold` are highlighted.
struct NormBars {
  MatrixPlot plot;
  Side side = Side::Rows;
  render::Rect box;
  std::size_t count = 0;
  std::function<double(std::size_t place)> norm;
  double threshold = 0, largest = 1;

  void add(std::vector<render::Item>& items, const Theme& theme) const;
};

/// "−0.0312": at most `significant` digits; powers of ten where decimals would show nothing.
std::string entryText(double value, int significant = 4);
/// The entry with as many digits as a cell of `width` allows; both signs have the same number of decimals.
std::string cellText(double value, double width, double size);

}  // namespace sepx::ui

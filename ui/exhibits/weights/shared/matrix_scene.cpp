// SPDX-License-Identifier: Apache-2.0
// Picture, cells and axes. Row i of the matrix lies at y from -i - 1 to -i, column j at x from j to j + 1.
#include "ui/exhibits/weights/shared/matrix_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/number.h"
#include "engine/render/color_map.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kLeastCellWidth = 36, kLeastCellHeight = 15;  // points, for values in cells
constexpr double kGridFrom = 9;                                // points of a cell, for lines between cells
constexpr double kMostValues = 3000;

/// `extent` as it must be said so that it appears in `pane` where the first pane would have it.
render::Rect shifted(const MatrixFrame& frame, const MatrixPane& pane, render::Rect extent) {
  const render::Point from = frame.layout.panes.front().plot.min, to = pane.plot.min;
  const render::Point by{(to.x - from.x) / frame.layout.cellWidth(), -(to.y - from.y) / frame.layout.cellHeight()};
  return {{extent.min.x + by.x, extent.min.y + by.y}, {extent.max.x + by.x, extent.max.y + by.y}};
}

void addPicture(std::vector<render::Item>& items, const MatrixFrame& frame, const MatrixPane& pane,
                const MatrixPicture& picture) {
  if (!picture.places || picture.width == 0) return;
  const bool several = frame.layout.panes.size() > 1;
  MatrixPicture shown = several || frame.page.figure ? cropped(picture, frame.layout.view) : picture;
  if (frame.page.figure) shown = enlarged(shown, shown.step * frame.layout.cellWidth());
  if (shown.width == 0 || shown.height == 0) return;
  render::Heatmap map = heatmapOf(shown, frame.scale, frame.page.theme);
  map.extent = shifted(frame, pane, map.extent);
  if (isStale(frame)) map.opacity = 0.45f;  // of the layer before
  items.push_back(std::move(map));
}

/// Under entries that are no numbers, which the heat map leaves open: hatched in the colour of errors.
void addHatch(std::vector<render::Item>& items, const MatrixFrame& frame, const MatrixPane& pane) {
  render::LabelMap hatch;
  hatch.extent = shifted(frame, pane, frame.layout.view);
  hatch.width = hatch.height = 1;
  hatch.labels = std::make_shared<std::vector<std::uint8_t>>(1, std::uint8_t{0});
  render::Color ground = frame.page.theme.error;
  ground.a = 0.45f;
  hatch.palette = {ground};
  hatch.hatch = {1};
  items.push_back(std::move(hatch));
}

bool hasNonfinite(const MatrixFrame& frame, const MatrixPart& part) {
  return (part.histogram && part.histogram->nonfinite() > 0) ||
         (frame.page.shared.moments && frame.page.shared.moments->nonfinite > 0);
}

}  // namespace

double entryOf(const attention::LayerFactors& factors, int row, int column) {
  double sum = 0;
  for (int h = 0; h < factors.heads; ++h)
    sum += factors.query(h).row(row).dot(factors.key(h).row(column));
  return sum;
}

double entryOf(const attention::LayerFactors& factors, attention::Part part, int row, int column) {
  const double here = entryOf(factors, row, column);
  if (part == attention::Part::Full) return here;
  const double across = entryOf(factors, column, row);
  return part == attention::Part::Symmetric ? (here + across) / 2 : (here - across) / 2;
}

std::optional<MatrixHover> hoverAt(const WeightsShared& shared, const MatrixLayout& layout,
                                   const MatrixResults& results, std::optional<render::Point> pointer) {
  const std::shared_ptr<const attention::LayerFactors>& factors = results.factors();
  if (!pointer || !factors || layout.panes.empty()) return std::nullopt;
  if (factors != shared.factors) return std::nullopt;  // the picture is of the layer before
  const MatrixPane* const pane = layout.at(*pointer);
  if (!pane) return std::nullopt;
  const std::optional<MatrixCell> cell = layout.in(*pane).cellAt(*pointer);
  if (!cell || cell->row >= factors->rows() || cell->column >= factors->columns()) return std::nullopt;
  MatrixHover hover;
  hover.place = *cell;
  const auto stored = [](const std::vector<int>& order, int place) {
    return static_cast<std::size_t>(place) < order.size() ? order[static_cast<std::size_t>(place)] : place;
  };
  hover.row = stored(results.rowOrder(), cell->row);
  hover.column = stored(results.columnOrder(), cell->column);
  hover.part = pane->part;
  hover.value = entryOf(*factors, pane->part, hover.row, hover.column);
  hover.rowNorm = hover.columnNorm = std::numeric_limits<double>::quiet_NaN();
  const std::shared_ptr<const attention::Moments>& moments = shared.moments;
  if (moments && hover.row < moments->rowNorms.size() && hover.column < moments->columnNorms.size()) {
    hover.rowNorm = moments->rowNorms[hover.row];
    hover.columnNorm = moments->columnNorms[hover.column];
    hover.rowOutlier = hover.rowNorm > shared.parts.rows.threshold;
    hover.columnOutlier = hover.columnNorm > shared.parts.columns.threshold;
  }
  return hover;
}

bool isStale(const MatrixFrame& frame) {
  return frame.results.factors() != frame.page.shared.factors;
}

std::vector<render::Item> pictureItems(const MatrixFrame& frame) {
  std::vector<render::Item> items;
  for (const MatrixPane& pane : frame.layout.panes) {
    const MatrixPart* const part = frame.results.part(pane.part);
    if (!part) continue;
    if (hasNonfinite(frame, *part)) addHatch(items, frame, pane);
    // What is not there yet shows coarse; a NaN of the picture must not show the overview's blocks.
    if (!part->picture.covers(frame.layout.view)) addPicture(items, frame, pane, part->overview);
    addPicture(items, frame, pane, part->picture);
  }
  return items;
}

std::vector<render::Item> maskItems(const MatrixFrame& frame) {
  std::vector<render::Item> items;
  if (frame.layout.panes.size() < 2) return items;
  // Row by row; between two rows each covers half.
  render::Rect band = frame.layout.area;
  std::vector<render::Rect> plots;
  for (const MatrixPane& pane : frame.layout.panes) {
    if (!plots.empty() && frame.layout.leads(pane)) {
      band.max.y = (plots.back().max.y + pane.plot.min.y) / 2;
      addCovers(items, band, plots, frame.page.theme.plotBackground);
      band = {{band.min.x, band.max.y}, frame.layout.area.max};
      plots.clear();
    }
    plots.push_back(pane.plot);
  }
  addCovers(items, band, plots, frame.page.theme.plotBackground);
  return items;
}

bool printsValues(const MatrixFrame& frame) {
  const MatrixLayout& layout = frame.layout;
  return frame.page.shared.state.values && layout.cellWidth() >= kLeastCellWidth &&
         layout.cellHeight() >= kLeastCellHeight &&
         layout.view.width() * layout.view.height() * double(layout.panes.size()) < kMostValues;
}

namespace {

void addValues(std::vector<render::Item>& items, const MatrixFrame& frame, const MatrixPane& pane) {
  const MatrixPart* const part = frame.results.part(pane.part);
  if (!part || !part->picture.values || part->picture.step != 1) return;
  const MatrixPicture& picture = part->picture;
  const Theme& theme = frame.page.theme;
  const double width = frame.layout.cellWidth();
  const double size =
      std::min({double(theme.textSize), 0.62 * frame.layout.cellHeight(), (width - 6) / textWidth("−0.000", 1)});
  addCellTexts(items, frame.layout.in(pane), size, [&](MatrixCell cell) -> CellText {
    const Eigen::Index row = cell.row - picture.crop.row0, column = cell.column - picture.crop.column0;
    if (row < 0 || column < 0 || row >= picture.height || column >= picture.width) return {};
    const float value = (*picture.values)[static_cast<std::size_t>(row * picture.width + column)];
    return {cellText(value, width, size),
            std::isfinite(value) ? frame.scale.color(value, theme) : theme.plotBackground};
  });
}

}  // namespace

std::vector<render::Item> cellItems(const MatrixFrame& frame) {
  std::vector<render::Item> items;
  for (const MatrixPane& pane : frame.layout.panes) {
    if (frame.layout.cellWidth() >= kGridFrom && frame.layout.cellHeight() >= kGridFrom)
      addCellGrid(items, frame.layout.in(pane), frame.page.theme);
    if (printsValues(frame)) addValues(items, frame, pane);
  }
  return items;
}

namespace {

const char* axisName(bool rows, WeightsOrder order) {
  const bool sorted =
      order == WeightsOrder::BothNorms || order == (rows ? WeightsOrder::RowNorm : WeightsOrder::ColumnNorm);
  if (rows) return sorted ? tr("rows by norm (query)") : tr("row (query)");
  return sorted ? tr("columns by norm (key)") : tr("column (key)");
}

const char* partName(attention::Part part) {
  if (part == attention::Part::Symmetric) return tr("symmetric part");
  return part == attention::Part::Skew ? tr("skew part") : tr("W_qk");
}

}  // namespace

std::vector<render::Item> matrixAxisItems(const MatrixFrame& frame) {
  std::vector<render::Item> items;
  const Theme& theme = frame.page.theme;
  const WeightsOrder order = frame.page.shared.state.order;
  for (const MatrixPane& pane : frame.layout.panes) {
    items.push_back(pageFrameLine(pane.plot, theme.border));
    if (frame.layout.area.height() > 160) addColumnNumbers(items, frame.layout.in(pane), axisName(false, order), theme);
    if (frame.layout.panes.size() < 2) continue;
    const bool first = &pane == &frame.layout.panes.front() && frame.layout.columnNorms;
    const double y = first ? frame.layout.columnNorms->min.y - 4 : pane.plot.min.y - 5;
    items.push_back(textAt({pane.plot.min.x, y}, elided(partName(pane.part), theme.smallSize, pane.plot.width()),
                           theme.smallSize, theme.text, render::AlignX::Left, render::AlignY::Bottom));
  }
  for (const MatrixPane& pane : frame.layout.panes) {
    if (frame.layout.area.width() <= 240 || !frame.layout.leads(pane)) continue;
    const bool first = &pane == &frame.layout.panes.front();
    const double edge = first && frame.layout.rowNorms ? frame.layout.rowNorms->min.x : pane.plot.min.x;
    addRowNumbers(items, frame.layout.in(pane), edge, frame.layout.area.min.x, axisName(true, order), theme);
  }
  return items;
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Lengths in points. The plots take what height and width allow; what is left at the right (or in a free corner)
// goes to notes, minimap and curves.
#include "ui/exhibits/weights/shared/matrix_layout.h"

#include <algorithm>
#include <cmath>

namespace sepx::ui {

namespace {

constexpr double kCurvesWidth = 270;  // points at the right, for survival curves and spectrum
constexpr double kLeastPlot = 40, kUsualText = 14;

/// Room around the plots.
struct Room {
  double left, top, right, bottom, gap;
  double between;  ///< rows of plots
};

int paneCount(const WeightsShared& shared) {
  const bool square = shared.layer && shared.layer->d_model == shared.layer->d_key;
  return square && shared.state.part == WeightsPart::Three ? 3 : 1;
}

Room roomAround(const PageFrame& frame, double unit, MatrixLayout& layout) {
  const Theme& theme = frame.theme;
  const double small = theme.smallSize;
  const bool margins =
      frame.shared.state.margins && frame.area.width() > 260 * unit && frame.area.height() > 220 * unit;
  const double margin = margins ? (frame.compact ? 26 : 46) * unit : 0;
  const bool bar = frame.area.width() > 300 * unit && frame.area.height() > 150 * unit;
  const bool histogram = bar && frame.area.width() > 460 * unit;
  Room room{};
  const double axis = frame.area.width() > 240 * unit ? 3.4 * small + 1.5 * theme.textSize : theme.space;
  room.left = axis + margin;
  const bool titles = paneCount(frame.shared) == 3;
  room.top = theme.space + margin + (titles ? 1.5 * small : 0);
  room.bottom = frame.area.height() > 160 * unit ? 1.7 * small + 1.5 * theme.textSize : theme.space;
  room.right = theme.space + (bar ? (histogram ? 11 * small : 6.8 * small) : 0);
  room.gap = 1.6 * theme.space;
  room.between = room.bottom + 1.5 * small;
  if (margins) {
    layout.columnNorms = render::Rect{{0, 0}, {0, margin}};  // heights and widths; placed later
    layout.rowNorms = render::Rect{{0, 0}, {margin, 0}};
  }
  if (bar) layout.scale = render::Rect{};
  if (histogram) layout.histogram = render::Rect{};
  return room;
}

/// Columns and rows of plots, the height of one, and what is kept free below them for curves: these go to the right
/// where the plots lose less.
struct Fit {
  int columns = 1, rows = 1;
  double height = 0, below = 0;
};

/// The arrangement with the largest plots.
Fit fitOf(const PageFrame& frame, double unit, const Room& room, double aspect) {
  const WeightsState& state = frame.shared.state;
  const double row = std::clamp(0.34 * frame.area.height(), 110 * unit, 260 * unit);
  Fit best;
  const auto look = [&](int columns, int rows) {
    const double across = frame.area.width() - room.left - room.right - (columns - 1) * room.gap;
    const double down = frame.area.height() - room.top - room.bottom - (rows - 1) * room.between;
    const auto height = [&](double width, double high) { return std::min(high / rows, width / columns / aspect); };
    Fit fit{columns, rows, height(across, down), 0};
    // In a square of three there is a free corner.
    if ((state.spectrum || state.survival) && (columns == 1 || rows == 1)) {
      const Fit right{columns, rows, height(across - kCurvesWidth * unit, down), 0};
      const Fit below{columns, rows, height(across, down - row), row};
      const Fit& with = right.height >= below.height ? right : below;
      if (with.height >= 90 * unit) fit = with;
    }
    if (fit.height > best.height) best = fit;
  };
  if (paneCount(frame.shared) == 1) {
    look(1, 1);
  } else {
    look(3, 1);
    look(2, 2);
    look(1, 3);
  }
  return best;
}

render::Rect lastOfFirstRow(const MatrixLayout& layout) {
  render::Rect last = layout.panes.front().plot;
  for (const MatrixPane& pane : layout.panes)
    if (pane.plot.min.y == last.min.y) last = pane.plot;
  return last;
}

void placeMargins(MatrixLayout& layout, const Theme& theme) {
  const render::Rect& plot = layout.panes.front().plot;
  const double gap = 4;
  if (layout.columnNorms) {
    const double height = layout.columnNorms->max.y;
    layout.columnNorms = render::Rect{{plot.min.x, plot.min.y - gap - height + 6}, {plot.max.x, plot.min.y - gap}};
    const double width = layout.rowNorms->max.x;
    layout.rowNorms = render::Rect{{plot.min.x - gap - width + 6, plot.min.y}, {plot.min.x - gap, plot.max.y}};
  }
  if (!layout.scale) return;
  const render::Rect last = lastOfFirstRow(layout);
  const double x = last.max.x + 1.4 * theme.space, thickness = 12;
  layout.scale = render::Rect{{x, last.min.y + 1.4 * theme.smallSize}, {x + thickness, last.max.y}};
  if (!layout.histogram) return;
  layout.histogram = render::Rect{{x + thickness + 3, layout.scale->min.y},
                                  {x + thickness + 3 + 4.4 * theme.smallSize, layout.scale->max.y}};
}

/// Notes, minimap and curves, from top to bottom.
void placeColumn(MatrixLayout& layout, render::Rect column, const PageFrame& frame) {
  const Theme& theme = frame.theme;
  const WeightsState& state = frame.shared.state;
  const double unit = theme.textSize / kUsualText, gap = theme.space;
  double y = column.min.y;
  const auto take = [&](double height) {
    const render::Rect box{{column.min.x, y}, {column.max.x, y + height}};
    y += height + gap;
    return box;
  };
  const int curves = (state.spectrum ? 2 : 0) + (state.survival ? 1 : 0);
  if (!frame.figure && column.height() > 120 * unit) layout.notes = take(4.2 * 1.5 * theme.smallSize);
  const double aspect = layout.whole.height() / layout.whole.width();
  const double most = curves > 0 ? 110 * unit : 170 * unit;
  const double side = std::min({column.width(), most, most / aspect});
  if (layout.zoomed() && column.max.y - y > side * aspect + (curves > 0 ? 130 * unit : 0)) {
    const render::Rect box = take(side * aspect);
    layout.minimap = render::Rect{box.min, {box.min.x + side, box.max.y}};
  }
  const double left = column.max.y - y;
  if (curves == 0 || left < 90 * unit) return;
  const double each = std::min((left - (curves - 1) * gap) / curves, 200 * unit);
  if (state.survival) layout.survival = take(each);
  if (state.spectrum && column.max.y - y > 80 * unit)
    layout.spectrum = take(std::min(2 * each + gap, column.max.y - y));
}

/// Curves in a row below the plots. Three parts of a matrix side by side leave such a row free in a large window:
/// survival curves use it also where nobody asked for them.
void placeRow(MatrixLayout& layout, const render::Rect& row, const PageFrame& frame) {
  const WeightsState& state = frame.shared.state;
  if (state.survival && state.spectrum) {
    const double third = row.width() / 3;
    layout.survival = render::Rect{row.min, {row.min.x + third - 6, row.max.y}};
    layout.spectrum = render::Rect{{row.min.x + third + 6, row.min.y}, row.max};
  } else if (state.survival) {
    layout.survival = render::Rect{row.min, {std::min(row.max.x, row.min.x + 1.8 * row.height()), row.max.y}};
  } else if (state.spectrum) {
    layout.spectrum = row;
  } else {
    layout.survival = row;
  }
}

}  // namespace

const MatrixPane* MatrixLayout::at(render::Point page) const {
  for (const MatrixPane& pane : panes)
    if (pane.plot.contains(page)) return &pane;
  return nullptr;
}

MatrixLayout layoutMatrix(const PageFrame& frame, double rows, double columns) {
  MatrixLayout layout;
  layout.area = frame.area;
  layout.whole = {{0, -rows}, {columns, 0}};
  layout.view = layout.whole;
  if (frame.shared.state.view) layout.view = boundedView(*frame.shared.state.view, layout.whole).value_or(layout.whole);
  const double unit = frame.theme.textSize / kUsualText;
  const int panes = paneCount(frame.shared);
  const Room room = roomAround(frame, unit, layout);
  const double aspect = std::clamp(columns / rows, 0.2, 5.0);
  const auto [wide, high, height, below] = fitOf(frame, unit, room, aspect);
  const double width = height * aspect;
  if (width < kLeastPlot || height < kLeastPlot / 2) return layout;
  // A file has nothing beside the picture: it stands in the middle, unless curves are beside it.
  const bool alone = !(frame.shared.state.spectrum || frame.shared.state.survival);
  const double spare = frame.area.width() - room.left - room.right - (wide - 1) * room.gap - wide * width;
  const double left = frame.area.min.x + room.left + (frame.figure && alone ? std::max(0.0, spare / 2) : 0),
               top = frame.area.min.y + room.top;
  const attention::Part parts[3] = {attention::Part::Full, attention::Part::Symmetric, attention::Part::Skew};
  const bool square = frame.shared.layer && frame.shared.layer->d_model == frame.shared.layer->d_key;
  for (int i = 0; i < panes; ++i) {
    const double x = left + i % wide * (width + room.gap), y = top + i / wide * (height + room.between);
    layout.panes.push_back(
        {{{x, y}, {x + width, y + height}}, panes == 3 ? parts[i] : frame.shared.state.shownPart(square)});
  }
  placeMargins(layout, frame.theme);
  const double edge = frame.area.max.x - 1.5 * frame.theme.space;
  const double bottom = frame.area.max.y - (below > 0 ? room.bottom + below : frame.theme.space);
  render::Rect free{{lastOfFirstRow(layout).max.x + room.right + frame.theme.space, top}, {edge, bottom}};
  if (wide > 1 && high > 1) free.min = {layout.panes[1].plot.min.x, layout.panes[2].plot.min.y};
  free.max.x = std::min(edge, free.min.x + 360 * unit);
  if (free.width() > 130 * unit) placeColumn(layout, free, frame);
  const render::Rect row{{left, layout.panes.back().plot.max.y + room.bottom},
                         {edge, frame.area.max.y - frame.theme.space}};
  const bool spareRow = alone && wide == 3 && !frame.figure && !frame.compact && row.height() >= 160 * unit;
  if (below > 0 || spareRow) placeRow(layout, row, frame);
  if (!layout.minimap && layout.zoomed() && !frame.figure && !frame.compact) {
    const double side = 0.2 * width;  // over the last picture's corner
    const render::Rect& plot = layout.panes.back().plot;
    layout.minimap =
        render::Rect{{plot.max.x - side - 8, plot.max.y - side / aspect - 8}, {plot.max.x - 8, plot.max.y - 8}};
  }
  return layout;
}

}  // namespace sepx::ui

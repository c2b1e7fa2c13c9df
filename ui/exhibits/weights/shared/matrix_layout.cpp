// SPDX-License-Identifier: Apache-2.0
// Lengths in points. The plots take what height and width allow; what is left at the right (or below, in a tall area)
// goes to read-out, minimap and curves.
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
};

int paneCount(const WeightsShared& shared) {
  const bool square = shared.layer && shared.layer->d_model == shared.layer->d_key;
  return square && shared.state.part == WeightsPart::Three ? 3 : 1;
}

attention::Part partOf(WeightsPart part) {
  if (part == WeightsPart::Symmetric) return attention::Part::Symmetric;
  return part == WeightsPart::Skew ? attention::Part::Skew : attention::Part::Full;
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
  if (margins) {
    layout.columnNorms = render::Rect{{0, 0}, {0, margin}};  // heights and widths; placed later
    layout.rowNorms = render::Rect{{0, 0}, {margin, 0}};
  }
  if (bar) layout.scale = render::Rect{};
  if (histogram) layout.histogram = render::Rect{};
  return room;
}

/// Height of the plots and what is kept free below them for curves: these go to the right where the plots lose less.
struct Heights {
  double plot = 0, below = 0;
};
Heights heightsOf(const PageFrame& frame, double unit, int panes, double aspect, double across, double down) {
  const WeightsState& state = frame.shared.state;
  const Heights alone{std::min(down, across / panes / aspect), 0};
  if (!state.spectrum && !state.survival) return alone;
  const Heights right{std::min(down, (across - kCurvesWidth * unit) / panes / aspect), 0};
  const double row = std::clamp(0.34 * frame.area.height(), 110 * unit, 260 * unit);
  const Heights below{std::min(down - row, across / panes / aspect), row};
  const Heights& best = right.plot >= below.plot ? right : below;
  return best.plot < 90 * unit ? alone : best;
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
  const render::Rect& last = layout.panes.back().plot;
  const double x = last.max.x + 1.4 * theme.space, thickness = 12;
  layout.scale = render::Rect{{x, last.min.y + 1.4 * theme.smallSize}, {x + thickness, last.max.y}};
  if (!layout.histogram) return;
  layout.histogram = render::Rect{{x + thickness + 3, layout.scale->min.y},
                                  {x + thickness + 3 + 4.4 * theme.smallSize, layout.scale->max.y}};
}

/// Read-out, minimap and curves, from top to bottom.
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
  if (!frame.figure && column.height() > 120 * unit) layout.readOut = take(6.2 * 1.5 * theme.smallSize);
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
  }
}

/// A tall area, or three panes side by side: what found no place at the right goes below.
void placeBelow(MatrixLayout& layout, const PageFrame& frame, double bottom, double taken) {
  const render::Rect& plot = layout.panes.front().plot;
  const double top = plot.max.y + bottom, height = 6.2 * 1.5 * frame.theme.smallSize;
  const double room = frame.area.max.y - frame.theme.space - top - taken;
  if (layout.readOut || frame.figure || room < height) return;
  const double right = std::min(frame.area.max.x - frame.theme.space, plot.min.x + 300);
  layout.readOut = render::Rect{{plot.min.x, top}, {right, top + height}};
  if (layout.minimap || !layout.zoomed()) return;
  const double aspect = layout.whole.width() / layout.whole.height();
  const double side = std::min({room, 220.0, (frame.area.max.x - frame.theme.space - right - 12) / aspect});
  if (side < 40) return;
  layout.minimap = render::Rect{{right + 12, top}, {right + 12 + side * aspect, top + side}};
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
  const double across = frame.area.width() - room.left - room.right - (panes - 1) * room.gap;
  const double down = frame.area.height() - room.top - room.bottom;
  const auto [height, below] = heightsOf(frame, unit, panes, aspect, across, down);
  const double width = height * aspect;
  if (width < kLeastPlot || height < kLeastPlot / 2) return layout;
  // A file has nothing beside the picture: it stands in the middle, unless curves are beside it.
  const bool alone = !(frame.shared.state.spectrum || frame.shared.state.survival);
  const double spare = across - panes * width;
  const double left = frame.area.min.x + room.left + (frame.figure && alone ? std::max(0.0, spare / 2) : 0),
               top = frame.area.min.y + room.top;
  const attention::Part parts[3] = {attention::Part::Full, attention::Part::Symmetric, attention::Part::Skew};
  const bool square = frame.shared.layer && frame.shared.layer->d_model == frame.shared.layer->d_key;
  for (int i = 0; i < panes; ++i) {
    const double x = left + i * (width + room.gap);
    const attention::Part one = !square ? attention::Part::Full : partOf(frame.shared.state.part);
    layout.panes.push_back({{{x, top}, {x + width, top + height}}, panes == 3 ? parts[i] : one});
  }
  placeMargins(layout, frame.theme);
  const double right = layout.panes.back().plot.max.x + room.right + frame.theme.space;
  const double edge = frame.area.max.x - 1.5 * frame.theme.space;
  if (edge - right > 130 * unit)
    placeColumn(layout,
                {{right, top},
                 {std::min(edge, right + 360 * unit),
                  frame.area.max.y - (below > 0 ? room.bottom + below : frame.theme.space)}},
                frame);
  if (below > 0)
    placeRow(layout, {{left, top + height + room.bottom}, {edge, frame.area.max.y - frame.theme.space}}, frame);
  placeBelow(layout, frame, room.bottom, below);
  if (!layout.minimap && layout.zoomed() && !frame.figure && !frame.compact && panes == 1) {
    const double side = 0.2 * width;  // over the picture's corner
    const render::Rect& plot = layout.panes.front().plot;
    layout.minimap =
        render::Rect{{plot.max.x - side - 8, plot.max.y - side / aspect - 8}, {plot.max.x - 8, plot.max.y - 8}};
  }
  return layout;
}

}  // namespace sepx::ui

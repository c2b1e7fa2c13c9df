// SPDX-License-Identifier: Apache-2.0
// Where the parts of the Flow picture are: plot, colour bar, the square of (p, q), and the boxes that are written over
// the plot, which make way for the points. A small picture folds its legend and keeps the plane free. Pure.
#include <algorithm>

#include "ui/exhibits/flow/flow_scene.h"

namespace sepx::ui {

namespace {

constexpr double kRoomyWidth = 620, kRoomyHeight = 420;    // of a plot that has room for everything
constexpr double kLegendWidth = 200, kLegendHeight = 120;  // below which there is no legend
constexpr double kSquareWidth = 300, kSquareHeight = 170;
constexpr double kSmallSquare = 84;  // the box around it, in a small picture
constexpr double kHandleReach = 14;  // around a handle nothing is written

bool overlap(const render::Rect& a, const render::Rect& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

void placeSquare(FlowLayout& layout, const Theme& theme) {
  const double room = kBoxInset + theme.space;
  const double side = layout.compact ? kSmallSquare - 2 * theme.space - 1.5 * theme.smallSize
                                     : std::clamp(0.2 * layout.plot.height(), 72.0, 8.5 * theme.textSize);
  const render::Point corner{layout.plot.max.x - room, layout.plot.max.y - kBoxInset - 1.5 * theme.smallSize};
  layout.square = render::Rect{{corner.x - side, corner.y - side}, corner};
  layout.squareBox =
      render::Rect{{layout.square->min.x - theme.space - 1.2 * theme.smallSize, layout.square->min.y - theme.space},
                   {corner.x + theme.space, corner.y + 1.5 * theme.smallSize}};
}

}  // namespace

FlowLayout layoutFlow(const FlowState& state, double width, double height, const Theme& theme,
                      std::optional<bool> legendOpen) {
  FlowLayout layout;
  layout.width = std::max(width, 1.0);
  layout.height = std::max(height, 1.0);
  const bool roomy = layout.width >= 480 && layout.height >= 200;
  const bool bar = state.showLoss && roomy && hasLoss(state);
  const Margins margins = axisMargins(theme, bar);
  const double left = std::min(margins.left, layout.width / 3), right = std::min(margins.right, layout.width / 4);
  const double top = std::min(margins.top, layout.height / 4), bottom = std::min(margins.bottom, layout.height / 3);
  layout.plot = {{left, top}, {layout.width - right, layout.height - bottom}};
  if (bar) {
    const double from = layout.plot.max.x + 1.5 * theme.space;
    layout.colorBar = render::Rect{{from, top + 2.4 * theme.smallSize}, {from + 14, layout.plot.max.y}};
  }
  layout.compact = layout.plot.width() < kRoomyWidth || layout.plot.height() < kRoomyHeight;
  layout.legend = layout.plot.width() >= kLegendWidth && layout.plot.height() >= kLegendHeight;
  layout.legendOpen = legendOpen.value_or(!layout.compact);
  if (state.canonical && layout.plot.width() >= kSquareWidth && layout.plot.height() >= kSquareHeight)
    placeSquare(layout, theme);
  return layout;
}

Placed placeBox(const FlowFrame& frame, double width, double height, const std::vector<Corner>& corners,
                const std::vector<render::Rect>& taken) {
  const render::Rect& plot = frame.layout.plot;
  std::optional<Placed> under;  // where a handle is under it
  for (const Corner corner : corners) {
    const bool right = corner == Corner::TopRight, lower = corner == Corner::BottomLeft;
    const double x = right ? plot.max.x - kBoxInset - width : plot.min.x + kBoxInset;
    const double y = lower ? plot.max.y - kBoxInset - height : plot.min.y + kBoxInset;
    const render::Rect box{{x, y}, {x + width, y + height}};
    if (std::any_of(taken.begin(), taken.end(), [&](const render::Rect& other) { return overlap(box, other); }))
      continue;
    const render::Rect around{{x - kHandleReach, y - kHandleReach},
                              {box.max.x + kHandleReach, box.max.y + kHandleReach}};
    const bool met = std::any_of(frame.state.points.begin(), frame.state.points.end(), [&](const FlowPoint& point) {
      const render::Point at = toPage(frame.camera(), {point.e, point.w});
      return plot.contains(at) && around.contains(at);
    });
    if (!met) return {box, false};
    if (!under) under = Placed{box, true};
  }
  const render::Point first{plot.min.x + kBoxInset, plot.min.y + kBoxInset};
  return under.value_or(Placed{{first, {first.x + width, first.y + height}}, true});
}

}  // namespace sepx::ui

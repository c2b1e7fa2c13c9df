// SPDX-License-Identifier: Apache-2.0
// The layout of the Flow picture: the plot, the colour bar and the (p, q) square beside it, and the boxes over the
// plot. In a small picture the legend is folded, so that it does not cover the plane. Pure.
#include "ui/exhibits/flow/shared/flow_layout.h"

#include "ui/exhibits/flow/shared/flow_layers.h"

#include <algorithm>

namespace sepx::ui {

namespace {

// Sizes of the plot in points, at the usual text size.
constexpr double kUsualText = 13;
constexpr double kRoomyWidth = 620, kRoomyHeight = 420;    // room for everything
constexpr double kTinyWidth = 280, kTinyHeight = 180;      // below this, the legend shows only its title
constexpr double kLegendWidth = 200, kLegendHeight = 120;  // below this, there is no legend
constexpr double kBarWidth = 380,
                 kBarHeight = 150;  // of the page; below this, the plot takes the space of the colour bar
constexpr double kSquareWidth = 480, kSquareHeight = 240;  // of the page; below this, there is no square
constexpr double kDockWidth = 560;                     // of the page; below this, there is no legend beside the plot
constexpr double kTimeWidth = 300, kTimeHeight = 300;  // of the page; below this, there is no time bar
constexpr double kTimeBar = 84;                        // its height
constexpr double kLeastBar = 70;
constexpr double kBarInset = 1, kBarThickness = 12;  // distance from the plot, in theme spaces; points
constexpr double kBarTitle = 6.2;                    // width of the bar's title, in text sizes
constexpr std::size_t kMostAvoided = 200;
constexpr double kHandleReach = 14;  // boxes keep this distance from a handle

/// The width of the column at the right of the plot, which holds the colour bar and, below it, the square, so that
/// neither covers the plane. Without the square, it only holds the bar with its numbers and its title.
double columnWidth(const FlowLayout& layout, bool square, const Theme& theme) {
  if (!square)
    return kBarInset * theme.space + std::max(kBarTitle * theme.smallSize, kBarThickness + 5.0 * theme.smallSize);
  const double least = 8 * theme.smallSize + 2 * theme.space;
  return std::clamp(0.13 * layout.width, least, 1.3 * least);
}

/// Puts the square at the lower end of the column, aligned with the lower edge of the plot.
void placeSquare(FlowLayout& layout, const Theme& theme) {
  const double left = layout.plot.max.x + theme.space, right = layout.width - 0.75 * theme.space;
  const double label = 1.5 * theme.smallSize, inset = 0.75 * theme.space;
  const double side = std::min(right - left - label - inset, 0.36 * layout.plot.height());
  const render::Point corner{left + label + side, layout.plot.max.y - label};
  layout.square = render::Rect{{corner.x - side, corner.y - side}, corner};
  layout.squareBox = render::Rect{{left, layout.square->min.y - inset}, {corner.x + inset, layout.plot.max.y}};
}

void placeBar(FlowLayout& layout, const Theme& theme) {
  const double from = layout.plot.max.x + kBarInset * theme.space, top = layout.plot.min.y + 2.4 * theme.smallSize;
  const double bottom = layout.squareBox ? layout.squareBox->min.y - 1.25 * theme.smallSize : layout.plot.max.y;
  if (bottom - top < kLeastBar && layout.squareBox) {  // no space for both: the bar is needed to read the picture
    layout.square.reset();
    layout.squareBox.reset();
    placeBar(layout, theme);
    return;
  }
  layout.colorBar = render::Rect{{from, top}, {from + kBarThickness, std::max(bottom, top + 8)}};
}

}  // namespace

bool overlap(const render::Rect& a, const render::Rect& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

FlowLayout layoutFlow(const FlowState& state, double width, double height, const Theme& theme, double strip,
                      bool legend) {
  FlowLayout layout;
  layout.width = std::max(width, 1.0);
  layout.height = std::max(height, 1.0);
  const double unit = theme.textSize / kUsualText;
  const auto room = [&layout](double leastWidth, double leastHeight) {
    return layout.width >= leastWidth && layout.height >= leastHeight;
  };
  layout.byPowers = logarithmic(state.color);
  const bool shaded = state.showLoss && hasLoss(state) && state.color != PlaneColor::Basin;
  const bool bar = shaded && room(kBarWidth * unit, kBarHeight * unit);
  const bool square = state.canonical && room(kSquareWidth * unit, kSquareHeight * unit);
  Margins margins = axisMargins(theme, false);
  if (bar || square) margins.right = columnWidth(layout, square, theme);
  const bool docked = legend && state.legend.place == LegendPlace::Beside && room(kDockWidth * unit, kLegendHeight);
  const double dock = docked ? std::min<double>(19 * theme.smallSize, 0.3 * layout.width) : 0;
  const bool timed = hasTimeBar(state) && room(kTimeWidth * unit, kTimeHeight * unit);
  const double left = dock + std::min(margins.left, 0.45 * layout.width),
               right = std::min(margins.right, layout.width / 3);
  const double top = strip + std::min(margins.top, layout.height / 4),
               bottom = (timed ? kTimeBar * unit : 0) + std::min(margins.bottom, 0.45 * layout.height);
  layout.plot = {{left, top}, {layout.width - right, layout.height - bottom}};
  if (docked) layout.legendColumn = render::Rect{{theme.space, top}, {dock, layout.height - theme.space}};
  if (timed)
    layout.timeBar = render::Rect{{layout.plot.min.x, layout.height - kTimeBar * unit},
                                  {layout.plot.max.x, layout.height - theme.space}};
  if (square) placeSquare(layout, theme);
  if (bar) placeBar(layout, theme);
  const double across = layout.plot.width() / unit, down = layout.plot.height() / unit;
  layout.compact = across < kRoomyWidth || down < kRoomyHeight;
  layout.tiny = across < kTinyWidth || down < kTinyHeight;
  layout.legend = legend && (docked || (across >= kLegendWidth && down >= kLegendHeight));
  layout.legendOpen = state.legend.open.value_or(!layout.compact || docked);
  return layout;
}

namespace {

/// Whether a critical curve or the separatrix goes through a box.
bool onSets(const FlowFrame& frame, const render::Rect& box) {
  if (!frame.state.canonical || frame.state.degenerate()) return false;
  const markov::CriticalSets sets = criticalSetsOf(frame.state);
  const auto through = [&](const markov::Curve& curve) {
    return std::any_of(curve.points.begin(), curve.points.end(), [&](const markov::PlanePoint& point) {
      return box.contains(toPage(frame.camera(), {point.e, point.w}));
    });
  };
  return (frame.state.showCritical && std::any_of(sets.curves.begin(), sets.curves.end(), through)) ||
         (frame.state.showSeparatrix && std::any_of(sets.separatrix.begin(), sets.separatrix.end(), through));
}

constexpr double kHandle = 1000, kHides = 10;  // cost of a handle; unit cost of limits, curves, trajectories, the cloud

/// How much of the data a box would hide: limits and curves count most, then paths.
double hidden(const FlowFrame& frame, const render::Rect& box) {
  const Camera camera = frame.camera();
  const auto inside = [&](render::Point data) { return box.contains(toPage(camera, data)); };
  double sum = onSets(frame, box) ? 2 * kHides : 0;
  for (std::size_t i = 0; frame.state.showPaths && i < frame.results.points(); ++i) {
    const PointResult& point = frame.results.point(i);
    if (point.limit && inside(*point.limit)) sum += 2 * kHides;
    sum += static_cast<double>(std::count_if(point.path.begin(), point.path.end(), inside)) /
           static_cast<double>(point.path.size() + 1);
  }
  for (const Trajectory& one : *frame.state.own)
    if (std::any_of(one.points.begin(), one.points.end(), inside)) sum += kHides;
  if (const auto& cloud = frame.results.cloud(); frame.state.showCloud && cloud)
    if (std::any_of(cloud->points.begin(), cloud->points.end(), inside)) sum += kHides;
  return sum;
}

/// Whether a handle is under a box, or so close to it that it could not be grabbed.
bool meetsHandle(const FlowFrame& frame, const render::Rect& box) {
  const render::Rect around{{box.min.x - kHandleReach, box.min.y - kHandleReach},
                            {box.max.x + kHandleReach, box.max.y + kHandleReach}};
  // Very many points cover the whole plot: no corner is better than another.
  return frame.state.points.size() <= kMostAvoided &&
         std::any_of(frame.state.points.begin(), frame.state.points.end(), [&](const FlowPoint& point) {
           const render::Point at = toPage(frame.camera(), {point.e, point.w});
           return frame.layout.plot.contains(at) && around.contains(at);
         });
}

/// On screen only handles count, so that a box does not jump while a point is dragged.
double costOf(const FlowFrame& frame, const BoxPlacement& placed) {
  return (placed.nearHandle ? kHandle : 0) + (frame.figure ? hidden(frame, placed.box) : 0);
}

}  // namespace

BoxPlacement placementAt(const FlowFrame& frame, const render::Rect& box) {
  BoxPlacement placed{box, meetsHandle(frame, box)};
  placed.hidesLittleData = costOf(frame, placed) < kHides;
  return placed;
}

BoxPlacement placeBox(const FlowFrame& frame, double width, double height, const std::vector<Corner>& corners,
                      const std::vector<render::Rect>& taken) {
  const render::Rect& plot = frame.layout.plot;
  std::optional<BoxPlacement> best;
  double least = 0;
  for (const Corner corner : corners) {
    const bool right = corner == Corner::TopRight || corner == Corner::BottomRight;
    const bool lower = corner == Corner::BottomLeft || corner == Corner::BottomRight;
    const double x = right ? plot.max.x - kBoxInset - width : plot.min.x + kBoxInset;
    const double y = lower ? plot.max.y - kBoxInset - height : plot.min.y + kBoxInset;
    const render::Rect box{{x, y}, {x + width, y + height}};
    if (std::any_of(taken.begin(), taken.end(), [&](const render::Rect& other) { return overlap(box, other); }))
      continue;
    const BoxPlacement placed = placementAt(frame, box);
    const double cost = costOf(frame, placed);
    if (!best || cost < least) {
      best = placed;
      least = cost;
    }
    if (cost == 0) break;
  }
  const render::Point first{plot.min.x + kBoxInset, plot.min.y + kBoxInset};
  return best.value_or(BoxPlacement{{first, {first.x + width, first.y + height}}, true, false, false});
}

render::Point squareToPage(const render::Rect& square, double p, double q) {
  return {square.min.x + p * square.width(), square.max.y - q * square.height()};
}

render::Point pageToSquare(const render::Rect& square, render::Point page) {
  return {(page.x - square.min.x) / square.width(), (square.max.y - page.y) / square.height()};
}

}  // namespace sepx::ui

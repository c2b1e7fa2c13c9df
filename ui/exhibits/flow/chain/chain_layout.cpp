// SPDX-License-Identifier: Apache-2.0
// Two columns where there is room for two, else one. Pure.
#include <algorithm>

#include "ui/canvas/axes.h"
#include "ui/exhibits/flow/chain/chain_items.h"

namespace sepx::ui {

namespace {

constexpr double kTwoWide = 42, kTwoHigh = 20;  // sizes of the text, from which there are two columns
constexpr double kAlongHigh = 27;               // and something below the square
constexpr double kLeastSide = 40;               // points
constexpr double kWordLines = 15;               // below the curve
constexpr double kNumberLines = 10;             // of them without the paragraph
constexpr double kWordsWide = 15;
constexpr double kCurveBelow = 30;   // sizes of the text: higher than that one column has both
constexpr double kLegendEntry = 11;  // sizes of the text, of one of the four entries

/// The square at the top left of `box`, as large as it fits, with its bar.
void placeSquare(ChainLayout& layout, const render::Rect& box, const Theme& theme, bool bar) {
  const Margins m = axisMargins(theme, bar);
  const double top = 2.4 * theme.smallSize;
  const double side = std::max(kLeastSide, std::min(box.width() - m.left - m.right, box.height() - top - m.bottom));
  const render::Point corner{box.min.x + m.left, box.min.y + top};
  layout.square = {corner, {corner.x + side, corner.y + side}};
  if (!bar) return;
  const double left = layout.square.max.x + 2 * theme.space;
  layout.bar = render::Rect{{left, corner.y}, {left + theme.textSize, corner.y + side}};
}

void placeRight(ChainLayout& layout, const render::Rect& box, const Theme& theme) {
  const Margins m = axisMargins(theme, false);
  const double across = box.width() - m.left - m.right;
  const double legend = (across >= 2 * kLegendEntry * theme.textSize ? 2 : 4) * 1.6 * theme.smallSize;
  const auto high = [&](double lines, double leading) { return lines * leading * theme.smallSize + 2 * theme.space; };
  // Where the paragraph has no room the numbers take no more than they need.
  double words = std::min(high(kWordLines, 1.45), 0.5 * box.height());
  if (words < high(kWordLines, kTightest)) words = std::min(words, high(kNumberLines, kTightest));
  const double bottom = box.max.y - words;
  layout.legend = render::Rect{{box.min.x + m.left, box.min.y + theme.space},
                               {box.max.x - m.right, box.min.y + theme.space + legend}};
  const double top = layout.legend->max.y + 0.75 * theme.space;
  layout.curve =
      render::Rect{{box.min.x + m.left, top}, {box.max.x - m.right, std::max(bottom - m.bottom, top + kLeastSide)}};
  layout.words = render::Rect{{box.min.x + 2 * theme.space, layout.curve->max.y + m.bottom + theme.space},
                              {box.max.x - 2 * theme.space, box.max.y - theme.space}};
}

}  // namespace

namespace {

ChainLayout laidOut(const render::Rect& area, const Theme& theme, bool path) {
  ChainLayout layout;
  const double unit = theme.textSize;
  if (area.width() < kTwoWide * unit || area.height() < kTwoHigh * unit) {
    const bool bar = area.width() > 20 * unit;
    // A high pane has the curve below.
    const bool both = area.height() > kCurveBelow * unit && area.width() > 24 * unit;
    placeSquare(layout, {area.min, {area.max.x, area.min.y + (both ? 0.57 : 1.0) * area.height()}}, theme, bar);
    if (both) {
      const Margins m = axisMargins(theme, bar);
      placeRight(layout, {{area.min.x, layout.square.max.y + m.bottom}, area.max}, theme);
      layout.curve->max.y = area.max.y - axisMargins(theme, false).bottom;
      // Words where the bar leaves room for them.
      const double left = layout.square.max.x + m.right + theme.space;
      layout.words.reset();
      if (area.max.x - left > kWordsWide * unit)
        layout.words =
            render::Rect{{left, layout.square.min.y}, {area.max.x - theme.space, layout.square.max.y + m.bottom}};
    }
    return layout;
  }
  const bool along = path && area.height() > kAlongHigh * unit;
  const Margins m = axisMargins(theme, true);
  const double squareHigh = (along ? 0.62 : 1.0) * area.height();
  const double wanted = squareHigh - 2.4 * theme.smallSize - m.bottom + m.left + m.right;
  const double left = area.min.x + std::min(wanted, 0.56 * area.width());
  placeSquare(layout, {area.min, {left, area.min.y + squareHigh}}, theme, true);
  placeRight(layout, {{left, area.min.y}, area.max}, theme);
  if (along)
    layout.along = render::Rect{{area.min.x, layout.square.max.y + m.bottom + 0.5 * theme.space},
                                {left - theme.space, area.max.y - 0.5 * theme.space}};
  return layout;
}

}  // namespace

ChainLayout chainLayout(const render::Rect& area, const Theme& theme, bool path) {
  const auto missing = [path](const ChainLayout& layout) { return (path && !layout.along) || !layout.words; };
  ChainLayout layout = laidOut(area, theme, path);
  const double line = 1.6 * theme.smallSize;
  if (!missing(layout) || area.height() < 6 * line) return layout;
  // What has no room is said, in a line of its own.
  layout = laidOut({area.min, {area.max.x, area.max.y - line}}, theme, path);
  if (missing(layout)) layout.note = render::Rect{{area.min.x, area.max.y - line}, area.max};
  return layout;
}

}  // namespace sepx::ui

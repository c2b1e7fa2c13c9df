// SPDX-License-Identifier: Apache-2.0
// Axes, grid and colour bar as items of a scene. Ticks stand at 1, 2 or 5 times a power of ten, as many as fit without
// their labels touching; where a window is so narrow that labels would need many digits, they count from an offset that
// the axis title names. Pure.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/camera.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

struct Ticks {
  double step = 1;
  std::vector<double> values;       ///< ascending, inside the interval
  std::vector<std::string> labels;  ///< of values[i] - offset
  double offset = 0;
};

/// The smallest of 1, 2, 5 times a power of ten that is at least `least` > 0.
double roundStep(double least);
/// At most `count` ticks in [min, max].
Ticks makeTicks(double min, double max, int count);
/// As many ticks as fit on `length` points: along the text for a horizontal axis, across it for a vertical one.
Ticks fittingTicks(double min, double max, double length, double textSize, bool horizontal);
/// Those of two axes of one unit: of one step, the finer of the two where that has room on both, unless one span is
/// more than twice the other.
std::pair<Ticks, Ticks> alikeTicks(const render::Rect& window, const render::Rect& plot, double textSize);
/// Ticks at whole powers of ten of an axis that shows log10; about `count` at most.
Ticks decadeTicks(double min, double max, double count);
/// Short text of a multiple of `step`; a real minus sign.
std::string tickLabel(double value, double step);

struct AxisNames {
  std::string x, y;
};

/// Grid and zero lines inside the plot.
void addGrid(std::vector<render::Item>& items, const Camera& camera, const Ticks& x, const Ticks& y,
             const Theme& theme);
/// Frame, tick labels and the axes' symbols around the plot: needs about axisMargins() of room.
void addAxes(std::vector<render::Item>& items, const Camera& camera, const Ticks& x, const Ticks& y,
             const AxisNames& names, const Theme& theme);

struct Margins {
  double left, top, right, bottom;
};
/// Room around the plot for tick labels, symbols and a colour bar, in points.
Margins axisMargins(const Theme& theme, bool colorBar);

/// Room that the labels and the title of a vertical axis need, where it may be more than axisMargins() says.
double leftOfAxis(const Ticks& y, const Theme& theme);

/// Ends of a colour scale, in the data's unit.
struct ColorLimits {
  double low = 0, high = 1;
  bool operator==(const ColorLimits&) const = default;
};

struct ColorBar {
  render::Rect at;  ///< page
  render::ColorMap map = render::ColorMap::Viridis;
  float opacity = 1;
  std::vector<std::pair<double, std::string>> marks;  ///< place from 0 (bottom) to 1 (top), text
  std::string title;
  double right = std::numeric_limits<double>::infinity();  ///< where the title ends at the latest
};

void addColorBar(std::vector<render::Item>& items, const Camera& camera, const ColorBar& bar, const Theme& theme);

}  // namespace sepx::ui

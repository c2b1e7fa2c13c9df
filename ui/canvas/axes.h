// SPDX-License-Identifier: Apache-2.0
// Axes, grid and colour bar as items of a scene. Ticks lie at multiples of 1, 2 or 5 times a power of ten, as many as
// fit without their labels touching. In a window so narrow that the labels would need many digits, the labels are
// relative to an offset, which the axis title shows. Pure.
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
  std::vector<std::string> labels;  ///< text of values[i] - offset
  double offset = 0;
};

/// The smallest of 1, 2, 5 times a power of ten that is at least `least` > 0.
double roundStep(double least);
/// At most `count` ticks in [min, max].
Ticks makeTicks(double min, double max, int count);
/// As many ticks as fit on `length` points. A horizontal axis is limited by the widths of the labels, a vertical one by
/// their height.
Ticks fittingTicks(double min, double max, double length, double textSize, bool horizontal);
/// Ticks of two axes that share a unit. Both get the same step, the finer of the two if its labels fit on both axes,
/// unless one span is more than twice the other.
std::pair<Ticks, Ticks> equalStepTicks(const render::Rect& window, const render::Rect& plot, double textSize);
/// Ticks at integer powers of ten for an axis that shows log10; at most about `count`.
Ticks decadeTicks(double min, double max, double count);
/// Short text for a multiple of `step`, with U+2212 as the minus sign.
std::string tickLabel(double value, double step);

struct AxisNames {
  std::string x, y;
};

/// Grid and zero lines inside the plot.
void addGrid(std::vector<render::Item>& items, const Camera& camera, const Ticks& x, const Ticks& y,
             const Theme& theme);
/// Frame, tick labels and axis titles around the plot. They need about axisMargins() of space.
void addAxes(std::vector<render::Item>& items, const Camera& camera, const Ticks& x, const Ticks& y,
             const AxisNames& names, const Theme& theme);

struct Margins {
  double left, top, right, bottom;
};
/// Space around the plot for tick labels, axis titles and a colour bar, in points.
Margins axisMargins(const Theme& theme, bool colorBar);

/// Space that the labels and the title of a vertical axis need, in points; it can exceed axisMargins().left.
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
  std::vector<std::pair<double, std::string>> marks;  ///< position from 0 (bottom) to 1 (top), text
  std::string title;
  double right = std::numeric_limits<double>::infinity();  ///< page x that the end of the title must not exceed
};

void addColorBar(std::vector<render::Item>& items, const Camera& camera, const ColorBar& bar, const Theme& theme);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The axes of a chart: the position of a value, the span, the ticks, and the title above the plot. Used only by
// PlacedChart (line_chart.h). Pure.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "ui/canvas/axes.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

/// The range of an axis, in log10 if it is logarithmic.
struct AxisSpan {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void take(double value);
};

/// A value on the scale of the axis; NaN if the axis cannot show it.
double placedOn(const ChartAxis& axis, double value);
/// The ends of the axis for data with the range `span`; never empty, always finite.
AxisSpan endsOf(const ChartAxis& axis, AxisSpan span);
/// Ticks that fit on `length` points.
Ticks ticksOf(const ChartAxis& axis, double low, double high, double length, double textSize, bool horizontal);

inline constexpr double kTitleLine = 1.3;  ///< from line to line, multiple of the type size
/// The title above a plot that begins at `left` in `box`: in one line, in two lines if it needs them and the box is
/// high enough, else cut. `size`: of the type.
std::vector<std::string> titleLines(const LineChart& chart, const render::Rect& box, double left, double size);

}  // namespace sepx::ui

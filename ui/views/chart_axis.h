// SPDX-License-Identifier: Apache-2.0
// The axes of a chart: where a value stands on one, which span it shows, its ticks, and the title above them. Of use to
// line_chart alone. Pure.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "ui/canvas/axes.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

/// What an axis spans, on its own scale: log10 where it is logarithmic.
struct AxisSpan {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void take(double value);
};

/// A value on the axis' scale; NaN where it has no place.
double placedOn(const ChartAxis& axis, double value);
/// The ends of the axis, of `span` of the data; never empty, never without bounds.
AxisSpan endsOf(const ChartAxis& axis, AxisSpan span);
/// Ticks that fit on `length` points.
Ticks ticksOf(const ChartAxis& axis, double low, double high, double length, double textSize, bool horizontal);

inline constexpr double kTitleLine = 1.3;  ///< from line to line, of the size of the type
/// The title above a plot that begins at `left` in `box`: whole in one line or, where the box is high enough, in two,
/// else cut. `size`: of the type.
std::vector<std::string> titleLines(const LineChart& chart, const render::Rect& box, double left, double size);

}  // namespace sepx::ui

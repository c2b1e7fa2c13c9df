// SPDX-License-Identifier: Apache-2.0
// The axes of a chart: where a value stands on one, which span it shows, and its ticks. Of use to line_chart alone.
// Pure.
#pragma once

#include <limits>

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

}  // namespace sepx::ui

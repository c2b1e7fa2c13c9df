// SPDX-License-Identifier: Apache-2.0
// Prepares series of runs for charts: smoothed, thinned to an envelope, or summarised over layers. Pure functions.
#pragma once

#include <cstddef>
#include <vector>

#include "ui/runs/run.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

/// Smooths by local linear regression: the result at each step is the value there of a straight line fitted to the
/// neighbours on both sides. The weights fall by a factor of e over `span` steps, near the start over a quarter of the
/// steps so far. A curve that falls fast at first neither lags nor is flattened, a straight line is unchanged, and
/// results lie between the smallest and the largest value. NaN values are skipped. The result is as long as `values`,
/// and equal to `values` if `span` is not above 0. The last results change as later values arrive.
std::vector<double> smoothed(const std::vector<double>& steps, const std::vector<double>& values, double span);

/// A series thinned to at most 2 * `most` points: each block of neighbours is replaced by its mean, with the smallest
/// and largest value of the block in `low` and `high`. A short series is unchanged, and `low` and `high` are empty.
struct Envelope {
  std::vector<double> steps, mean, low, high;
};
Envelope envelopeOf(const std::vector<double>& steps, const std::vector<double>& values, std::size_t most = 2000);

/// Median and quartiles over several series (layers) at the steps of the first series.
struct QuartileSeries {
  std::vector<double> steps, median, q1, q3;
};
QuartileSeries spreadOf(const std::vector<const RunSeries*>& layers);

}  // namespace sepx::ui

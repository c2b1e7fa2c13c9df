// SPDX-License-Identifier: Apache-2.0
// Series of runs made ready for charts: smoothed, thinned to an envelope, gathered over layers. Pure.
#pragma once

#include <cstddef>
#include <vector>

#include "ui/runs/run.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

/// At each step the value there of a straight line fitted to its neighbours on both sides, with weights that fall by e
/// over `span` steps, near the start over a quarter of the steps so far: a curve that falls fast at first neither lags
/// nor is flattened, a straight line stays one, and values remain between the least and the largest. NaN values are
/// passed over. As long as the values; the values themselves where span is not above 0. The last values change as later
/// ones come in.
std::vector<double> smoothed(const std::vector<double>& steps, const std::vector<double>& values, double span);

/// A series with at most 2 `most` points: blocks of neighbours become their mean, with the smallest and largest value
/// as `low` and `high`. A short one stays as it is, without low and high.
struct Envelope {
  std::vector<double> steps, mean, low, high;
};
Envelope envelopeOf(const std::vector<double>& steps, const std::vector<double>& values, std::size_t most = 2000);

/// Median and quartiles over several series (layers) at the steps of the first.
struct Spreading {
  std::vector<double> steps, median, q1, q3;
};
Spreading spreadOf(const std::vector<const RunSeries*>& layers);

}  // namespace sepx::ui

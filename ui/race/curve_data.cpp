// SPDX-License-Identifier: Apache-2.0
// See curve_data.h.
#include "ui/race/curve_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/attention/scores.h"

namespace sepx::ui {

namespace {

/// Weighted sums over the values on one side of a step. Distances are measured from the step.
struct SideSums {
  double weight = 0, x = 0, xx = 0, y = 0, xy = 0;

  /// Moves the step by `by`, away from all of these values, and multiplies their weights by `keep`.
  void move(double by, double keep) {
    xx = keep * (xx - 2 * by * x + by * by * weight);
    x = keep * (x - by * weight);
    xy = keep * (xy - by * y);
    weight *= keep;
    y *= keep;
  }
  void add(double value) {
    if (!std::isfinite(value)) return;
    weight += 1;
    y += value;
  }
};

/// The value at distance 0 of the line through both sides.
double lineAtZero(const SideSums& a, const SideSums& b) {
  const double weight = a.weight + b.weight, x = a.x + b.x, xx = a.xx + b.xx, y = a.y + b.y, xy = a.xy + b.xy;
  if (!(weight > 0)) return std::numeric_limits<double>::quiet_NaN();
  const double det = weight * xx - x * x;
  return det > 1e-9 * weight * xx ? (xx * y - x * xy) / det : y / weight;
}

}  // namespace

std::vector<double> smoothed(const std::vector<double>& steps, const std::vector<double>& values, double span) {
  if (!(span > 0) || values.empty()) return values;
  constexpr double kShare = 4;  // near the start, the span is the steps so far divided by this
  const std::size_t count = values.size();
  const auto way = [&](std::size_t i) { return steps[i] - steps[i - 1]; };
  const auto keep = [&](std::size_t i) { return std::exp(-way(i) / std::min(span, (steps[i] - steps[0]) / kShare)); };
  std::vector<SideSums> before(count);
  SideSums side;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && way(i) > 0) side.move(way(i), keep(i));
    side.add(values[i]);
    before[i] = side;
    if (!std::isfinite(values[i])) continue;
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
  }
  std::vector<double> made(count);
  side = {};
  for (std::size_t i = count; i-- > 0;) {
    const double value = lineAtZero(before[i], side);
    made[i] = low <= high ? std::clamp(value, low, high) : value;
    side.add(values[i]);
    if (i > 0 && way(i) > 0) side.move(-way(i), keep(i));
  }
  return made;
}

Envelope envelopeOf(const std::vector<double>& steps, const std::vector<double>& values, std::size_t most) {
  Envelope made;
  const std::size_t count = std::min(steps.size(), values.size());
  const std::size_t block = count / std::max<std::size_t>(most, 1);
  if (block < 2) {
    made.steps.assign(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(count));
    made.mean.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
    return made;
  }
  for (std::size_t from = 0; from < count; from += block) {
    const std::size_t to = std::min(from + block, count);
    double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0;
    std::size_t finite = 0;
    for (std::size_t i = from; i < to; ++i) {
      if (!std::isfinite(values[i])) continue;
      low = std::min(low, values[i]);
      high = std::max(high, values[i]);
      sum += values[i];
      ++finite;
    }
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    made.steps.push_back(steps[to - 1]);  // the last step of the block, so that the newest value is at its own step
    made.mean.push_back(finite > 0 ? sum / static_cast<double>(finite) : kNone);
    made.low.push_back(finite > 0 ? low : kNone);
    made.high.push_back(finite > 0 ? high : kNone);
  }
  return made;
}

QuartileSeries spreadOf(const std::vector<const RunSeries*>& layers) {
  QuartileSeries made;
  if (layers.empty()) return made;
  std::vector<std::size_t> next(layers.size(), 0);
  for (const double step : layers.front()->steps) {
    std::vector<double> at;
    for (std::size_t k = 0; k < layers.size(); ++k) {
      const std::vector<double>& steps = layers[k]->steps;
      while (next[k] < steps.size() && steps[next[k]] < step)
        ++next[k];
      if (next[k] < steps.size() && steps[next[k]] == step) at.push_back(layers[k]->values[next[k]]);
    }
    const attention::Quartiles q = attention::quartiles(std::move(at));
    made.steps.push_back(step);
    made.median.push_back(q.median);
    made.q1.push_back(q.q1);
    made.q3.push_back(q.q3);
  }
  return made;
}

}  // namespace sepx::ui

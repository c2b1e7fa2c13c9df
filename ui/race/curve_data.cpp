// SPDX-License-Identifier: Apache-2.0
// See curve_data.h.
#include "ui/race/curve_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/attention/scores.h"

namespace sepx::ui {

std::vector<double> smoothed(const std::vector<double>& steps, const std::vector<double>& values, double span) {
  if (!(span > 0)) return values;
  std::vector<double> made;
  made.reserve(values.size());
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double keep = i == 0 ? 0 : std::exp(-(steps[i] - steps[i - 1]) / span);
    sum *= keep;
    weight *= keep;
    if (std::isfinite(values[i])) {
      sum += values[i];
      weight += 1;
    }
    made.push_back(weight > 0 ? sum / weight : std::numeric_limits<double>::quiet_NaN());
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
    made.steps.push_back(steps[to - 1]);  // the newest value stands at its own step
    made.mean.push_back(finite > 0 ? sum / static_cast<double>(finite) : kNone);
    made.low.push_back(finite > 0 ? low : kNone);
    made.high.push_back(finite > 0 ? high : kNone);
  }
  return made;
}

Spreading spreadOf(const std::vector<const RunSeries*>& layers) {
  Spreading made;
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

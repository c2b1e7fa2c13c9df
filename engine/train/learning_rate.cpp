// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/train/run_config.h"

namespace sepx::train {

double learningRateAt(const Optimisation& optimisation, std::int64_t step, std::int64_t steps) {
  const double peak = optimisation.rule.learningRate;
  const double t = static_cast<double>(step), warmUp = static_cast<double>(optimisation.warmUp);
  const double start = optimisation.warmUpStart;
  if (t < warmUp) return peak * (start + (1 - start) * (t + 1) / warmUp);
  if (optimisation.decay == Decay::Constant) return peak;
  const double way = std::max(1.0, static_cast<double>(steps) - warmUp);
  const double share = std::clamp((t - warmUp) / way, 0.0, 1.0);
  const double left = optimisation.decay == Decay::Linear ? 1 - share : (1 + std::cos(std::numbers::pi * share)) / 2;
  return optimisation.floor + (peak - optimisation.floor) * left;
}

}  // namespace sepx::train

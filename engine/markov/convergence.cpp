// SPDX-License-Identifier: Apache-2.0
// Measures the rate of the flow in its own time. The samples of a path do not resolve the time well enough for this:
// they are spaced along the arc, and a path from a small e has no sample between its start and e = 0.
#include "engine/markov/convergence.h"

#include <algorithm>
#include <cmath>

namespace sepx::markov {

double decayRate(const Chain& chain, double w) {
  return 2 * chain.pi0() * chain.pi1() * chain.switching() * (1 + 2 * w * std::abs(w));
}

std::optional<double> measuredDecayRate(const Chain& chain, Model model, const Path& path) {
  constexpr double kFolds = 1;
  constexpr double kSmall = 1e-3;    // |e|/size below which the decay is exponential up to (e/size)^2
  constexpr double kLeast = 1e-250;  // below it the steps of the flow lose digits
  const auto last = std::find_if(path.theta.rbegin(), path.theta.rend(), [](const State& at) { return at[0] != 0; });
  if (last == path.theta.rend()) return std::nullopt;
  const State& near = *last;
  const double scale = decayRate(chain, path.theta.back()[1]);
  if (!near.allFinite() || !(scale > 0) || !(std::abs(near[0]) > kLeast)) return std::nullopt;
  // S = e^2 (1 + a e^2) (1 + 2 w |w|) is small where |e| is small compared with `size`, which depends on w and a.
  const double w = near[1], a = hasAttention(model) ? near[2] : 0, size = 1 / std::sqrt(1 + 2 * w * w + std::abs(a));
  const double first = std::max(0.0, std::log(std::abs(near[0]) / (kSmall * size))) / scale,
               second = first + kFolds / scale;
  const Result<Path> followed = flowAt(chain, model, near, {first, second});
  if (!followed) return std::nullopt;
  const double before = std::abs(followed->theta[0][0]), after = std::abs(followed->theta[1][0]);
  if (!(after > 0) || !(before > after)) return std::nullopt;
  return std::log(before / after) / (second - first);
}

}  // namespace sepx::markov

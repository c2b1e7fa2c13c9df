// SPDX-License-Identifier: Apache-2.0
// The measured rate is that between two samples: on the last e-folds the decay is exponential up to O(e^2), so a longer
// stretch adds error and a shorter one the clock's.
#include "engine/markov/convergence.h"

#include <algorithm>
#include <cmath>

namespace sepx::markov {

double decayRate(const Chain& chain, double w) {
  return 2 * chain.pi0() * chain.pi1() * chain.switching() * (1 + 2 * w * std::abs(w));
}

std::optional<double> measuredDecayRate(const std::vector<double>& t, const std::vector<double>& e) {
  constexpr double kFolds = 4, kLeast = 1;
  const std::size_t count = std::min(t.size(), e.size());
  std::size_t last = count;
  while (last > 0 && (e[last - 1] == 0 || !std::isfinite(e[last - 1]) || !std::isfinite(t[last - 1])))
    --last;
  if (last < 2) return std::nullopt;
  --last;
  const double end = std::log(std::abs(e[last]));
  std::size_t first = last;
  double folds = 0;
  while (first > 0 && folds < kFolds && e[first - 1] != 0) {
    --first;
    folds = std::log(std::abs(e[first])) - end;
  }
  const double span = t[last] - t[first];
  if (!(folds >= kLeast) || !(span > 0)) return std::nullopt;
  return folds / span;
}

}  // namespace sepx::markov

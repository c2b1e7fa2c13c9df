// SPDX-License-Identifier: Apache-2.0
// Expected counts, summed in the order of the positions.
#include "engine/attention/counts.h"

namespace sepx::attention {

TokenCounts autoregressiveCounts(std::span<const double> P) {
  TokenCounts counts;
  for (std::size_t before = 0; before < P.size(); ++before) {
    counts.context += static_cast<double>(P.size() - 1 - before) * P[before];
    counts.predicted += static_cast<double>(before) * P[before];
  }
  return counts;
}

TokenCounts bidirectionalCounts(std::span<const double> P, double rho) {
  double sum = 0;
  for (const double value : P)
    sum += value;
  const double each = (static_cast<double>(P.size()) - 1) * rho * (1 - rho) * sum;
  return {each, each};
}

double meanPosition(std::span<const double> P) {
  double sum = 0, weighted = 0;
  for (std::size_t k = 0; k < P.size(); ++k) {
    sum += P[k];
    weighted += static_cast<double>(k + 1) * P[k];
  }
  return weighted / sum;
}

double ratioFromMean(double N, double mu) {
  return (N - mu) / (mu - 1);
}

double leftOfMiddle(double N, double mu) {
  return (N + 1) / 2 - mu;
}

double ratioMargin(double delta, double mu) {
  return 2 * delta / (mu - 1);
}

MaskedPairs maskedPairs(double N, double p) {
  return {(p * N - 1) / (N - p * N), p / (1 - p), (p * N - 1) / (N - 1)};
}

}  // namespace sepx::attention

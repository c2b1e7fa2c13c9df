// SPDX-License-Identifier: Apache-2.0
// The correlation of forward and reverse attention scores of a trained model [Reversal, Figures 3 left and 5]. The
// paper does not state over what its correlation is taken. Ours is over the 26 letters, for a pair of distances,
//   Corr_letters(S(M, B at +Delta1), S(M, B at -Delta2)), 1 <= Delta1, Delta2 <= L - 1,
// which is the correlation of Theorem 4.3 given q_M, with the capitals' keys as the sample. Where a score depends on
// the places themselves (learned, sinusoidal), it is the mean over all places with these distances. Pure; any thread.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/reversal/letter_scores.h"

namespace sepx::reversal {

/// Pearson's correlation; NaN if one of them does not vary.
double correlation(std::span<const double> a, std::span<const double> b);

struct ScoreCorrelation {  ///< of forward and reverse scores
  int length = 0;
  /// By (Delta1, Delta2), [length - 1, length - 1]; the row is Delta1 - 1.
  std::vector<double> pairs;
  /// By Delta1 + Delta2 = 2 ... 2 (length - 1): mean, least and largest over the pairs of distances with that sum.
  std::vector<double> mean, least, largest;

  double at(int forward, int reverse) const {  ///< by distances, both from 1
    return pairs[static_cast<std::size_t>(forward - 1) * static_cast<std::size_t>(length - 1) +
                 static_cast<std::size_t>(reverse - 1)];
  }
  int sums() const { return static_cast<int>(mean.size()); }
  /// Delta1 + Delta2 of entry i of `mean`.
  static int sumOf(int i) { return i + 2; }
  double whole = std::nan("");  ///< mean over all pairs of distances
};

/// For scores with at least two places; empty otherwise.
ScoreCorrelation scoreCorrelation(const LetterScores& scores);

}  // namespace sepx::reversal

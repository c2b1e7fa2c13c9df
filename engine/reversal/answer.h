// SPDX-License-Identifier: Apache-2.0
// Adds one answer of a model to a query to the sums that become the means of Answers (accuracy.h). Private to
// engine/reversal; any thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/reversal/accuracy.h"

namespace sepx::reversal {

/// Index of the largest of z[first, last).
template <class T>
std::int32_t largest(std::span<const T> z, std::int32_t first, std::int32_t last) {
  return static_cast<std::int32_t>(std::max_element(z.begin() + first, z.begin() + last) - z.begin());
}

/// log sum exp(z), so that exp(z_t - logSum(z)) is the probability of t.
template <class T>
double logSum(std::span<const T> z) {
  const double most = *std::max_element(z.begin(), z.end());
  double sum = 0;
  for (const T logit : z)
    sum += std::exp(static_cast<double>(logit) - most);
  return most + std::log(sum);
}

/// Adds the answer of the logits `z` at the place of [M], where the small letter `target` is right.
template <class T>
void addMaskedAnswer(std::span<const T> z, std::int32_t target, Answers& sum) {
  const std::int32_t answer = largest(z, 0, data::kPairMask);
  sum.accuracy += answer == target;
  sum.zero += answer == data::kPairPlaceholder;
  sum.letters += largest(z, 0, data::kPairLetters) == target;
  sum.probability += std::exp(static_cast<double>(z[static_cast<std::size_t>(target)]) - logSum(z));
}

inline void divide(Answers& sum, double count) {  ///< from a sum to a mean
  for (double* value : {&sum.accuracy, &sum.letters, &sum.probability, &sum.zero})
    *value /= count;
}

}  // namespace sepx::reversal

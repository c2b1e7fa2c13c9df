// SPDX-License-Identifier: Apache-2.0
// Where the scores of a matrix without structure lie: i.i.d. normal entries of W_Q and W_K [n, r], W_qk = W_Q W_K^T
// (r = 0: i.i.d. entries of W_qk itself). s has mean 1/n and, at full rank, deviation sqrt(2)/n [errata att-3]; d has
// mean 0 and a spread that is sampled here [att-5]. Seeded; the same band on any thread count. Any thread.
#pragma once

#include <cstdint>

#include "engine/attention/scores.h"

namespace sepx::attention {

/// The central share `level` of random matrices.
struct Band {
  double low = 0, high = 0;
  double mean = 0, deviation = 0;
  bool holds(double value) const { return value >= low && value <= high; }
};

struct RandomBands {
  Band symmetry, directionality;
  int samples = 0;
  double level = 0.95;
};

/// `rank`: of the product (d_h for a head, the sum of all heads for a layer; 0 or >= n: full). Sampled on matrices of
/// at most kBandSize rows and carried over to larger n by the known decay. Remembers what it made: cheap from then on.
RandomBands randomBands(int n, int rank, const ScoreOptions& options, double level = 0.95);

}  // namespace sepx::attention

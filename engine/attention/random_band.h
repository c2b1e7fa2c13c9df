// SPDX-License-Identifier: Apache-2.0
// Where the scores of a matrix without structure lie: i.i.d. normal entries of W_Q and W_K [n, r], W_qk = W_Q W_K^T
// (r = 0: i.i.d. entries of W_qk itself).
//   s  mean 1/n exactly, whatever the rank [errata att-3]: W_qk may be turned by any orthogonal matrix, and
//      E Tr(OMOM) = |M|^2 / n. From the fourth moments of such matrices, with t = E Tr((M^T M)^2) / |M|^4 (about
//      1/n + 1/r + 1/n, and 1 for rank 1):   Var s = (3 (n+1) - 6 t) / (n (n-1) (n+2)) - 1/n^2,   about 2/n^2.
//   d  mean 0 exactly, a spread that falls like 1/sqrt(n) only [att-5], and for small n atoms at -1, 0 and 1.
// Up to kDirectSize rows whole matrices are drawn. Above, norms of rows and of columns are drawn independently of one
// another (their correlation is O(1/n)) from q^T (W_K^T W_K) q with its first three moments, at ranks up to 16 for a
// W_K^T W_K drawn each time; above kBandSize rows (four times that for gamma > 2.5) atanh(d) of kBandSize rows is
// shrunk by sqrt(kBandSize / n). Against whole matrices, 400 to 10,000 of a shape up to 2048 rows, the share inside was
// found within one percentage point of the level. A band with an atom at its edge takes the atom in and holds more.
// Seeded; the same band whatever thread asks for it. Any thread.
#pragma once

#include <cstdint>

#include "engine/attention/scores.h"

namespace sepx::attention {

inline constexpr int kDirectSize = 48;     ///< up to this size random matrices are drawn whole
inline constexpr int kBandSize = 1024;     ///< above it: the size that is drawn
inline constexpr int kBandSamples = 4000;  ///< entries that are drawn of a larger one

/// The central share `level` of random matrices.
struct Band {
  double low = 0, high = 0;
  double mean = 0, deviation = 0;
  bool holds(double value) const { return value >= low && value <= high; }
};

struct RandomBands {  ///< where scores of random matrices lie
  Band symmetry, directionality;
  int samples = 0;
  double level = 0.95;
};

/// `rank`: columns of W_Q (rankOf(factors): d_h for a head; 0: i.i.d. entries). Takes some tenths of a second and
/// remembers what it made: cheap from then on, for each gamma, variant, ddof and level.
RandomBands randomBands(int n, int rank, const ScoreOptions& options, double level = 0.95);

/// Standard deviation of s: the closed form above.
double symmetryDeviation(int n, int rank);

}  // namespace sepx::attention

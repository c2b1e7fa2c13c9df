// SPDX-License-Identifier: Apache-2.0
// Ranges of the scores of random matrices without structure: W_qk = W_Q W_K^T with i.i.d. normal entries of W_Q and W_K
// [n, r] (r = 0: i.i.d. normal entries of W_qk itself).
//   s  mean 1/n exactly for every rank [errata att-3]: W_qk and O W_qk have the same law for orthogonal O, and
//      E Tr(OMOM) = |M|^2 / n. From the fourth moments of such matrices, with t = E Tr((M^T M)^2) / |M|^4 (about
//      1/n + 1/r + 1/n, and 1 for rank 1):   Var s = (3 (n+1) - 6 t) / (n (n-1) (n+2)) - 1/n^2,   about 2/n^2.
//   d  mean 0 exactly, a spread that decreases only as 1/sqrt(n) [att-5], and for small n atoms at -1, 0 and 1.
// Up to kDirectSize rows whole matrices are drawn. Above, the norms of rows and of columns are drawn independently
// (their correlation is O(1/n)) from a distribution with the first three moments of q^T (W_K^T W_K) q, where W_K^T W_K
// is drawn for each sample at ranks up to 16. Above kBandSize rows (four times that for gamma > 2.5) atanh(d) of
// kBandSize rows is shrunk by sqrt(kBandSize / n). In a check with 400 to 10,000 whole matrices of each shape up to
// 2048 rows, the share inside the band was within one percentage point of the level. A band with an atom at its edge
// includes the atom and so contains more than the level. The seed is fixed, so the band is the same on every thread.
// Any thread.
#pragma once

#include <cstdint>

#include "engine/attention/scores.h"

namespace sepx::attention {

inline constexpr int kDirectSize = 48;     ///< up to this number of rows whole random matrices are drawn
inline constexpr int kBandSize = 1024;     ///< number of norms that are drawn for larger matrices
inline constexpr int kBandSamples = 4000;  ///< samples per band

/// The interval that contains the central share `level` of the scores of random matrices.
struct Band {
  double low = 0, high = 0;
  double mean = 0, deviation = 0;
  bool holds(double value) const { return value >= low && value <= high; }
};

struct RandomBands {  ///< bands of both scores for one shape
  Band symmetry, directionality;
  int samples = 0;
  double level = 0.95;
};

/// `rank`: columns of W_Q (rankOf(factors): d_h for a head; 0: i.i.d. entries). The first call for a shape, gamma,
/// variant, ddof and level takes some tenths of a second; the result is cached.
RandomBands randomBands(int n, int rank, const ScoreOptions& options, double level = 0.95);

/// Standard deviation of s, by the closed form above.
double symmetryDeviation(int n, int rank);

}  // namespace sepx::attention

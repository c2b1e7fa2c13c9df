// SPDX-License-Identifier: Apache-2.0
// Singular values and eigenvalues of W_qk from its factors: the non-zero ones of W_Q W_K^T are those of small matrices
// [rank, rank] (QR of both factors; W_K^T W_Q). Computed on demand and cancellable. Any thread.
#pragma once

#include <complex>
#include <functional>
#include <optional>
#include <vector>

#include "engine/attention/factors.h"

namespace sepx::attention {

struct Spectrum {
  std::vector<double> singular;                   ///< descending, min(rank, n) values
  std::vector<std::complex<double>> eigenvalues;  ///< by descending modulus; empty if W_qk is not square
  int rank = 0;                                   ///< singular values above n * epsilon * the largest
  double stableRank = 0;                          ///< |M|_F^2 / |M|_2^2
};

/// `progress(share)` returns whether to continue. Empty optional if it returned false, if a factor has a non-finite
/// entry, or if an iteration did not converge.
std::optional<Spectrum> spectrum(const LayerFactors& factors, const std::function<bool(double share)>& progress = {});

}  // namespace sepx::attention

// SPDX-License-Identifier: Apache-2.0
// Lower bounds of the correlation of forward and reverse scores with RoPE under Assumption 4.2 [Reversal, B.1-B.3], for
// D dimensions (m = D/2 planes) and angles theta_s = base^(-2 (s-1)/D):
//   Tr R(r)/D = mean over s of cos(r theta_s), r = 2 Delta (Theorem 4.3)
//   Pr[sum_s w_s cos(2 Delta theta_s) >= c] >= (E - c)^2/(V + (E - c)^2) for c < E (Cantelli), w ~ Dirichlet(1, ..., 1)
//   E_w[inf_rho kappa(w, rho)] for Delta1 and Delta2 (asymmetric): rho*_s = 1 where cos((Delta1 - Delta2) theta_s) < 0,
//     = int_0^inf sum_s n_s/(1 + t d_s) prod_r 1/(1 + t d_r) dt, n_s = a_s + rho*_s b_s, d_s = 1 + rho*_s a_s b_s
// Pure; any thread.
#pragma once

#include <optional>
#include <vector>

#include "engine/core/result.h"

namespace sepx::reversal {

/// A Usage error with a message if `dimensions` is odd, below 2 or above kMostDimensions, or the base is not above 1.
Result<void> checkRope(int dimensions, double base);
inline constexpr int kMostDimensions = 4096;

/// theta_1 ... theta_m, radians per place. `dimensions` must have passed checkRope(), here and below.
std::vector<double> ropeAngles(int dimensions, double base);

/// Tr R(r)/D.
double ropeTrace(const std::vector<double>& angles, double r);
/// The least trace Tr R(2 Delta)/D over Delta = 1 ... reach, and the first Delta that attains it (Table 3).
struct LeastTrace {
  int distance = 0;
  double trace = 0;
};
LeastTrace leastTrace(const std::vector<double>& angles, int reach);

/// E and V of sum_s w_s cos(2 Delta theta_s).
struct TraceSpread {
  double mean = 0, variance = 0;
};
TraceSpread traceSpread(const std::vector<double>& angles, double distance);
/// No value unless c is below the mean E.
std::optional<double> cantelliBound(const std::vector<double>& angles, double distance, double c);
/// Accurate to 9 digits or more, by 120 products over the planes.
double asymmetricBound(const std::vector<double>& angles, double forward, double reverse);

}  // namespace sepx::reversal

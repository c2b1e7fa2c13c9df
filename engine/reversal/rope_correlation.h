// SPDX-License-Identifier: Apache-2.0
// Correlations of forward and reverse scores with RoPE when the query is given, plane by plane [Reversal, Theorem 4.3,
// B.1, B.3]. There are m = D/2 planes. w_s is the share of |q|^2 in plane s and rho_s in [0, 1] the alignment of the
// keys with the query there (Assumption 4.2). theta_s as in rope_bounds.h. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sepx::reversal {

/// R(r) x: coordinates 2s and 2s + 1 form plane s and are rotated by r theta_s.
std::vector<double> turnedPlanes(std::span<const double> x, std::span<const double> angles, double r);
/// w of a query of 2 m coordinates, with the same planes.
std::vector<double> planeWeights(std::span<const double> q);

/// For two equal distances Delta: sum_s w_s (gamma_s + rho_s)/(1 + sum_s w_s rho_s gamma_s), gamma_s = cos(2 Delta
/// theta_s).
double symmetricCorrelation(std::span<const double> w, std::span<const double> rho, std::span<const double> angles,
                            double distance);
/// Its least value over rho: sum_s w_s gamma_s, where that is at least -1.
double symmetricBound(std::span<const double> w, std::span<const double> angles, double distance);

/// For distances Delta1 and Delta2, with a_s = cos((Delta1 + Delta2) theta_s), b_s = cos((Delta1 - Delta2) theta_s).
struct AsymmetricCorrelation {
  double correlation = 0;  ///< sum w (a + rho b)/sqrt of the product of both variances
  /// The surrogate sum w (a + rho b)/(1 + sum w rho a b): at most `correlation` where it is positive.
  double surrogate = 0;
  double least = 0;         ///< least value of the surrogate over rho
  std::vector<double> rho;  ///< the rho of that value: 1 where b_s < 0, else 0
};
AsymmetricCorrelation asymmetricCorrelation(std::span<const double> w, std::span<const double> rho,
                                            std::span<const double> angles, double forward, double reverse);

/// The mean of asymmetricCorrelation().least over w ~ Dirichlet(1, ..., 1), estimated from `samples` draws.
struct SampledBound {
  double mean = 0, error = 0;  ///< the mean and its standard error
};
SampledBound sampledAsymmetricBound(std::span<const double> angles, double forward, double reverse, int samples,
                                    std::uint64_t seed);

/// The limit of Tr R(2 Delta)/D for many dimensions, int_0^1 cos(2 Delta base^-x) dx = (Ci(2 Delta) -
/// Ci(2 Delta/base))/log base, Delta >= 0 [B.1].
double ropeIntegral(double distance, double base = 1e4);

}  // namespace sepx::reversal

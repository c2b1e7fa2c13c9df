// SPDX-License-Identifier: Apache-2.0
// P(I_min) of a Gaussian initialisation theta0 ~ N(0, sigma^2 I_2): how often small initialisation lands in the bad
// minimum. It depends on sigma and on the sign of p + q - 1 alone.
#pragma once

namespace sepx::markov {

/// p+q>1: 1/2 + int_{-1/sqrt2}^0 phi_sigma(w) erf(g(w)/(sigma sqrt2)) dw; p+q<1: the same integral over (-inf,
/// -1/sqrt2). sigma > 0; absolute error below 1e-13.
double probabilityLocalMinimum(double sigma, bool switchingAboveOne);

}  // namespace sepx::markov

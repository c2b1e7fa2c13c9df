// SPDX-License-Identifier: Apache-2.0
// P(I_min) of a Gaussian initialisation theta0 ~ N(0, sigma^2 I): how often it ends in the bad minimum. It depends on
// sigma and on the sign of p + q - 1 alone, also with attention. Both probabilities are quadratures of exact basins;
// sampled counts with their binomial interval stand beside them. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/markov/canonical_model.h"

namespace sepx::markov {

/// p+q>1: 1/2 + int_{-1/sqrt2}^0 phi_sigma(w) erf(g(w)/(sigma sqrt2)) dw; p+q<1: the same integral over (-inf,
/// -1/sqrt2). sigma > 0; absolute error below 1e-13.
double probabilityLocalMinimum(double sigma, bool switchingAboveOne);

/// The same for (e,w,a) and N(0, sigma^2 I_3) [Theorem 11, made exact by attention_basin.h]: sum over the Airy curves
/// that come down to e = 0, each with the share of w that does not climb to -1/sqrt 2. `relative`: error asked for, at
/// most 1e-3; tens of milliseconds at 1e-8, some at 1e-5. sigma from 0.02 to 50. NaN unless sigma > 0 is finite.
double probabilityLocalMinimum3(double sigma, bool switchingAboveOne, double relative = 1e-8);

/// Of model EW or EWA.
double probabilityLocalMinimum(Model model, double sigma, bool switchingAboveOne);

}  // namespace sepx::markov

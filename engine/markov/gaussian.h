// SPDX-License-Identifier: Apache-2.0
// P(I_min) of a Gaussian initialisation theta0 ~ N(0, sigma^2 I): the probability that it ends in a local (not global)
// minimum. It depends only on sigma and on the sign of p + q - 1, also with attention. Both probabilities are
// quadratures over exact basins; gaussian_count.h has sampled counts. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/markov/canonical_model.h"

namespace sepx::markov {

/// p+q>1: 1/2 + int_{-1/sqrt2}^0 phi_sigma(w) erf(g(w)/(sigma sqrt2)) dw; p+q<1: the same integral over (-inf,
/// -1/sqrt2). sigma > 0; absolute error below 1e-13.
double probabilityLocalMinimum(double sigma, bool switchingAboveOne);

/// The same for (e,w,a) and N(0, sigma^2 I_3) [Theorem 11, made exact by attention_basin.h]: an integral over the Airy
/// curves that reach e = 0, each with the share of w that does not reach -1/sqrt 2. `relative`: requested error, at
/// most 1e-3; tens of milliseconds at 1e-8, a few at 1e-5. For sigma from 0.02 to 50. NaN unless sigma > 0 is finite.
double probabilityLocalMinimum3(double sigma, bool switchingAboveOne, double relative = 1e-8);

/// For model EW or EWA.
double probabilityLocalMinimum(Model model, double sigma, bool switchingAboveOne);

}  // namespace sepx::markov

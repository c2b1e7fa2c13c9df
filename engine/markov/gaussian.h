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

/// A count and the 95 % interval of Clopper and Pearson for the probability behind it.
struct BinomialShare {
  std::int64_t hits = 0, samples = 0;
  double share() const { return samples > 0 ? static_cast<double>(hits) / static_cast<double>(samples) : 0; }
  double low = 0, high = 1;
};
BinomialShare binomialShare(std::int64_t hits, std::int64_t samples);

/// Draw i of N(0, sigma^2 I): the same for the same seed whatever came before. EW: (e,w), EWA: (e,w,a).
State gaussianStart(Model model, double sigma, std::uint64_t seed, std::uint64_t i);

struct GaussCount {
  BinomialShare byTheory;          ///< by the exact basins
  BinomialShare integrated;        ///< by following each orbit
  std::int64_t disagreements = 0;  ///< between the two, sample by sample
  std::int64_t undecided = 0;      ///< of the integrated ones
};
struct GaussCountOptions {
  std::int64_t samples = 1000;
  bool integrate = false;  ///< also follow every orbit (flow_batch.h), about a microsecond each
  std::uint64_t seed = 0;
};
/// EW or EWA. `cancelled` and `progress` are asked now and then; a cancelled count covers what it got to.
GaussCount countLocalMinima(const Chain& chain, Model model, double sigma, const GaussCountOptions& options,
                            const std::function<bool()>& cancelled = {},
                            const std::function<void(double share)>& progress = {});

}  // namespace sepx::markov

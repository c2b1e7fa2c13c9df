// SPDX-License-Identifier: Apache-2.0
// Counts how often samples of a Gaussian initialisation end in a local (not global) minimum, by the exact basins and by
// following the orbits, with binomial intervals. Complements the quadratures of gaussian.h. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/markov/canonical_model.h"

namespace sepx::markov {

/// A count and the 95 % interval of Clopper and Pearson for the probability behind it.
struct BinomialShare {
  std::int64_t hits = 0, samples = 0;
  double share() const { return samples > 0 ? static_cast<double>(hits) / static_cast<double>(samples) : 0; }
  double low = 0, high = 1;
};
BinomialShare binomialShare(std::int64_t hits, std::int64_t samples);

/// Draw i of N(0, sigma^2 I); it depends only on the seed and i. EW: (e,w), EWA: (e,w,a).
State gaussianStart(Model model, double sigma, std::uint64_t seed, std::uint64_t i);

struct GaussCount {                ///< samples, by theory and by integration
  BinomialShare byTheory;          ///< by the exact basins
  BinomialShare integrated;        ///< by following each orbit
  std::int64_t disagreements = 0;  ///< between the two, sample by sample
  std::int64_t undecided = 0;      ///< of the integrated ones
};
struct GaussCountOptions {  ///< number of samples, and the method
  std::int64_t samples = 1000;
  bool integrate = false;  ///< also follow every orbit (flow_batch.h), about a microsecond each
  std::uint64_t seed = 0;
};
/// For model EW or EWA. `cancelled` and `progress` are called now and then; a cancelled count covers the samples so
/// far.
GaussCount countLocalMinima(const Chain& chain, Model model, double sigma, const GaussCountOptions& options,
                            const std::function<bool()>& cancelled = {},
                            const std::function<void(double share)>& progress = {});

}  // namespace sepx::markov

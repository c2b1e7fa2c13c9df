// SPDX-License-Identifier: Apache-2.0
// The loss and gradient of the canonical models on sampled sequences, which are what data provide instead of L. A batch
// is B sequences of N + 1 symbols from the stationary chain, so N predictions each. The loss depends on them only
// through the counts of their transitions: L_sampled = 1/(BN) sum_ij n_ij l(z_i, j), l(z, 1) = softplus(-z), l(z,
// 0) = softplus(z). With a free bias its expectation is L. With optimal bias it is taken at the bias of the population,
// b*(theta), so that loss and gradient stay unbiased (the best bias of the batch would make both too small). Any
// thread; pure.
#pragma once

#include <array>
#include <cstdint>

#include "engine/core/random.h"
#include "engine/markov/canonical_model.h"

namespace sepx::markov {

/// n[i][j]: how often j followed i.
struct TransitionCounts {
  std::array<std::array<std::int64_t, 2>, 2> n{};
  std::int64_t total() const { return n[0][0] + n[0][1] + n[1][0] + n[1][1]; }
};

/// Counts of `batch` sequences with `length` predictions each, drawn one after the other from `stream`.
TransitionCounts sampleTransitions(const Chain& chain, int batch, int length, RandomStream& stream);

struct SampledEvaluation {  ///< of one batch
  double loss = 0;          ///< nats
  State gradient;           ///< [dimension(model)]
};
/// Loss and gradient on these counts; zero if there are none. `chain` is used only for b*, where the bias is optimal.
SampledEvaluation evaluateSampled(const Chain& chain, Model model, const State& theta, const TransitionCounts& counts);

}  // namespace sepx::markov

// SPDX-License-Identifier: Apache-2.0
// A real transformer that starts at a point of the canonical plane or space: the run whose first parameters are the
// embedding of (e, w, a) [Local-to-Global, A.1, D, H.1; engine/nn/initialise.h says how], so that its path can be drawn
// beside the flow of theory. The two part: the network's positions, hidden units and attention are free, and steps are
// no flow. Its projection at every `scores_every` steps is in the run's metrics (canonical_e, ...; train/metrics.h).
// Any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/core/result.h"
#include "engine/markov/chain.h"
#include "engine/train/run_config.h"

namespace sepx::studies {

/// The single-layer transformer of Section 2: one vector for the bit, tied to the output, no norms, ReLU, learned
/// positions; width d, sequences of N bits of the chain in batches of 16. Start and optimiser are the config's
/// defaults.
train::RunConfig sectionTwo(const markov::Chain& chain, int d, int N);

struct CanonicalStart {
  markov::Chain chain;
  double e = 0.5, w = -1;
  double a = 0;             ///< not 0: linear attention
  std::optional<double> b;  ///< bias of L(e, w, a, b); none: the best one
  int d_model = 8, length = 64;
  std::uint64_t seed = 0;  ///< of the direction alpha, of the data and of the batches
  bool linear = false;     ///< linear attention also where a = 0, so that a can grow
};
/// SGD at 0.01, projected every 5 steps. Usage with a sentence where a number is outside what a config may hold.
Result<train::RunConfig> canonicalRun(const CanonicalStart& start);

}  // namespace sepx::studies

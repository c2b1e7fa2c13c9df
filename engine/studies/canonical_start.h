// SPDX-License-Identifier: Apache-2.0
// A real transformer that starts at a point of the canonical plane or space: a run whose initial parameters are the
// embedding of (e, w, a) [Local-to-Global, A.1, D, H.1; see engine/nn/initialise.h], so that its path can be drawn next
// to the theoretical flow. The two paths diverge, because the network's positions, hidden units and attention are free
// and because discrete steps are not a flow. The run's metrics contain its projection every `scores_every` steps
// (canonical_e, ...; train/metrics.h). Any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/core/result.h"
#include "engine/markov/chain.h"
#include "engine/train/run_config.h"

namespace sepx::studies {

/// The single-layer transformer of Section 2: one vector for the bit, tied to the output, no norms, ReLU, learned
/// positions; width d, sequences of N bits of the chain in batches of 16. Initialisation and optimiser are the defaults
/// of the config.
train::RunConfig sectionTwo(const markov::Chain& chain, int d, int N);

struct CanonicalStart {
  markov::Chain chain;
  double e = 0.5, w = -1;
  double a = 0;             ///< if not 0, attention is linear
  std::optional<double> b;  ///< bias of L(e, w, a, b); empty: the best one
  int d_model = 8, length = 64;
  std::uint64_t seed = 0;  ///< seed of the direction alpha, the data and the batches
  bool linear = false;     ///< linear attention also if a = 0, so that a can grow
};
/// A run by SGD with learning rate 0.01 and a projection every 5 steps. Fails with Usage and a message if a number is
/// outside the range that a config allows.
Result<train::RunConfig> canonicalRun(const CanonicalStart& start);

}  // namespace sepx::studies

// SPDX-License-Identifier: Apache-2.0
// Plans one block of a model by its family's names. Private to the plan of a model. Reads headers only; any thread.
#pragma once

#include "engine/checkpoint/plan_names.h"

namespace sepx::checkpoint {

/// Properties that all blocks of a model share.
struct BlockKind {
  NormKind norm;
  FeedForwardActivation activation = FeedForwardActivation::GeluTanh;
  bool epsilonKnown = false;  ///< norm.epsilon overrides the value assumed by the map of the attention
};

/// A block, as far as the file contains it.
struct BlockFound {
  BlockPlan block;
  /// What is missing, as the beginning of a sentence: "there are no feed-forward weights"; empty: complete.
  std::string lacks;
};

/// BadInput, in one sentence, if shapes do not fit together or not even the attention's pattern can be computed.
Result<BlockFound> blockOf(const Checkpoint& checkpoint, const PlanNames& names, const FamilyParts& parts,
                           const BlockKind& kind, const AttentionLayer& layer);

}  // namespace sepx::checkpoint

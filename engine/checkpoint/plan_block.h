// SPDX-License-Identifier: Apache-2.0
// One block of a model by the names of its family. Private to the plan of a model. Reads headers only; any thread.
#pragma once

#include "engine/checkpoint/plan_names.h"

namespace sepx::checkpoint {

/// What all blocks of a model share.
struct BlockKind {
  NormKind norm;
  FeedForwardActivation activation = FeedForwardActivation::GeluTanh;
  bool epsilonKnown = false;  ///< norm.epsilon goes before what the map of the attention assumed
};

/// A block as far as the file has it.
struct BlockFound {
  BlockPlan block;
  /// What is not there, a sentence without its end: "there are no feed-forward weights"; empty: the block is whole.
  std::string lacks;
};

/// BadInput, one sentence: what is there has shapes that do not go together, or not even the pattern of the attention
/// can be computed.
Result<BlockFound> blockOf(const Checkpoint& checkpoint, const PlanNames& names, const FamilyParts& parts,
                           const BlockKind& kind, const AttentionLayer& layer);

}  // namespace sepx::checkpoint

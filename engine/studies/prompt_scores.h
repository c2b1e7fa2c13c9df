// SPDX-License-Identifier: Apache-2.0
// Forward and reverse attention scores of given prompts in a checkpoint with RoPE, such as LLaDA or Dream [Reversal,
// section 6, Figure 4 left]. Each relation is queried forwards and backwards by prompts of token ids with [M]. The
// score of a head is the mean of q . k (scaled, with RoPE) from the places of [M] to those of the evidence. The
// correlation is Pearson's, over the prompts, between the forward and the reverse score of the same relation. The paper
// averages over placements and does not state over what it correlates; this is our interpretation. Layer 0 reads only
// embeddings. A deeper layer reads the stream after the blocks below it, which engine/nn computes block by block, so
// that at most one block is in memory. Geometry: the RoPE planes of a head with Assumption 4.2 over a sample of tokens,
// at layer 0. Worker threads only; reads files.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/checkpoint/attention_map.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/reversal/rope_planes.h"

namespace sepx::studies {

struct PromptPair {                            ///< a prompt and its reverse
  std::vector<std::int32_t> forward, reverse;  ///< token ids, each with [M]
  std::vector<std::int32_t> evidence;          ///< ids that are consecutive in both
};
struct Prompts {           ///< the contents of a file of prompts
  std::int32_t mask = -1;  ///< id of [M]; -1: that of the checkpoint
  std::vector<PromptPair> pairs;
};
/// Reads a JSON file {"mask": 5, "pairs": [{"forward": [5, 7, 9], "reverse": [9, 8, 5], "evidence": [9]}, ...]}. The
/// message of BadInput names the field.
Result<Prompts> readPrompts(const std::string& path);

/// `mask_token_id` of the checkpoint's config; -1 if it has none.
std::int32_t maskTokenOf(const checkpoint::Checkpoint& checkpoint);

struct PromptHead {                 ///< of one head
  double correlation = 0;           ///< NaN where a score does not vary or there are fewer than 3 prompts
  double forward = 0, reverse = 0;  ///< mean scores
};
struct PromptLayer {  ///< of one layer
  int layer = 0;
  std::vector<PromptHead> heads;
};

struct PromptWork {  ///< the thread pool and callbacks
  ThreadPool& pool;
  std::function<bool()> cancelled{};             ///< may be empty
  std::function<void(double share)> progress{};  ///< may be empty
};
/// Scores of layers 0 ... `layers` - 1 of the stack of the first layer. Usage if there is no RoPE, a token is outside
/// the vocabulary, a prompt lacks [M] or its evidence, there are fewer than 3 pairs, or engine/nn does not compute a
/// block (its tensors are not those of LLaMA or LLaDA); BadInput if the file is damaged; Interrupted if cancelled.
Result<std::vector<PromptLayer>> promptScores(const checkpoint::Checkpoint& checkpoint,
                                              const checkpoint::AttentionMap& map, const Prompts& prompts, int layers,
                                              const PromptWork& work);

/// The planes of every head of layer 0, with the query of [M] and the keys of the sample `tokens`. Usage as in
/// promptScores(), and if there are fewer than 2 different tokens.
Result<std::vector<reversal::RopePlanes>> headPlanes(const checkpoint::Checkpoint& checkpoint,
                                                     const checkpoint::AttentionMap& map, std::int32_t mask,
                                                     const std::vector<std::int32_t>& tokens,
                                                     const checkpoint::Cancelled& cancelled = {});
/// `count` ids spread evenly over the vocabulary, without `mask`.
std::vector<std::int32_t> sampleTokens(std::int64_t vocabulary, int count, std::int32_t mask);
/// Rows of the token embedding; 0: the checkpoint has none.
std::int64_t vocabularyOf(const checkpoint::Checkpoint& checkpoint, const checkpoint::AttentionMap& map);

}  // namespace sepx::studies

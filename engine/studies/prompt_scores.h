// SPDX-License-Identifier: Apache-2.0
// Forward and reverse attention scores of given prompts in a checkpoint with RoPE, such as LLaDA or Dream [Reversal,
// section 6, Figure 4 left]. A relation is asked forwards and backwards as token ids, with [M] in both; the score of a
// head is the mean of q . k (scaled, with RoPE) from the places of [M] to those of the evidence. The correlation is
// Pearson's over the prompts, of the forward with the reverse score of the same relation. The paper averages over
// placements and does not print over what it correlates; this is our reading. Layer 0 reads embeddings alone; a deeper
// one the stream after the blocks below it, computed by engine/nn block by block, so that never more than one block is
// in memory. Geometry: the planes of RoPE of a head with Assumption 4.2 over a sample of tokens, at layer 0.
// Workers only; reads files.
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
  std::vector<std::int32_t> evidence;          ///< ids that stand one after the other in both
};
struct Prompts {           ///< a file of them
  std::int32_t mask = -1;  ///< id of [M]; -1: that of the checkpoint
  std::vector<PromptPair> pairs;
};
/// A JSON file {"mask": 5, "pairs": [{"forward": [5, 7, 9], "reverse": [9, 8, 5], "evidence": [9]}, ...]}. BadInput
/// names the field.
Result<Prompts> readPrompts(const std::string& path);

/// `mask_token_id` of the checkpoint's config; -1: it says none.
std::int32_t maskTokenOf(const checkpoint::Checkpoint& checkpoint);

struct PromptHead {                 ///< of one head
  double correlation = 0;           ///< NaN where a score does not vary or there are fewer than 3 prompts
  double forward = 0, reverse = 0;  ///< mean scores
};
struct PromptLayer {  ///< of one layer
  int layer = 0;
  std::vector<PromptHead> heads;
};

struct PromptWork {  ///< who computes, and whom to ask
  ThreadPool& pool;
  std::function<bool()> cancelled{};             ///< may be empty
  std::function<void(double share)> progress{};  ///< may be empty
};
/// Layers 0 ... `layers` - 1 of the stack of the first layer. Usage: no RoPE, a token outside the vocabulary, a prompt
/// without [M] or without its evidence, fewer than 3 pairs, or a block that engine/nn does not compute (its tensors are
/// not those of LLaMA or LLaDA); BadInput: a damaged file; Interrupted.
Result<std::vector<PromptLayer>> promptScores(const checkpoint::Checkpoint& checkpoint,
                                              const checkpoint::AttentionMap& map, const Prompts& prompts, int layers,
                                              const PromptWork& work);

/// Of every head of layer 0: [M] asks, `tokens` are the sample. Usage as promptScores(), and for fewer than 2 tokens.
Result<std::vector<reversal::RopePlanes>> headPlanes(const checkpoint::Checkpoint& checkpoint,
                                                     const checkpoint::AttentionMap& map, std::int32_t mask,
                                                     const std::vector<std::int32_t>& tokens,
                                                     const checkpoint::Cancelled& cancelled = {});
/// `count` ids spread evenly over the vocabulary, without `mask`.
std::vector<std::int32_t> sampleTokens(std::int64_t vocabulary, int count, std::int32_t mask);
/// Rows of the token embedding; 0: the checkpoint has none.
std::int64_t vocabularyOf(const checkpoint::Checkpoint& checkpoint, const checkpoint::AttentionMap& map);

}  // namespace sepx::studies

// SPDX-License-Identifier: Apache-2.0
// How a batch is processed and where its activations lie in one arena. Everything is computed from shapes alone, so
// that the memory needed is known before anything is allocated, and no result depends on the number of threads. Plain
// data; any thread.
//   A batch is cut into shards of whole sequences, small enough that what one operation writes is still in the cache
//   when the next one reads it. Models with a small gradient run lanes of shards in parallel, each lane with its own
//   gradient (summed in the order of the lanes); larger models share each operation of a shard among the threads.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/nn/model_config.h"

namespace sepx::nn {

struct Shards {       ///< how a batch is cut so that it fits the cache
  int sequences = 1;  ///< of each shard but the last
  int count = 1;
  int lanes = 1;  ///< 1: threads share the operations of a shard; else lane i processes shards i, i + lanes, ...
};
Shards shardsOf(const ModelConfig& config, int sequences, int length);  ///< depends on sizes alone, never on threads

/// Offsets of one block's activations, in elements. Unused arrays have size 0.
struct BlockPlan {
  std::size_t norm1 = 0, stats1 = 0;     ///< [rows, d], [rows, 2]
  std::size_t qkv = 0;                   ///< [rows, d_qkv]
  std::size_t context = 0, logSums = 0;  ///< [rows, d_q], [sequences, heads, length]
  std::size_t sum1 = 0;                  ///< [rows, d]: projected context, to which the stream is then added
  std::size_t norm2 = 0, stats2 = 0;     ///< [rows, d], [rows, 2]
  std::size_t pre = 0, hidden = 0;       ///< [rows, ff] (SwiGLU: 2 ff), [rows, ff]
  std::size_t sum2 = 0;                  ///< [rows, d]
};

/// The layout of one shard's arena.
struct ActivationPlan {
  ActivationPlan() = default;
  /// For `sequences` x `length` rows and at most `targets` targets.
  ActivationPlan(const ModelConfig& config, int sequences, int length, std::size_t targets);

  std::size_t rows = 0;       ///< sequences * length
  std::size_t headRows = 0;   ///< rows for which the head has room
  std::size_t patchRows = 0;  ///< [rows, values of a patch], images only
  std::size_t embedding = 0, embeddingNorm = 0, embeddingStats = 0;
  std::vector<BlockPlan> blocks;
  std::size_t tailStream = 0, tailContext = 0;  ///< rows of the targets, where the last block computes only those
  std::size_t headInput = 0, headNormed = 0, headStats = 0;
  std::size_t transformed = 0, activated = 0, headOutput = 0, transformStats = 0;  ///< of the head's transform
  std::size_t headGradient = 0, headGradient2 = 0;                                 ///< [headRows, d]
  std::size_t gradient = 0, gradient2 = 0, dropped = 0;                            ///< [rows, d]
  std::size_t contextGradient = 0, qkvGradient = 0;  ///< [rows, d_q], [rows, d_qkv], of one block at a time
  std::size_t activations = 0;                       ///< elements kept from forward to backward
  std::size_t size = 0;                              ///< elements of the whole arena
};

/// Elements that one thread's products, attention and head hold while they run: weights packed for a product, keys and
/// values of a sequence with their gradients, and a block of logits.
std::size_t kernelScratch(const ModelConfig& config, int length, std::size_t targets);

}  // namespace sepx::nn

// SPDX-License-Identifier: Apache-2.0
// Shards, offsets in the arena and the memory needed (memory.h). Pure; any thread.
#include "engine/nn/memory.h"

#include <algorithm>
#include <thread>

#include "engine/nn/layers/cross_entropy.h"

namespace sepx::nn {

namespace {

constexpr std::size_t kAlign = 32;  // elements: a cache line pair in float

/// Assigns consecutive aligned offsets.
class Places {
 public:
  std::size_t take(std::size_t elements) {
    const std::size_t place = size_;
    size_ += (elements + kAlign - 1) / kAlign * kAlign;
    return place;
  }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

std::size_t wide(int value) {
  return static_cast<std::size_t>(value);
}

BlockPlan planBlock(const ModelConfig& c, std::size_t rows, Places& places) {
  const std::size_t d = wide(c.d_model), ff = wide(c.ff());
  const std::size_t normed = c.norm == Norm::None ? 0 : rows * d, stats = c.norm == Norm::None ? 0 : rows * 2;
  BlockPlan block;
  block.norm1 = places.take(normed);
  block.stats1 = places.take(stats);
  block.qkv = places.take(rows * wide(c.d_qkv()));
  block.context = places.take(rows * wide(c.d_q()));
  block.logSums = places.take(c.attention == AttentionKind::Softmax ? rows * wide(c.heads) : 0);
  block.sum1 = places.take(rows * d);
  if (ff == 0) return block;
  block.norm2 = places.take(normed);
  block.stats2 = places.take(stats);
  block.pre = places.take(rows * ff * (c.activation == Activation::SwiGlu ? 2 : 1));
  block.hidden = places.take(rows * ff);
  block.sum2 = places.take(rows * d);
  return block;
}

/// Elements that one block writes per row, forward and backward together.
std::size_t rowElements(const ModelConfig& c) {
  return 6 * wide(c.d_model) + 2 * wide(c.d_qkv()) + 2 * wide(c.d_q()) +
         wide(c.ff()) * (c.activation == Activation::SwiGlu ? 3 : 2);
}

}  // namespace

Shards shardsOf(const ModelConfig& config, int sequences, int length) {
  constexpr std::size_t kShardElements = std::size_t{1} << 22U;   // 16 MB of float: a share of the last-level cache
  constexpr std::int64_t kLaneElements = std::int64_t{1} << 22U;  // limit of all lanes' gradients together
  constexpr std::int64_t kMostLanes = 16, kLeastLanes = 8;        // fewer would leave cores of larger machines idle
  constexpr std::size_t kLaneRows = 256;                          // fewest rows of a shard that are worth a thread
  constexpr std::size_t kSharedRows = 768;  // fewer rows do not amortise packing weights and adding to gradients
  const std::int64_t possible = std::min(kMostLanes, kLaneElements / parameterCount(config));
  const bool lanes = possible >= kLeastLanes && sequences > 1;
  const auto sequencesOf = [&](std::size_t rows) {
    return std::clamp(static_cast<int>(std::min<std::size_t>(rows / wide(length), 1U << 30U)), 1, sequences);
  };
  Shards shards;
  shards.sequences = sequencesOf(
      std::max(lanes ? kLaneRows : kSharedRows, kShardElements / std::max<std::size_t>(rowElements(config), 1)));
  if (lanes) {
    // One shard per lane, unless a shard would then have fewer than kLaneRows rows.
    const int even = (sequences + static_cast<int>(possible) - 1) / static_cast<int>(possible);
    shards.sequences = std::min(shards.sequences, std::max(sequencesOf(kLaneRows), even));
  }
  shards.count = (sequences + shards.sequences - 1) / shards.sequences;
  shards.lanes = lanes ? std::min(static_cast<int>(possible), shards.count) : 1;
  return shards;
}

ActivationPlan::ActivationPlan(const ModelConfig& config, int sequences, int length, std::size_t targets) {
  const std::size_t d = wide(config.d_model);
  rows = wide(sequences) * wide(length);
  headRows = std::max(rows, targets);
  Places places;
  patchRows = places.take(config.readsImages() ? rows * wide(config.patchValues()) : 0);
  embedding = places.take(rows * d);
  embeddingNorm = places.take(config.embeddingNorm ? rows * d : 0);
  embeddingStats = places.take(config.embeddingNorm ? rows * 2 : 0);
  for (int layer = 0; layer < config.layers; ++layer)
    blocks.push_back(planBlock(config, rows, places));
  tailStream = places.take(rows * d);
  tailContext = places.take(rows * wide(config.d_q()));
  const bool norm = config.norm != Norm::None;
  headInput = places.take(headRows * d);
  headNormed = places.take(norm && config.finalNorm ? headRows * d : 0);
  headStats = places.take(norm && config.finalNorm ? headRows * 2 : 0);
  transformed = places.take(config.headTransform ? headRows * d : 0);
  activated = places.take(config.headTransform ? headRows * d : 0);
  headOutput = places.take(config.headTransform && norm ? headRows * d : 0);
  transformStats = places.take(config.headTransform && norm ? headRows * 2 : 0);
  activations = places.size();

  headGradient = places.take(headRows * d);
  headGradient2 = places.take(headRows * d);
  gradient = places.take(rows * d);
  gradient2 = places.take(rows * d);
  dropped = places.take(config.residualDropout > 0 ? rows * d : 0);
  contextGradient = places.take(rows * wide(config.d_q()));
  qkvGradient = places.take(rows * wide(config.d_qkv()));
  size = places.size();
}

std::size_t kernelScratch(const ModelConfig& c, int length, std::size_t targets) {
  const std::size_t ups = wide(c.ff()) * (c.activation == Activation::SwiGlu ? 2 : 1);
  const std::size_t weights = wide(c.d_model) * std::max({wide(c.d_qkv()), wide(c.d_q()), ups, wide(c.logits()),
                                                          c.readsImages() ? wide(c.patchValues()) : 0});
  const std::size_t attention = 6 * wide(length) * wide(c.d_h());
  return weights + attention + crossEntropyScratch(targets, c.logits());
}

MemoryNeed memoryNeed(const ModelConfig& config, int sequences, int length, int targets, int statesPerParameter,
                      std::size_t elementSize, int threads) {
  if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const Shards shards = shardsOf(config, sequences, length);
  const std::size_t each = std::min(wide(targets), wide(shards.sequences) * wide(length));
  const ActivationPlan plan(config, shards.sequences, length, each);
  const std::int64_t arenas = std::min(shards.lanes, threads), element = static_cast<std::int64_t>(elementSize);
  const std::int64_t parameters = parameterCount(config) * element;
  MemoryNeed need;
  need.parameters = parameters;
  need.gradient = parameters * (shards.lanes > 1 ? 1 + shards.lanes : 1);
  need.optimiser = parameters * statesPerParameter;
  need.activations = arenas * static_cast<std::int64_t>(plan.activations) * element;
  need.scratch =
      arenas * static_cast<std::int64_t>(plan.size - plan.activations + kernelScratch(config, length, each)) * element;
  return need;
}

}  // namespace sepx::nn

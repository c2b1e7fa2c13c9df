// SPDX-License-Identifier: Apache-2.0
// Inputs and results of a forward pass. Row-major, T float or double. Plain data; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sepx::forward {

/// Tokens, or the pixels of one image [channels, side, side] as the model was trained on them (normalised).
struct Input {
  std::vector<std::int32_t> ids;
  std::vector<float> pixels;
};

/// A change of a value of the pass, applied as soon as the value is computed; several apply in their order.
struct Intervention {
  enum class Target {  ///< what is changed
    Head,              ///< what a head adds to the stream (its context before W_O)
    FeedForward,       ///< what a feed-forward part adds
    Attention,         ///< what the attention of a layer adds, all heads and W_O's bias
    Stream,            ///< the stream before block `layer`; layer = number of blocks: the stream after the last block
    Symmetric,         ///< the part of a head's scores from (W_qk + W_qk^T)/2
    Skew,              ///< the part of a head's scores from (W_qk - W_qk^T)/2
  };
  enum class How {  ///< how it is changed
    Scale,          ///< multiplied by `factor`; 0 removes it
    Mean,           ///< replaced by its mean over all positions
    Replace,        ///< replaced by `values`, [1 or positions, width of the target]
  };
  Target target = Target::Head;
  How how = How::Scale;
  int layer = -1;     ///< -1: every layer
  int head = -1;      ///< -1: every head
  int position = -1;  ///< -1: every position; of queries for Symmetric and Skew
  double factor = 0;
  std::shared_ptr<const std::vector<float>> values;
};

/// What a pass computes and keeps.
struct Request {
  std::vector<Intervention> interventions;
  bool attention = true;  ///< probabilities of all heads
  bool hidden = true;     ///< the stream after each block
  bool writes = false;    ///< contexts and what each branch added: for score_parts.h and path patching
  bool logits = true;
  std::vector<int> logitsAt;  ///< positions; empty: all
  int layers = -1;            ///< number of blocks to compute (logits only for all blocks); -1: all blocks of the plan
};

/// The cache of keys and values, after norms and rotation, of the positions already computed. A continued pass needs
/// nothing else of them, because under causal attention later positions do not change them.
template <class T>
struct KeyValueCache {
  int positions = 0;
  std::vector<std::vector<T>> blocks;  ///< [positions, kvHeads (d_h + d_v)], keys before values; may be longer
};

/// Values after the interventions. n: number of computed positions, m: number of all positions, larger only with a
/// KeyValueCache.
template <class T>
struct BlockActivations {
  int heads = 0;
  std::vector<T> attention;         ///< [heads, n, m] probabilities, query by key; 0 where masked
  std::vector<T> hidden;            ///< [n, d] stream after the block
  std::vector<T> middle;            ///< [n, d] stream after the sum of the attention and its norm (`writes`)
  std::vector<T> context;           ///< [n, heads d_v] before W_O (`writes`)
  std::vector<T> attentionWrite;    ///< [n, d] what the attention added (`writes`)
  std::vector<T> feedForwardWrite;  ///< [n, d] what the feed-forward part added; empty: none (`writes`)
};

template <class T>
struct Activations {
  int positions = 0, d_model = 0;  ///< positions computed, from `first` on
  int first = 0;
  std::vector<T> embedding;  ///< [n, d] input of the first block
  std::vector<BlockActivations<T>> blocks;
  std::vector<int> logitsAt;  ///< positions of the rows of `logits`
  std::vector<T> logits;      ///< [logitsAt, vocabulary]; empty: not requested, or the file has none
  std::int64_t vocabulary = 0;
  std::size_t nonfinite = 0;  ///< number of values of logits and stream that are NaN or infinite

  const T* logitsOf(std::size_t row) const { return logits.data() + row * static_cast<std::size_t>(vocabulary); }
};

}  // namespace sepx::forward

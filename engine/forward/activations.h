// SPDX-License-Identifier: Apache-2.0
// What a forward pass reads and what it leaves behind. Row-major, T float or double. Plain data; any thread.
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

/// A change of the computation, applied where it is computed; several apply in their order.
struct Intervention {
  enum class Target {  ///< what is changed
    Head,              ///< what a head adds to the stream (its context before W_O)
    FeedForward,       ///< what a feed-forward part adds
    Attention,         ///< what the attention of a layer adds, all heads and W_O's bias
    Stream,            ///< the stream that enters block `layer` (layer = number of blocks: that leaves the last)
    Symmetric,         ///< the part of a head's scores from (W_qk + W_qk^T)/2
    Skew,              ///< the part of a head's scores from (W_qk - W_qk^T)/2
  };
  enum class How {  ///< by what
    Scale,          ///< times `factor`; 0 takes it out
    Mean,           ///< its mean over the positions, everywhere
    Replace,        ///< `values`, [1 or positions, width of the target]
  };
  Target target = Target::Head;
  How how = How::Scale;
  int layer = -1;     ///< -1: every layer
  int head = -1;      ///< -1: every head
  int position = -1;  ///< -1: every position; of queries for Symmetric and Skew
  double factor = 0;
  std::shared_ptr<const std::vector<float>> values;
};

/// What is wanted besides the stream.
struct Request {
  std::vector<Intervention> interventions;
  bool attention = true;  ///< probabilities of all heads
  bool hidden = true;     ///< the stream after each block
  bool writes = false;    ///< contexts and what each branch added: for score_parts.h and path patching
  bool logits = true;
  std::vector<int> logitsAt;  ///< positions; empty: all
  int layers = -1;            ///< compute so many blocks (no logits then unless it is all); -1: all that the plan has
};

/// Keys and values of the positions that a pass has computed, turned and normed: what a pass that goes on needs of
/// them, as under causal attention nothing that follows changes them.
template <class T>
struct Past {
  int positions = 0;
  std::vector<std::vector<T>> blocks;  ///< [positions, kvHeads (d_h + d_v)], keys before values; may be longer
};

/// As the interventions left them. n: positions that were computed, m: all; only with a Past are there more.
template <class T>
struct BlockActivations {
  int heads = 0;
  std::vector<T> attention;         ///< [heads, n, m] probabilities, query by key; 0 where not allowed
  std::vector<T> hidden;            ///< [n, d] stream after the block
  std::vector<T> middle;            ///< [n, d] stream behind the attention's sum and its norm (`writes`)
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
  std::vector<T> logits;      ///< [logitsAt, vocabulary]; empty: the file has none
  std::int64_t vocabulary = 0;
  std::size_t nonfinite = 0;  ///< numbers of logits and stream that are NaN or infinite

  const T* logitsOf(std::size_t row) const { return logits.data() + row * static_cast<std::size_t>(vocabulary); }
};

}  // namespace sepx::forward

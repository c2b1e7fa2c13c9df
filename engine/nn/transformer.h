// SPDX-License-Identifier: Apache-2.0
// The transformer itself: forward, loss and hand-derived backward in one precision; float for training, double for
// checks. Owns its parameters and gradient as flat arrays (parameters.h) and its activations as one arena that is made
// at the first batch of a size and kept. Uses the pool inside a call; one thread at a time calls it. The same bits on
// any number of threads of one CPU level.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "engine/core/thread_pool.h"
#include "engine/nn/batch.h"
#include "engine/nn/model_config.h"
#include "engine/nn/parameters.h"

namespace sepx::nn {

/// Which random numbers dropout draws: the same key gives the same masks in every pass.
struct DropoutKey {
  std::uint64_t seed = 0, step = 0;  ///< of the run; of the update
};

/// What the attention of one layer saw in the last accumulate(): enough to take the update of W_qk apart
/// [Attention-Structure, Proposition 2.1]. Row-major.
template <class T>
struct AttentionProbe {
  int layer = -1;                      ///< ask for this one; -1: none
  std::span<const T> x;                ///< input of the projections, [tokens, d_model]
  std::span<const T> qkv;              ///< Q | K | V after the rotary encoding, [tokens, d_qkv]
  std::span<const T> contextGradient;  ///< dL/d context, [tokens, d_q]
};

template <class T>
class Transformer {
 public:
  /// `config` has passed check(). Parameters are zero until initialised (initialise.h) or loaded. `pool` outlives this.
  Transformer(const ModelConfig& config, ThreadPool& pool);
  ~Transformer();
  Transformer(Transformer&&) noexcept;
  Transformer& operator=(Transformer&&) noexcept;

  const ModelConfig& config() const;      ///< as it was made with
  const ParameterLayout& layout() const;  ///< of theta and of the gradient
  std::span<T> theta();                   ///< all parameters, as layout() has them
  std::span<const T> theta() const;       ///< the same, to read
  std::span<T> gradient();                ///< of the last backward pass, added up
  std::span<const T> gradient() const;    ///< the same, to read
  /// Rows of one parameter in theta() or gradient().
  std::span<T> of(const Parameter& parameter) { return theta().subspan(parameter.offset, parameter.size()); }
  void clearGradient();

  /// Loss in training mode (dropout by `key`), and its gradient times `scale` added to gradient(). Sum in double.
  /// `part`: of this share of the batch alone; the sum over all parts is that of the whole batch, to rounding.
  double accumulate(const Batch& batch, const DropoutKey& key, double scale = 1, BatchPart part = {});
  /// Loss without dropout; the gradient stays.
  double evaluate(const Batch& batch);
  /// The same, and the loss of each target (unweighted, nats) into `losses` [targets].
  double evaluate(const Batch& batch, std::span<double> losses);
  /// Logits of the rows `rows` (b * length + n), without dropout, into out [rows, config().logits()].
  void logits(const Batch& batch, std::span<const std::int32_t> rows, std::span<T> out);

  AttentionProbe<T>& probe();  ///< what the next pass keeps of attention
  /// Called before each half of a block, by several of the pool's threads at once: where a trainer lets the window go
  /// first. May be empty.
  void onYield(std::function<void()> yield);
  /// Asked before each group of sequences, from several threads: once it says yes the rest is left out, and what
  /// accumulate() or evaluate() answers, and the gradient, are worth nothing. Empty: never.
  void onCancel(std::function<bool()> cancelled);
  /// Bytes held now: parameters, gradient, arena, scratch.
  std::size_t bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

extern template class Transformer<float>;
extern template class Transformer<double>;

}  // namespace sepx::nn

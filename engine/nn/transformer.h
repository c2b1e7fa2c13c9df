// SPDX-License-Identifier: Apache-2.0
// The transformer: forward, loss and hand-derived backward in one precision; float for training, double for checks.
// Owns its parameters and gradient as flat arrays (parameters.h), and arenas for its activations, which are allocated
// at the first batch of a size and kept. Uses the pool inside a call; one thread at a time calls it. The results are
// bitwise the same on any number of threads of one CPU level.
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

/// Selects the random numbers of dropout: the same key gives the same masks in every pass.
struct DropoutKey {
  std::uint64_t seed = 0, step = 0;  ///< seed of the run; number of the update
};

/// Inputs of one layer's attention and the gradient of its context in the last accumulate(): enough to decompose the
/// update of W_qk [Attention-Structure, Proposition 2.1]. Row-major.
template <class T>
struct AttentionProbe {
  int layer = -1;                      ///< set by the caller: the layer to record; -1: none
  std::span<const T> x;                ///< input of the projections, [tokens, d_model]
  std::span<const T> qkv;              ///< Q | K | V after the rotary encoding, [tokens, d_qkv]
  std::span<const T> contextGradient;  ///< dL/d context, [tokens, d_q]
};

template <class T>
class Transformer {
 public:
  /// `config` has passed check(). Parameters are zero until initialised (initialise.h) or loaded. `pool` outlives this
  /// object.
  Transformer(const ModelConfig& config, ThreadPool& pool);
  ~Transformer();
  Transformer(Transformer&&) noexcept;
  Transformer& operator=(Transformer&&) noexcept;

  const ModelConfig& config() const;      ///< as given to the constructor
  const ParameterLayout& layout() const;  ///< of theta and of the gradient
  std::span<T> theta();                   ///< all parameters, in the order of layout()
  std::span<const T> theta() const;       ///< the same, read-only
  std::span<T> gradient();                ///< accumulated over backward passes
  std::span<const T> gradient() const;    ///< the same, read-only
  /// Elements of one parameter in theta().
  std::span<T> of(const Parameter& parameter) { return theta().subspan(parameter.offset, parameter.size()); }
  void clearGradient();

  /// Computes the loss in training mode (dropout by `key`), summed in double, and adds its gradient times `scale` to
  /// gradient(). `part`: only for this share of the batch; the sum over all parts is that of the whole batch, to
  /// rounding.
  double accumulate(const Batch& batch, const DropoutKey& key, double scale = 1, BatchPart part = {});
  /// Loss without dropout; gradient() is unchanged.
  double evaluate(const Batch& batch);
  /// The same; also writes the loss of each target (unweighted, nats) to `losses` [targets].
  double evaluate(const Batch& batch, std::span<double> losses);
  /// Writes the logits of the rows `rows` (b * length + n), without dropout, to out [rows, config().logits()].
  void logits(const Batch& batch, std::span<const std::int32_t> rows, std::span<T> out);

  AttentionProbe<T>& probe();  ///< attention data that the next pass records
  /// Sets a callback that runs before each half of a block, on several of the pool's threads at once. A trainer uses it
  /// to let the window go first. May be empty.
  void onYield(std::function<void()> yield);
  /// Sets a callback that runs before each group of sequences, on several threads. Once it returns true, the rest is
  /// skipped, and the result of accumulate() or evaluate() and the gradient are invalid. Empty: nothing is cancelled.
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

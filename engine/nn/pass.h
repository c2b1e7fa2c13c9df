// SPDX-License-Identifier: Apache-2.0
// Takes one shard of a batch through the whole model, forward and backward, in an arena (memory.h). The stream s
// between blocks is a matrix whose last addend may still be pending; the norm that reads s next adds it in the same
// pass over memory. Without model.residual a branch replaces s.
//   pre-norm   s += W_O attention(norm s);  s += W_2 act(W_1 norm s)     post-norm   s = norm(s + branch s)
// After the last attention only the rows of targets matter: where they are few, the rest is computed for them alone.
// One thread calls it; the pool's threads work inside.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/nn/batch.h"
#include "engine/nn/layers/attention.h"
#include "engine/nn/layers/dropout.h"
#include "engine/nn/layers/positions.h"
#include "engine/nn/memory.h"
#include "engine/nn/model_config.h"
#include "engine/nn/transformer.h"
#include "engine/nn/weights.h"

namespace sepx::nn {

/// Constant data that a model needs besides its parameters.
template <class T>
struct Constants {
  explicit Constants(const ModelConfig& config);
  std::vector<T> sinusoids;    ///< [length, d_model]; empty: none
  RotaryTable<T> rotary;       ///< half is 0 where there is none
  std::vector<double> slopes;  ///< [heads] with ALiBi, else empty
  AttentionShape attention;    ///< without sequences, length, lengths, masks, dropout; refers to `slopes`
  Constants(const Constants&) = delete;
  Constants& operator=(const Constants&) = delete;
};

/// Destination of the attention data of one layer, for all rows of a batch (transformer.h); layer -1: nothing is
/// copied.
template <class T>
struct ProbeRows {
  int layer = -1;
  T *x = nullptr, *qkv = nullptr, *contextGradient = nullptr;  ///< at the first row of this shard
};

template <class T>
class Pass {
 public:
  /// All of it outlives the pass. `batch` is this shard alone; its mask is `allowed`. Without `training` the blocks
  /// share the memory of two blocks and there is no dropout.
  struct Given {
    const ModelConfig& config;
    const Constants<T>& constants;
    ThreadPool& pool;
    const Weights<T>& weights;
    const ActivationPlan& plan;
    T* arena;
    const Batch& batch;
    std::span<const std::uint8_t> allowed;
    bool training = false;
    bool alone = false;                ///< one thread processes the shard: no operation need be split
    std::uint64_t seed = 0, step = 0;  ///< for dropout
    ProbeRows<T> probe;
    const std::function<void()>& yield;
  };
  explicit Pass(const Given& given);

  /// Final hidden rows of the targets, in their order, [targets, d]: the input of the logits' product.
  const T* forward();
  /// Loss of the targets, after forward(). With `gradients` also the head's (scaled), from which backward() continues.
  double loss(std::span<double> losses, double scale, bool gradients);
  void backward();

 private:
  /// x (+ addend), [rows of the stream, d].
  struct Stream {
    T* x = nullptr;
    const T* addend = nullptr;
  };
  /// What a block's backward pass reads besides its plan.
  struct Trace {
    T* in = nullptr;            ///< complete stream before the block
    const T* read = nullptr;    ///< input of W_Q, W_K, W_V
    const T* middle = nullptr;  ///< input of W_1
  };

  T* at(std::size_t place) const { return in_.arena + place; }
  const BlockPlan& planOf(int layer) const;
  AttentionShape shapeOf(int layer) const;
  AttentionInput<T> inputOf(const T* qkv) const;
  void drop(double p, int layer, DropoutPlace place, std::size_t n, T* x) const;

  /// Runs the callback, before each half of a block, so that more urgent work may go first.
  void yieldIfRequested() const {
    if (in_.yield) in_.yield();
  }
  void embed();
  void attend(int layer);       ///< computes everything up to the context
  void takeTargets(int layer);  ///< from here on, only the rows of targets are computed
  void project(int layer);
  void feedForward(int layer);
  /// Makes the stream plus the branch's output in `sum` the new stream; with post-norm it is normed.
  void addBranch(T* sum, const NormLayer<T>& norm, std::size_t normed, std::size_t stats);
  const T* head();

  void headBackward();
  void feedForwardBackward(int layer);
  void attentionBackwardOf(int layer);
  void embedBackwardOf();
  /// Replaces the gradient after a norm of the stream itself by the gradient before that norm.
  void throughNorm(const NormLayer<T>& norm, std::size_t m, const T* x, const T* stats);
  void spreadGradient();  ///< makes the gradient of the targets' rows that of all rows
  const T* enterBranch(int layer, DropoutPlace place);
  /// g += (without a residual stream: =) the gradient of the branch's input x, computed from dy, the gradient of the
  /// branch's first product, through that product and the norm of x. Overwrites `normed`.
  void leaveBranch(const Linear<T>& first, const NormLayer<T>& norm, const T* dy, const T* x, const T* stats,
                   T* normed);
  void copyProbe(int layer, const T* x) const;

  Given in_;
  std::size_t d_, rows_, targets_;
  Stream stream_;
  std::size_t streamRows_ = 0;  ///< rows_, or targets_ after takeTargets()
  bool tail_ = false;           // the stream holds only the rows of the targets
  std::vector<Trace> traces_;
  T *headIn_ = nullptr, *headRead_ = nullptr;  // before and after the last norm
  const T* output_ = nullptr;
  T *gradient_ = nullptr, *other_ = nullptr;  ///< dL/d stream, and a buffer of the same size
};

extern template struct Constants<float>;
extern template struct Constants<double>;

}  // namespace sepx::nn

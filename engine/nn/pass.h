// SPDX-License-Identifier: Apache-2.0
// One shard of a batch through the whole model, forward and backward, in an arena (memory.h). The stream between blocks
// is a matrix whose last addend may still be outstanding: it is added in the pass of the norm that reads it.
// Without model.residual a branch replaces s.
//   pre-norm   s += W_O attention(norm s);  s += W_2 act(W_1 norm s)     post-norm   s = norm(s + branch s)
// After the last attention only rows of targets matter: where they are few, the rest is done on them alone.
// One thread calls it; the pool's work inside.
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

/// What a model needs besides its parameters.
template <class T>
struct Constants {
  explicit Constants(const ModelConfig& config);
  std::vector<T> sinusoids;    ///< [length, d_model]; empty: none
  RotaryTable<T> rotary;       ///< half 0: none
  std::vector<double> slopes;  ///< [heads] of ALiBi, else empty
  AttentionShape attention;    ///< without sequences, length, lengths, mask, dropout; sees `slopes`
  Constants(const Constants&) = delete;
  Constants& operator=(const Constants&) = delete;
};

/// Where the attention of one layer is copied to for all rows of a batch (transformer.h); layer -1: nowhere.
template <class T>
struct ProbeRows {
  int layer = -1;
  T *x = nullptr, *qkv = nullptr, *contextGradient = nullptr;  ///< first row of this shard
};

template <class T>
class Pass {
 public:
  /// All of it outlives the pass. `batch`: this shard alone; its mask is `allowed`. Without `training` the blocks share
  /// two places and nothing is dropped.
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
    bool alone = false;                ///< one thread works off the shard: nothing need be cut for others
    std::uint64_t seed = 0, step = 0;  ///< of dropout
    ProbeRows<T> probe;
    const std::function<void()>& yield;
  };
  explicit Pass(const Given& given);

  /// Final hidden rows of the targets, in their order: what the logits are made of. [targets, d]
  const T* forward();
  /// Loss of the targets after forward(); with gradients of the head (scaled), which backward() continues.
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
    T* in = nullptr;            ///< stream before the block, complete
    const T* read = nullptr;    ///< what Q, K, V are made of
    const T* middle = nullptr;  ///< what W_1 reads
  };

  T* at(std::size_t place) const { return in_.arena + place; }
  const BlockPlan& planOf(int layer) const;
  AttentionShape shapeOf(int layer) const;
  AttentionInput<T> inputOf(const T* qkv) const;
  void drop(double p, int layer, DropoutPlace place, std::size_t n, T* x) const;

  /// Somebody may go first: before each half of a block.
  void yieldIfAsked() const {
    if (in_.yield) in_.yield();
  }
  void embed();
  void attend(int layer);       ///< up to the context
  void takeTargets(int layer);  ///< from here on the rows of targets alone
  void project(int layer);
  void feedForward(int layer);
  /// The stream plus what a branch wrote into `sum`; post-norm: normed.
  void addBranch(T* sum, const NormLayer<T>& norm, std::size_t normed, std::size_t stats);
  const T* head();

  void headBackward();
  void feedForwardBackward(int layer);
  void attentionBackwardOf(int layer);
  void embedBackwardOf();
  /// g <- gradient before a norm that the stream itself went through.
  void throughNorm(const NormLayer<T>& norm, std::size_t m, const T* x, const T* stats);
  void spreadGradient();  ///< g of the targets' rows becomes g of all rows
  const T* enterBranch(int layer, DropoutPlace place);
  /// g += (without a residual stream: =) gradient dy of the branch's first product, through its norm of x; `normed` is
  /// written over.
  void leaveBranch(const Linear<T>& first, const NormLayer<T>& norm, const T* dy, const T* x, const T* stats,
                   T* normed);
  void copyProbe(int layer, const T* x) const;

  Given in_;
  std::size_t d_, rows_, targets_;
  Stream stream_;
  std::size_t streamRows_ = 0;  ///< rows_, or targets_ after takeTargets()
  bool tail_ = false;           // the stream has the rows of the targets alone
  std::vector<Trace> traces_;
  T *headIn_ = nullptr, *headRead_ = nullptr;  // before and after the last norm
  const T* output_ = nullptr;
  T *gradient_ = nullptr, *other_ = nullptr;  ///< dL/d stream, and a place as large
};

extern template struct Constants<float>;
extern template struct Constants<double>;

}  // namespace sepx::nn

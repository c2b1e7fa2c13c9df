// SPDX-License-Identifier: Apache-2.0
// The backward half of a pass (pass.h). g = dL/d stream runs from the head to the embedding; a branch y = f(norm s)
// adds f's gradient through its norm to it. Buffers of the forward pass are written over as soon as their last reader
// is done: hidden by its gradient, pre by its own, the normed stream by its own.
#include <algorithm>
#include <utility>

#include "engine/nn/gather_rows.h"
#include "engine/nn/layers/activation.h"
#include "engine/nn/layers/dropout.h"
#include "engine/nn/layers/patches.h"
#include "engine/nn/pass.h"

namespace sepx::nn {

template <class T>
void Pass<T>::backward() {
  headBackward();
  for (int layer = in_.config.layers - 1; layer >= 0; --layer) {
    yieldIfAsked();
    feedForwardBackward(layer);
    yieldIfAsked();
    attentionBackwardOf(layer);
  }
  embedBackwardOf();
}

template <class T>
void Pass<T>::headBackward() {
  const Weights<T>& w = in_.weights;
  const ActivationPlan& plan = in_.plan;
  gradient_ = at(plan.headGradient);
  other_ = at(plan.headGradient2);
  if (w.transform.W != nullptr) {
    throughNorm(w.headNorm, targets_, at(plan.activated), at(plan.transformStats));
    activationBackward<T>(in_.pool, in_.config.activation, targets_, d_, at(plan.transformed), d_, gradient_,
                          at(plan.transformed));
    w.transform.backwardWeights(in_.pool, targets_, at(plan.transformed), headRead_);
    w.transform.backwardInput(in_.pool, targets_, at(plan.transformed), gradient_);
  }
  throughNorm(w.finalNorm, targets_, headIn_, at(plan.headStats));
  if (!tail_) spreadGradient();
}

template <class T>
void Pass<T>::throughNorm(const NormLayer<T>& norm, std::size_t m, const T* x, const T* stats) {
  if (norm.none()) return;
  norm.backward(in_.pool, m, x, stats, gradient_, other_, false);
  std::swap(gradient_, other_);
}

template <class T>
void Pass<T>::spreadGradient() {
  scatterRows<T>(in_.pool, in_.batch.targets, rows_, d_, gradient_, at(in_.plan.gradient));
  gradient_ = at(in_.plan.gradient);
  other_ = at(in_.plan.gradient2);
  streamRows_ = rows_;
}

template <class T>
const T* Pass<T>::enterBranch(int layer, DropoutPlace place) {
  if (in_.config.residualDropout <= 0) return gradient_;
  T* const branch = at(in_.plan.dropped);
  in_.pool.parallelFor(0, streamRows_ * d_, std::size_t{1} << 16U, [&](std::size_t first, std::size_t last) {
    std::copy(gradient_ + first, gradient_ + last, branch + first);
  });
  drop(in_.config.residualDropout, layer, place, streamRows_ * d_, branch);
  return branch;
}

template <class T>
void Pass<T>::leaveBranch(const Linear<T>& first, const NormLayer<T>& norm, const T* dy, const T* x, const T* stats,
                          T* normed) {
  const bool add = in_.config.residual;
  if (in_.config.placement == Placement::Post || norm.none()) {
    first.backwardInput(in_.pool, streamRows_, dy, gradient_, add);
    return;
  }
  first.backwardInput(in_.pool, streamRows_, dy, normed);
  norm.backward(in_.pool, streamRows_, x, stats, normed, gradient_, add);
}

template <class T>
void Pass<T>::feedForwardBackward(int layer) {
  if (in_.config.ff() == 0) return;
  const BlockPlan& plan = planOf(layer);
  const BlockWeights<T>& w = in_.weights.blocks[static_cast<std::size_t>(layer)];
  if (in_.config.placement == Placement::Post) throughNorm(w.norm2, streamRows_, at(plan.sum2), at(plan.stats2));
  const T* const branch = enterBranch(layer, DropoutPlace::FeedForwardBranch);
  T *const hidden = at(plan.hidden), *const pre = at(plan.pre);
  w.down.backwardWeights(in_.pool, streamRows_, branch, hidden);
  w.down.backwardInput(in_.pool, streamRows_, branch, hidden);
  activationBackward<T>(in_.pool, in_.config.activation, streamRows_, w.down.in, pre, w.up.out, hidden, pre);
  w.up.backwardWeights(in_.pool, streamRows_, pre, traces_[static_cast<std::size_t>(layer)].middle);
  leaveBranch(w.up, w.norm2, pre, at(plan.sum1), at(plan.stats2), at(plan.norm2));
}

template <class T>
void Pass<T>::attentionBackwardOf(int layer) {
  const ModelConfig& c = in_.config;
  const BlockPlan& plan = planOf(layer);
  const BlockWeights<T>& w = in_.weights.blocks[static_cast<std::size_t>(layer)];
  const Trace& trace = traces_[static_cast<std::size_t>(layer)];
  if (c.placement == Placement::Post) throughNorm(w.norm1, streamRows_, at(plan.sum1), at(plan.stats1));
  const T* const branch = enterBranch(layer, DropoutPlace::AttentionBranch);
  T* const context = at(plan.context);
  T* const dcontext = at(in_.plan.contextGradient);
  if (!tail_) {
    w.projection.backwardWeights(in_.pool, rows_, branch, context);
    w.projection.backwardInput(in_.pool, rows_, branch, dcontext);
  } else {
    T* const few = at(in_.plan.tailContext);
    w.projection.backwardWeights(in_.pool, targets_, branch, few);
    w.projection.backwardInput(in_.pool, targets_, branch, few);
    scatterRows<T>(in_.pool, in_.batch.targets, rows_, w.projection.in, few, dcontext);
    spreadGradient();
    tail_ = false;
  }
  T* const dqkv = at(in_.plan.qkvGradient);
  T* const dk = dqkv + c.d_q();
  attentionBackward<T>(in_.pool, shapeOf(layer), inputOf(at(plan.qkv)), context, dcontext, w.projection.in,
                       at(plan.logSums), dqkv, dk, dk + static_cast<std::ptrdiff_t>(c.kv()) * c.d_h(), w.qkv.out);
  if (c.positions == Positions::Rope)
    rotate(in_.pool, in_.constants.rotary, in_.batch.sequences, in_.batch.length, c.heads + c.kv(), c.d_h(), dqkv,
           w.qkv.out, true);
  copyProbe(layer, trace.read);
  w.qkv.backwardWeights(in_.pool, rows_, dqkv, trace.read);
  leaveBranch(w.qkv, w.norm1, dqkv, trace.in, at(plan.stats1), at(plan.norm1));
}

template <class T>
void Pass<T>::copyProbe(int layer, const T* x) const {
  if (layer != in_.probe.layer) return;
  const BlockPlan& plan = planOf(layer);
  std::copy_n(x, rows_ * d_, in_.probe.x);
  std::copy_n(at(plan.qkv), rows_ * static_cast<std::size_t>(in_.config.d_qkv()), in_.probe.qkv);
  std::copy_n(at(in_.plan.contextGradient), rows_ * static_cast<std::size_t>(in_.config.d_q()),
              in_.probe.contextGradient);
}

template <class T>
void Pass<T>::embedBackwardOf() {
  const Weights<T>& w = in_.weights;
  drop(in_.config.embeddingDropout, 0, DropoutPlace::Embedding, rows_ * d_, gradient_);
  throughNorm(w.embeddingNorm, rows_, at(in_.plan.embedding), at(in_.plan.embeddingStats));
  if (in_.config.readsImages())
    return embedPatchesBackward<T>(
        in_.pool, imageShape(in_.config), in_.batch, in_.config.d_model, gradient_, at(in_.plan.patchRows),
        {w.classTokenGradient, w.patches.gradient, w.patches.biasGradient, w.positionsGradient});
  embedBackward<T>(in_.pool, in_.config.input, in_.batch, in_.config.d_model, gradient_,
                   {w.tokensGradient, w.positionsGradient, w.segmentGradient});
}

template void Pass<float>::backward();
template void Pass<double>::backward();

}  // namespace sepx::nn

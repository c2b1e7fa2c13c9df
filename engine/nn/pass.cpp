// SPDX-License-Identifier: Apache-2.0
// The forward and the backward pass. Backward, g = dL/d stream runs from the head to the embedding; for a branch y =
// f(norm s), the gradient of f is taken through its norm and added to g. Buffers of the forward pass are overwritten as
// soon as their last reader is done: `hidden`, `pre` and the normed stream, each by its own gradient.
#include "engine/nn/pass.h"

#include <algorithm>
#include <utility>

#include "engine/nn/gather_rows.h"
#include "engine/nn/layers/activation.h"
#include "engine/nn/layers/cross_entropy.h"
#include "engine/nn/layers/dropout.h"
#include "engine/nn/layers/patches.h"

namespace sepx::nn {

template <class T>
Constants<T>::Constants(const ModelConfig& config) {
  if (config.positions == Positions::Sinusoidal) sinusoids = sinusoidal<T>(config.length, config.d_model);
  if (config.positions == Positions::Rope) rotary = rotaryTable<T>(config.length, config.d_h(), config.ropeBase);
  if (config.positions == Positions::Alibi) slopes.resize(static_cast<std::size_t>(config.heads));
  attention = attentionShape(config, slopes);
}

template <class T>
Pass<T>::Pass(const Given& given)
    : in_(given),
      d_(static_cast<std::size_t>(given.config.d_model)),
      rows_(static_cast<std::size_t>(given.batch.sequences) * static_cast<std::size_t>(given.batch.length)),
      targets_(given.batch.targets.size()),
      streamRows_(rows_),
      traces_(static_cast<std::size_t>(given.config.layers)) {}

template <class T>
const BlockPlan& Pass<T>::planOf(int layer) const {
  return in_.plan.blocks[static_cast<std::size_t>(in_.training ? layer : layer % 2)];
}

template <class T>
AttentionShape Pass<T>::shapeOf(int layer) const {
  AttentionShape shape = in_.constants.attention;
  shape.sequences = in_.batch.sequences;
  shape.length = in_.batch.length;
  shape.lengths = in_.batch.lengths;
  shape.allowed = in_.allowed;
  shape.readable = in_.batch.readable;
  if (in_.alone) shape.tasks = 1;
  shape.dropout = in_.training ? in_.config.attentionDropout : 0;
  shape.dropoutSeed = in_.seed;
  shape.dropoutStream = dropoutStream(in_.step, layer, DropoutPlace::Attention);
  return shape;
}

template <class T>
AttentionInput<T> Pass<T>::inputOf(const T* qkv) const {
  const ModelConfig& c = in_.config;
  const T* const k = qkv + c.d_q();
  return {qkv, k, k + static_cast<std::ptrdiff_t>(c.kv()) * c.d_h(), static_cast<std::size_t>(c.d_qkv())};
}

template <class T>
void Pass<T>::drop(double p, int layer, DropoutPlace place, std::size_t n, T* x) const {
  if (in_.training && p > 0) dropout(in_.pool, in_.seed, dropoutStream(in_.step, layer, place), p, n, x);
}

template <class T>
void Pass<T>::embed() {
  const Weights<T>& w = in_.weights;
  T* const x = at(in_.plan.embedding);
  const T* const fixed = in_.constants.sinusoids.empty() ? nullptr : in_.constants.sinusoids.data();
  const T* const positions = w.positions != nullptr ? w.positions : fixed;
  if (in_.config.readsImages()) {
    embedPatches<T>(in_.pool, imageShape(in_.config), in_.batch, in_.config.d_model,
                    {w.classToken, w.patches.W, w.patches.bias, positions}, at(in_.plan.patchRows), x);
  } else {
    embedForward<T>(in_.pool, in_.config.input, in_.batch, in_.config.d_model, {w.tokens, w.positions, w.segment},
                    w.positions != nullptr ? nullptr : positions, x);
  }
  stream_ = {
      w.embeddingNorm.forward(in_.pool, rows_, x, nullptr, at(in_.plan.embeddingNorm), at(in_.plan.embeddingStats)),
      nullptr};
  drop(in_.config.embeddingDropout, 0, DropoutPlace::Embedding, rows_ * d_, stream_.x);
}

template <class T>
void Pass<T>::attend(int layer) {
  const BlockPlan& plan = planOf(layer);
  const BlockWeights<T>& w = in_.weights.blocks[static_cast<std::size_t>(layer)];
  const ModelConfig& c = in_.config;
  Trace& trace = traces_[static_cast<std::size_t>(layer)];
  trace.in = stream_.x;
  trace.read = c.placement == Placement::Pre
                   ? w.norm1.forward(in_.pool, rows_, stream_.x, stream_.addend, at(plan.norm1), at(plan.stats1))
                   : stream_.x;
  stream_.addend = nullptr;
  T* const qkv = at(plan.qkv);
  w.qkv.forward(in_.pool, rows_, trace.read, qkv);
  if (c.positions == Positions::Rope)
    rotate(in_.pool, in_.constants.rotary, in_.batch.sequences, in_.batch.length, c.heads + c.kv(), c.d_h(), qkv,
           w.qkv.out, false);
  attentionForward<T>(in_.pool, shapeOf(layer), inputOf(qkv), at(plan.context), w.projection.in, at(plan.logSums));
}

template <class T>
void Pass<T>::takeTargets(int layer) {
  const std::size_t d_q = static_cast<std::size_t>(in_.config.d_q());
  gatherRows<T>(in_.pool, in_.batch.targets, d_q, at(planOf(layer).context), nullptr, at(in_.plan.tailContext));
  gatherRows<T>(in_.pool, in_.batch.targets, d_, stream_.x, nullptr, at(in_.plan.tailStream));
  stream_.x = at(in_.plan.tailStream);
  streamRows_ = targets_;
  tail_ = true;
}

template <class T>
void Pass<T>::project(int layer) {
  const BlockPlan& plan = planOf(layer);
  const BlockWeights<T>& w = in_.weights.blocks[static_cast<std::size_t>(layer)];
  T* const sum = at(plan.sum1);
  w.projection.forward(in_.pool, streamRows_, tail_ ? at(in_.plan.tailContext) : at(plan.context), sum);
  drop(in_.config.residualDropout, layer, DropoutPlace::AttentionBranch, streamRows_ * d_, sum);
  addBranch(sum, w.norm1, plan.norm1, plan.stats1);
}

template <class T>
void Pass<T>::feedForward(int layer) {
  const ModelConfig& c = in_.config;
  if (c.ff() == 0) return;
  const BlockPlan& plan = planOf(layer);
  const BlockWeights<T>& w = in_.weights.blocks[static_cast<std::size_t>(layer)];
  Trace& trace = traces_[static_cast<std::size_t>(layer)];
  trace.middle = c.placement == Placement::Pre ? w.norm2.forward(in_.pool, streamRows_, stream_.x, stream_.addend,
                                                                 at(plan.norm2), at(plan.stats2))
                                               : stream_.x;
  stream_.addend = nullptr;
  w.up.forward(in_.pool, streamRows_, trace.middle, at(plan.pre));
  activationForward<T>(in_.pool, c.activation, streamRows_, w.down.in, at(plan.pre), w.up.out, at(plan.hidden));
  T* const sum = at(plan.sum2);
  w.down.forward(in_.pool, streamRows_, at(plan.hidden), sum);
  drop(c.residualDropout, layer, DropoutPlace::FeedForwardBranch, streamRows_ * d_, sum);
  addBranch(sum, w.norm2, plan.norm2, plan.stats2);
}

template <class T>
void Pass<T>::addBranch(T* sum, const NormLayer<T>& norm, std::size_t normed, std::size_t stats) {
  const T* const before = in_.config.residual ? stream_.x : nullptr;
  if (in_.config.placement == Placement::Pre)
    stream_ = {sum, before};
  else
    stream_ = {norm.forward(in_.pool, streamRows_, sum, before, at(normed), at(stats)), nullptr};
}

template <class T>
const T* Pass<T>::head() {
  const Weights<T>& w = in_.weights;
  const ActivationPlan& plan = in_.plan;
  headIn_ = stream_.x;
  if (!tail_) {
    headIn_ = at(plan.headInput);
    gatherRows<T>(in_.pool, in_.batch.targets, d_, stream_.x, stream_.addend, headIn_);
    stream_.addend = nullptr;
  }
  headRead_ = w.finalNorm.forward(in_.pool, targets_, headIn_, stream_.addend, at(plan.headNormed), at(plan.headStats));
  if (w.transform.W == nullptr) return headRead_;
  w.transform.forward(in_.pool, targets_, headRead_, at(plan.transformed));
  activationForward<T>(in_.pool, in_.config.activation, targets_, d_, at(plan.transformed), d_, at(plan.activated));
  return w.headNorm.forward(in_.pool, targets_, at(plan.activated), nullptr, at(plan.headOutput),
                            at(plan.transformStats));
}

template <class T>
const T* Pass<T>::forward() {
  constexpr double kTailShare = 0.9;  // above it, gathering costs more than it saves
  embed();
  for (int layer = 0; layer < in_.config.layers; ++layer) {
    yieldIfRequested();
    attend(layer);
    if (layer + 1 == in_.config.layers && static_cast<double>(targets_) <= kTailShare * static_cast<double>(rows_))
      takeTargets(layer);
    yieldIfRequested();
    project(layer);
    feedForward(layer);
  }
  return output_ = head();
}

template <class T>
double Pass<T>::loss(std::span<double> losses, double scale, bool gradients) {
  const Linear<T>& out = in_.weights.output;
  HeadGradients<T> wanted;
  if (gradients) wanted = {out.gradient, out.biasGradient, at(in_.plan.headGradient)};
  return crossEntropy<T>(in_.pool, d_, output_, in_.batch.targets,
                         {out.W, out.bias, in_.config.logits(), in_.batch.smoothing}, wanted, losses, scale);
}

template <class T>
void Pass<T>::backward() {
  headBackward();
  for (int layer = in_.config.layers - 1; layer >= 0; --layer) {
    yieldIfRequested();
    feedForwardBackward(layer);
    yieldIfRequested();
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

template struct Constants<float>;
template struct Constants<double>;
template class Pass<float>;
template class Pass<double>;

}  // namespace sepx::nn

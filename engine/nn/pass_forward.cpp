// SPDX-License-Identifier: Apache-2.0
// The forward half of a pass (pass.h).
#include <algorithm>

#include "engine/nn/gather_rows.h"
#include "engine/nn/layers/activation.h"
#include "engine/nn/layers/cross_entropy.h"
#include "engine/nn/layers/dropout.h"
#include "engine/nn/layers/patches.h"
#include "engine/nn/pass.h"

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
    yieldIfAsked();
    attend(layer);
    if (layer + 1 == in_.config.layers && static_cast<double>(targets_) <= kTailShare * static_cast<double>(rows_))
      takeTargets(layer);
    yieldIfAsked();
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

template struct Constants<float>;
template struct Constants<double>;
template class Pass<float>;
template class Pass<double>;

}  // namespace sepx::nn

// SPDX-License-Identifier: Apache-2.0
// Finds the matrices of a model by their roles in the layout, and computes the products of a linear layer. Any thread.
#include "engine/nn/weights.h"

#include "engine/core/gemm.h"

namespace sepx::nn {

namespace {

template <class T>
class Finder {
 public:
  Finder(const ParameterLayout& layout, const T* theta, T* gradient)
      : layout_(layout), theta_(theta), gradient_(gradient) {}

  const T* value(const Parameter* p) const { return p == nullptr ? nullptr : theta_ + p->offset; }
  T* gradient(const Parameter* p) const {
    return p == nullptr || gradient_ == nullptr ? nullptr : gradient_ + p->offset;
  }
  const Parameter* find(ParameterRole role, ParameterKind kind, int layer = -1) const {
    return layout_.find(role, kind, layer);
  }
  /// A layer of `out` rows that starts at the first matrix of the role, because fused matrices are adjacent.
  Linear<T> linear(ParameterRole role, int layer, int out, int in) const {
    const Parameter* W = find(role, ParameterKind::Weight, layer);
    const Parameter* b = find(role, ParameterKind::Bias, layer);
    return {value(W), value(b), gradient(W), gradient(b), static_cast<std::size_t>(out), static_cast<std::size_t>(in)};
  }
  NormLayer<T> norm(const ModelConfig& config, ParameterRole role, int layer = -1) const {
    const Parameter* gain = find(role, ParameterKind::NormGain, layer);
    const Parameter* bias = find(role, ParameterKind::NormBias, layer);
    NormLayer<T> norm;
    norm.weights = {gain == nullptr ? Norm::None : config.norm, value(gain), value(bias),
                    static_cast<T>(config.normEpsilon)};
    norm.gain = gradient(gain);
    norm.bias = gradient(bias);
    norm.d = static_cast<std::size_t>(config.d_model);
    return norm;
  }

 private:
  const ParameterLayout& layout_;
  const T* theta_;
  T* gradient_;
};

}  // namespace

template <class T>
void Linear<T>::forward(ThreadPool& pool, std::size_t m, const T* x, T* y) const {
  gemmABt<T>(pool, m, out, in, x, in, W, in, y, out, {bias, false});
}

template <class T>
void Linear<T>::backwardWeights(ThreadPool& pool, std::size_t m, const T* dy, const T* x) const {
  gemmAtB<T>(pool, out, in, m, dy, out, x, in, gradient, in, {nullptr, true});
  if (biasGradient != nullptr) addColumnSums(pool, m, out, dy, out, biasGradient);
}

template <class T>
void Linear<T>::backwardInput(ThreadPool& pool, std::size_t m, const T* dy, T* dx, bool add) const {
  gemmAB<T>(pool, m, in, out, dy, out, W, in, dx, in, {nullptr, add});
}

template <class T>
T* NormLayer<T>::forward(ThreadPool& pool, std::size_t m, T* x, const T* addend, T* y, T* stats) const {
  T* const result = none() ? x : y;
  if (!none() || addend != nullptr) normForward(pool, m, d, x, addend, weights, result, stats);
  return result;
}

template <class T>
void NormLayer<T>::backward(ThreadPool& pool, std::size_t m, const T* x, const T* stats, const T* dy, T* dx,
                            bool add) const {
  normBackward(pool, m, d, x, stats, weights, dy, dx, gain, bias, add);
}

template <class T>
Weights<T>::Weights(const ModelConfig& config, const ParameterLayout& layout, const T* theta, T* gradient) {
  using Kind = ParameterKind;
  using Role = ParameterRole;
  const Finder<T> in(layout, theta, gradient);
  const Parameter* E = in.find(Role::Embedding, Kind::Embedding);
  const Parameter* p = in.find(Role::Position, Kind::Position);
  const Parameter* s = in.find(Role::Segment, Kind::Segment);
  tokens = in.value(E), tokensGradient = in.gradient(E);
  positions = in.value(p), positionsGradient = in.gradient(p);
  segment = in.value(s), segmentGradient = in.gradient(s);
  const Parameter* c = in.find(Role::ClassToken, Kind::Embedding);
  classToken = in.value(c), classTokenGradient = in.gradient(c);
  if (config.readsImages()) patches = in.linear(Role::PatchProjection, -1, config.d_model, config.patchValues());
  embeddingNorm = in.norm(config, Role::EmbeddingNorm);
  finalNorm = in.norm(config, Role::FinalNorm);
  headNorm = in.norm(config, Role::HeadNorm);
  const int ups = config.activation == Activation::SwiGlu ? 2 : 1;
  for (int layer = 0; layer < config.layers; ++layer) {
    BlockWeights<T> block;
    block.norm1 = in.norm(config, Role::AttentionNorm, layer);
    block.qkv = in.linear(Role::Query, layer, config.d_qkv(), config.d_model);
    block.projection = in.linear(Role::Projection, layer, config.d_model, config.d_q());
    block.norm2 = in.norm(config, Role::FeedForwardNorm, layer);
    block.up = in.linear(Role::Up, layer, ups * config.ff(), config.d_model);
    block.down = in.linear(Role::Down, layer, config.d_model, config.ff());
    blocks.push_back(block);
  }
  if (config.headTransform) transform = in.linear(Role::HeadTransform, -1, config.d_model, config.d_model);
  const Parameter* U = config.output == Output::Tied ? E : in.find(Role::Output, Kind::Embedding);
  const Parameter* b = in.find(Role::OutputBias, Kind::Bias);
  output = {in.value(U),
            in.value(b),
            in.gradient(U),
            in.gradient(b),
            static_cast<std::size_t>(config.logits()),
            static_cast<std::size_t>(config.d_model)};
}

template struct Linear<float>;
template struct Linear<double>;
template struct NormLayer<float>;
template struct NormLayer<double>;
template struct Weights<float>;
template struct Weights<double>;

}  // namespace sepx::nn

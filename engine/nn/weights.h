// SPDX-License-Identifier: Apache-2.0
// The flat arrays of a model as the matrices of its blocks: pointers into parameters and gradient. Rebuilt for each
// pass (cheap), owns nothing. Any thread.
#pragma once

#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/nn/layers/norm.h"
#include "engine/nn/model_config.h"
#include "engine/nn/parameters.h"

namespace sepx::nn {

/// y = x W^T + b, W [out, in]. The gradients are null in a forward pass; the bias is null where there is none.
template <class T>
struct Linear {
  const T* W = nullptr;
  const T* bias = nullptr;
  T* gradient = nullptr;
  T* biasGradient = nullptr;
  std::size_t out = 0, in = 0;

  /// y [m, out] from x [m, in].
  void forward(ThreadPool& pool, std::size_t m, const T* x, T* y) const;
  /// Gradients of W and b from dy [m, out] and x.
  void backwardWeights(ThreadPool& pool, std::size_t m, const T* dy, const T* x) const;
  /// dx [m, in] = dy W; with `add`, dx += dy W.
  void backwardInput(ThreadPool& pool, std::size_t m, const T* dy, T* dx, bool add = false) const;
};

template <class T>
struct NormLayer {  ///< a norm and the destinations of its gradients
  NormWeights<T> weights;
  T* gain = nullptr;  ///< gradients
  T* bias = nullptr;
  std::size_t d = 0;

  bool none() const { return weights.kind == Norm::None; }
  /// Adds `addend` (may be null) to x [m, d] in place, then norms x into y. Returns y, or x where there is no norm.
  T* forward(ThreadPool& pool, std::size_t m, T* x, const T* addend, T* y, T* stats) const;
  /// dx = gradient from dy; with `add`, dx += it. Must not be called where there is no norm.
  void backward(ThreadPool& pool, std::size_t m, const T* x, const T* stats, const T* dy, T* dx, bool add) const;
};

template <class T>
struct BlockWeights {  ///< matrices and norms of one block
  NormLayer<T> norm1, norm2;
  Linear<T> qkv, projection, up, down;
};

template <class T>
struct Weights {
  Weights(const ModelConfig& config, const ParameterLayout& layout, const T* theta, T* gradient);

  const T *tokens = nullptr, *positions = nullptr, *segment = nullptr;
  T *tokensGradient = nullptr, *positionsGradient = nullptr, *segmentGradient = nullptr;
  const T* classToken = nullptr;  ///< images only, like `patches`
  T* classTokenGradient = nullptr;
  Linear<T> patches;
  NormLayer<T> embeddingNorm, finalNorm, headNorm;
  std::vector<BlockWeights<T>> blocks;
  Linear<T> transform;  ///< of the head; W is null where there is none
  Linear<T> output;     ///< the tied table or a table of its own
};

extern template struct Linear<float>;
extern template struct Linear<double>;
extern template struct NormLayer<float>;
extern template struct NormLayer<double>;
extern template struct Weights<float>;
extern template struct Weights<double>;

}  // namespace sepx::nn

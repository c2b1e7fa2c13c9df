// SPDX-License-Identifier: Apache-2.0
// Layer norm and root-mean-square norm of rows, fused with the residual sum that precedes them.
//   Layer  y = g (x - mean)/sqrt(var + eps) + c        Rms  y = g x/sqrt(mean x^2 + eps)
// The rows of one call are divided among the pool's threads; the gains' gradients are summed in fixed blocks of rows.
// Any thread.
#pragma once

#include <cstddef>

#include "engine/core/thread_pool.h"
#include "engine/nn/model_config.h"

namespace sepx::nn {

template <class T>
struct NormWeights {  ///< parameters of one norm
  Norm kind = Norm::Layer;
  const T* gain = nullptr;  ///< [d]
  const T* bias = nullptr;  ///< [d] or null
  T epsilon = T(1e-5);
};

/// x [m, d] += branch (where not null), then y = norm(x). `stats` [m, 2] keeps mean and 1/deviation (Rms: 0 and 1/rms).
/// With Norm::None y is a copy of x, unless y == x.
template <class T>
void normForward(ThreadPool& pool, std::size_t m, std::size_t d, T* x, const T* branch, const NormWeights<T>& weights,
                 T* y, T* stats);
/// dx [m, d] += (`add` false: =) gradient of x from dy; gainGradient, biasGradient [d] += (null where there is none).
/// x: the input of the norm (after the residual sum). dx may be dy, but not x.
template <class T>
void normBackward(ThreadPool& pool, std::size_t m, std::size_t d, const T* x, const T* stats,
                  const NormWeights<T>& weights, const T* dy, T* dx, T* gainGradient, T* biasGradient, bool add = true);

}  // namespace sepx::nn

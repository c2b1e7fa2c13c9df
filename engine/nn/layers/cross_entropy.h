// SPDX-License-Identifier: Apache-2.0
// Cross entropy fused with the logits of the head: one block of rows at a time, logits = h U^T + b, loss and dlogits in
// one pass, dh = dlogits U, dU += dlogits^T h, so that no array of all logits exists. With the logistic function sigma:
//   softmax: -log softmax(z)[token], dz = w (softmax(z) - onehot)
//   one logit: log(1+exp(-(2 token-1) z)), dz = w (sigma(z)-token)
//   label smoothing s: the loss of the target (1 - s) onehot + s / logits, dz = w (softmax(z) - that)
// Losses are summed in double in the order of the targets. Any thread; bitwise the same on any number of threads.
#pragma once

#include <cstddef>
#include <span>

#include "engine/core/thread_pool.h"
#include "engine/nn/batch.h"

namespace sepx::nn {

template <class T>
struct HeadWeights {        ///< from the stream to the logits
  const T* U = nullptr;     ///< [logits, d]
  const T* bias = nullptr;  ///< [logits] or null
  int logits = 1;           ///< 1: the logistic loss is used
  double smoothing = 0;     ///< s < 1; 0 with one logit
};
template <class T>
struct HeadGradients {  ///< destinations of the gradients
  T* U = nullptr;       ///< += ; null: no gradients are computed
  T* bias = nullptr;    ///< += , or null
  T* h = nullptr;       ///< [targets, d], overwritten
};

/// h [targets, d]: the rows of the targets, in their order. Returns the sum of weight * loss; `losses` [targets]
/// receives the unweighted losses (may be empty). `scale` multiplies only the gradients.
template <class T>
double crossEntropy(ThreadPool& pool, std::size_t d, const T* h, std::span<const Target> targets,
                    const HeadWeights<T>& weights, const HeadGradients<T>& gradients, std::span<double> losses,
                    double scale);

/// Elements of the block of logits that crossEntropy() holds while it runs (about 2^20, or those of 128 targets).
std::size_t crossEntropyScratch(std::size_t targets, int logits);

}  // namespace sepx::nn

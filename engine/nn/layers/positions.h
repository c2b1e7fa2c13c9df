// SPDX-License-Identifier: Apache-2.0
// Embeddings of tokens and positions (the rotary encoding: rotary.h, included here).
//   Sinusoidal  p_{n,2s} = sin(n 10000^(-2s/d)), p_{n,2s+1} = cos(...)
// Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/nn/batch.h"
#include "engine/nn/layers/rotary.h"
#include "engine/nn/model_config.h"

namespace sepx::nn {

/// Arrays that embedForward() reads (null where a model has none) and embedBackward() adds to.
template <class T>
struct EmbeddingTables {
  T* tokens = nullptr;     ///< [vocabulary, d], Input::Bit: [1, d]
  T* positions = nullptr;  ///< [length, d], learned
  T* segment = nullptr;    ///< row 0, [d]
};
template <class T>
std::vector<T> sinusoidal(int length, int d);  ///< [length, d]

/// x [tokens, d] = embedding of the batch; `fixed` [length, d]: sinusoidal table or null.
template <class T>
void embedForward(ThreadPool& pool, Input input, const Batch& batch, int d, const EmbeddingTables<const T>& tables,
                  const T* fixed, T* x);
/// Adds the tables' gradients from dx in the order of the rows: bitwise the same on any number of threads.
template <class T>
void embedBackward(ThreadPool& pool, Input input, const Batch& batch, int d, const T* dx,
                   const EmbeddingTables<T>& tables);

}  // namespace sepx::nn

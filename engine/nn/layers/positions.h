// SPDX-License-Identifier: Apache-2.0
// Token and position vectors, and the rotary encoding.
//   Sinusoidal  p_{n,2s} = sin(n 10000^(-2s/d)), p_{n,2s+1} = cos(...)
//   Rotary      (x_s, x_{s+h/2}) -> rotated by n theta_s, theta_s = base^(-2s/h), h the head dimension
// Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/nn/batch.h"
#include "engine/nn/model_config.h"

namespace sepx::nn {

/// What embed() reads (null where a model has none) and embedBackward() adds to.
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
/// tables += from dx. In the order of the rows: the same bits on any number of threads.
template <class T>
void embedBackward(ThreadPool& pool, Input input, const Batch& batch, int d, const T* dx,
                   const EmbeddingTables<T>& tables);

/// cos and sin of n theta_s, [length, headDim/2] each.
template <class T>
struct RotaryTable {
  std::vector<T> cosine, sine;
  int half = 0;
};
template <class T>
RotaryTable<T> rotaryTable(int length, int headDim, double base);
/// Turns `heads` heads that stand side by side in rows of x (`ld`), in place; `back`: by the opposite angle
/// (gradients).
template <class T>
void rotate(ThreadPool& pool, const RotaryTable<T>& table, int sequences, int length, int heads, int headDim, T* x,
            std::size_t ld, bool back);

}  // namespace sepx::nn

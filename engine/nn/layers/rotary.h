// SPDX-License-Identifier: Apache-2.0
// The rotary encoding of positions: queries and keys are turned, so that q_i . k_j knows i - j alone.
//   (x_s, x_{s+h/2}) -> rotated by n theta_s, theta_s = base^(-2s/h), s < h/2, h the head dimension
// Any thread; the same bits on any number of threads.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/core/thread_pool.h"

namespace sepx::nn {

/// cos and sin of n theta_s, [length, headDim/2] each.
template <class T>
struct RotaryTable {
  std::vector<T> cosine, sine;
  int half = 0;
};
template <class T>
RotaryTable<T> rotaryTable(int length, int headDim, double base);
/// Turns `heads` heads that stand side by side in rows of x (`ld`), in place; `back`: by the opposite angle
/// (gradients). Row b * length + n stands at position n; the table reaches at least `length` positions.
template <class T>
void rotate(ThreadPool& pool, const RotaryTable<T>& table, int sequences, int length, int heads, int headDim, T* x,
            std::size_t ld, bool back);

}  // namespace sepx::nn

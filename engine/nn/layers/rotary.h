// SPDX-License-Identifier: Apache-2.0
// The rotary encoding of positions: queries and keys are rotated, so that q_i . k_j depends on positions only by i - j.
//   (x_s, x_{s+h/2}) -> rotated by n theta_s, theta_s = base^(-2s/h), s < h/2, h the head dimension
// Any thread; bitwise the same result on any number of threads.
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
/// Rotates `heads` adjacent heads in the rows of x (row stride `ld`), in place; `back`: by the opposite angle (for
/// gradients). Row b * length + n is at position n; the table must have at least `length` positions.
template <class T>
void rotate(ThreadPool& pool, const RotaryTable<T>& table, int sequences, int length, int heads, int headDim, T* x,
            std::size_t ld, bool back);

}  // namespace sepx::nn

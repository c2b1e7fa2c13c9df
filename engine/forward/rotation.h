// SPDX-License-Identifier: Apache-2.0
// The rotary encoding in the variants of published models: for all or the first values of a head, with pairs from two
// halves or of neighbours, and with frequencies scaled by the config. Head x at position n becomes R_n x; R_i^T R_j =
// R_{j - i} (times the square of the amplitude).
//   (x_a, x_b) -> (c x_a - s x_b, s x_a + c x_b),  c, s = amplitude (cos, sin)(n base^(-2 s/dimensions) / factor_s)
// Immutable; any thread; the same bits on any number of threads.
#pragma once

#include <cstddef>

#include "engine/checkpoint/model_plan.h"
#include "engine/core/thread_pool.h"
#include "engine/nn/layers/rotary.h"

namespace sepx::forward {

template <class T>
class Rotation {
 public:
  Rotation() = default;  ///< the identity
  /// source.dimensions is even and at most d_h; factors: none or dimensions/2.
  Rotation(const checkpoint::RopeSource& source, const checkpoint::RopeScaling& scaling, int first, int length,
           int d_h);

  /// Whether the constructor would make this rotation from these arguments.
  bool isOf(const checkpoint::RopeSource& source, const checkpoint::RopeScaling& scaling, int first, int length,
            int d_h) const;
  /// Rotates `heads` heads of d_h values, side by side in the rows of x (position first + n in row n), in place.
  /// `back`: by R_{-n}.
  void turn(ThreadPool& pool, int heads, T* x, std::size_t ld, bool back = false) const;

 private:
  checkpoint::RopeSource source_;
  checkpoint::RopeScaling scaling_;
  int first_ = 0, length_ = 0, d_h_ = 0;
  nn::RotaryTable<T> table_;
};

}  // namespace sepx::forward

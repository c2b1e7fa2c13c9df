// SPDX-License-Identifier: Apache-2.0
// The non-linearities of the feed-forward part.
//   Relu max(0, x) (derivative 0 at 0)   GeluErf x Phi(x)   GeluTanh x/2 (1 + tanh(sqrt(2/pi)(x + .044715 x^3)))
//   SwiGlu silu(gate) * up, silu(x) = x sigma(x)
// Float: within 4e-7 of the double value, relative to max(1, |x|). Any thread.
#pragma once

#include <cstddef>

#include "engine/core/thread_pool.h"
#include "engine/nn/model_config.h"

namespace sepx::nn {

/// h [m, ff] from pre [m, ldp]: columns [0, ff) are W_1 x; with SwiGlu, columns [ff, 2 ff) are the gate.
template <class T>
void activationForward(ThreadPool& pool, Activation kind, std::size_t m, std::size_t ff, const T* pre, std::size_t ldp,
                       T* h);
/// dpre (layout of pre) from dh [m, ff]; dpre may be pre itself.
template <class T>
void activationBackward(ThreadPool& pool, Activation kind, std::size_t m, std::size_t ff, const T* pre, std::size_t ldp,
                        const T* dh, T* dpre);

}  // namespace sepx::nn

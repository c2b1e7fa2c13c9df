// SPDX-License-Identifier: Apache-2.0
// Counter-based dropout: whether an element is kept depends on (seed, stream, index) alone, so that the backward pass
// can recompute the mask and the thread count changes nothing. Kept elements are divided by 1 - p. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/core/thread_pool.h"

namespace sepx::nn {

/// Where a model drops elements; each place has a stream number of its own in every step.
enum class DropoutPlace : std::uint64_t { Embedding = 1, Attention = 2, AttentionBranch = 3, FeedForwardBranch = 4 };
std::uint64_t dropoutStream(std::uint64_t step, int layer, DropoutPlace place);

/// Applies dropout to x [n] in place; forward and backward make the same call.
template <class T>
void dropout(ThreadPool& pool, std::uint64_t seed, std::uint64_t stream, double p, std::size_t n, T* x);
/// out [count] = the factors, 0 or 1/(1 - p), of dropout() for the elements from `first` on. Uses one thread.
template <class T>
void dropoutFactors(std::uint64_t seed, std::uint64_t stream, double p, std::uint64_t first, std::size_t count, T* out);
/// 16 random bits of element `index`, which is kept when they are at or above p * 65536.
std::uint16_t dropoutBits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

}  // namespace sepx::nn

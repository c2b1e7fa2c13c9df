// SPDX-License-Identifier: Apache-2.0
// Dropout by counter: whether an element is kept depends on (seed, stream, index) alone, so that the backward pass
// makes the mask again and the thread count changes nothing. Kept ones are divided by 1 - p. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/core/thread_pool.h"

namespace sepx::nn {

/// Stream numbers of a step: one per place where something is dropped.
enum class DropoutPlace : std::uint64_t { Embedding = 1, Attention = 2, AttentionBranch = 3, FeedForwardBranch = 4 };
std::uint64_t dropoutStream(std::uint64_t step, int layer, DropoutPlace place);

/// x [n] in place; forward and backward are the same call.
template <class T>
void dropout(ThreadPool& pool, std::uint64_t seed, std::uint64_t stream, double p, std::size_t n, T* x);
/// out [count] = what dropout() multiplies the elements from `first` on by: 0 or 1/(1 - p). One thread.
template <class T>
void dropoutFactors(std::uint64_t seed, std::uint64_t stream, double p, std::uint64_t first, std::size_t count, T* out);
/// 16 random bits of element `index`: kept when they are at or above p * 65536.
std::uint16_t dropoutBits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

}  // namespace sepx::nn

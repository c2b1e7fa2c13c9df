// SPDX-License-Identifier: Apache-2.0
// Rows of the targets: gathered from a matrix before the head (or the last block's feed-forward part), and their
// gradients scattered back. Rows are in ascending order and may repeat. The rows are divided among the pool's threads.
#pragma once

#include <cstddef>
#include <span>

#include "engine/core/thread_pool.h"
#include "engine/nn/batch.h"

namespace sepx::nn {

/// out [targets, d]: row i is x[targets[i].row], x [m, d], plus the same row of `addend` where that is not null.
template <class T>
void gatherRows(ThreadPool& pool, std::span<const Target> targets, std::size_t d, const T* x, const T* addend, T* out);
/// out [m, d]: row i is the sum of the rows of dx [targets, d] that were gathered from row i, or 0.
template <class T>
void scatterRows(ThreadPool& pool, std::span<const Target> targets, std::size_t m, std::size_t d, const T* dx, T* out);

}  // namespace sepx::nn

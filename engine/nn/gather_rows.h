// SPDX-License-Identifier: Apache-2.0
// Rows of the targets: taken out of a matrix before the head (or the last block's feed-forward part) and their
// gradients put back. Rows rise; one may stand several times. Rows are shared among the pool's threads.
#pragma once

#include <cstddef>
#include <span>

#include "engine/core/thread_pool.h"
#include "engine/nn/batch.h"

namespace sepx::nn {

/// out [targets, d]: row i is x[targets[i].row] (+ addend[...] where not null), of x [m, d].
template <class T>
void gatherRows(ThreadPool& pool, std::span<const Target> targets, std::size_t d, const T* x, const T* addend, T* out);
/// out [m, d]: the sum of the rows of dx [targets, d] that were taken from there, 0 elsewhere.
template <class T>
void scatterRows(ThreadPool& pool, std::span<const Target> targets, std::size_t m, std::size_t d, const T* dx, T* out);

}  // namespace sepx::nn

// SPDX-License-Identifier: Apache-2.0
// The feed-forward part of a stored model: down(act(gate x) * up x), or down(act(up x)). The activations that engine/nn
// has are computed there. Any thread; the same bits on any number of threads.
//   ReluSquared max(0, x)^2      QuickGelu x sigma(1.702 x)      Silu x sigma(x)
#pragma once

#include <cstddef>
#include <vector>

#include "engine/checkpoint/model_plan.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/forward/linear_product.h"
#include "engine/forward/tensor_reader.h"

namespace sepx::forward {

/// h [m, width] = act(x), with x in rows of `ldx`. h must not be x.
template <class T>
void activate(ThreadPool& pool, checkpoint::FeedForwardActivation kind, std::size_t m, std::size_t width, const T* x,
              std::size_t ldx, T* h);

/// Memory that is reused from block to block.
template <class T>
struct FeedForwardScratch {
  std::vector<T> before, hidden;
};

/// y [m, d_model] for the packed x. BadInput and Interrupted as for multiply().
template <class T>
Result<void> feedForward(TensorReader& reader, ThreadPool& pool, const checkpoint::FeedForwardSource& source,
                         const Factor<T>& x, std::size_t width, FeedForwardScratch<T>& scratch, T* y);

}  // namespace sepx::forward

// SPDX-License-Identifier: Apache-2.0
// Logits from the stream: final norm, transform if there is one, table and bias: c U act(T N x) + b, then the cap. The
// vocabulary is processed in slices. Any thread; the same bits for any number of threads.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/checkpoint/model_plan.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/forward/tensor_reader.h"

namespace sepx::forward {

/// Logits [m, vocabulary] of rows `x` [m, width] of the stream. BadInput and Interrupted as for multiply().
template <class T>
Result<std::vector<T>> outputLogits(TensorReader& reader, ThreadPool& pool, const checkpoint::HeadPlan& head,
                                    std::size_t m, std::size_t width, std::vector<T> x);

}  // namespace sepx::forward

// SPDX-License-Identifier: Apache-2.0
// The stream that enters the first block: x_n = s E[t_n] + P[n + offset] + S[0], followed by a norm and a projection in
// some models; for images x_0 = class token + p_0, x_n = patch n + p_n. Any thread.
#pragma once

#include <vector>

#include "engine/checkpoint/model_plan.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/forward/activations.h"
#include "engine/forward/tensor_reader.h"

namespace sepx::forward {

/// Number of positions of an input. Usage if there are none or more than the model has, for an id outside the
/// vocabulary, for tokens if the model reads images and vice versa, or for a wrong number of pixels.
Result<int> positionsOf(const checkpoint::ModelPlan& plan, const Input& input);

/// x [positions, d_model] of an input that positionsOf() has checked; for tokens, from position `first` on. BadInput if
/// a table is smaller than in the plan.
template <class T>
Result<std::vector<T>> embed(TensorReader& reader, ThreadPool& pool, const checkpoint::ModelPlan& plan,
                             const Input& input, int positions, int first = 0);

}  // namespace sepx::forward

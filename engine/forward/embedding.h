// SPDX-License-Identifier: Apache-2.0
// The stream that enters the first block: x_n = s E[t_n] + P[n + offset] + S[0], with the norm and the projection that
// some models put behind; of images x_0 = class token + p_0, x_n = patch n + p_n. Any thread.
#pragma once

#include <vector>

#include "engine/checkpoint/model_plan.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/forward/activations.h"
#include "engine/forward/tensor_reader.h"

namespace sepx::forward {

/// Positions of an input. Usage: none, more than the model has, an id outside the vocabulary, tokens where the model
/// reads images and the other way round, or pixels of another number than an image has.
Result<int> positionsOf(const checkpoint::ModelPlan& plan, const Input& input);

/// x [positions, d_model] of an input that positionsOf() has checked; of tokens those from position `first` on.
/// BadInput: a table is smaller than the plan says.
template <class T>
Result<std::vector<T>> embed(TensorReader& reader, ThreadPool& pool, const checkpoint::ModelPlan& plan,
                             const Input& input, int positions, int first = 0);

}  // namespace sepx::forward

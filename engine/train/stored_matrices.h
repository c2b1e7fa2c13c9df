// SPDX-License-Identifier: Apache-2.0
// Which matrices of a model a run stores step after step (schedule.film_every), so that a person can go back and forth
// between checkpoints. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/nn/parameters.h"
#include "engine/train/run_store.h"

namespace sepx::train {

/// A model with at most this many parameters is stored whole, but for biases and norms: below 1 MB a step.
inline constexpr std::size_t kSmallModel = (std::size_t{1} << 20) / sizeof(float);

/// Those that `watch` names; where it is empty W_Q and W_K of all layers. Of small models always W_Q, W_K, W_V, W_O,
/// W_1, W_2, the gate and the embedding. In the order of the layout.
std::vector<const nn::Parameter*> storedParameters(const nn::ParameterLayout& layout,
                                                   const std::vector<std::string>& watch);
/// Copies of them.
void addStoredMatrices(const nn::ParameterLayout& layout, std::span<const float> theta,
                       const std::vector<std::string>& watch, std::int64_t step, std::vector<StoredMatrix>& out);

}  // namespace sepx::train

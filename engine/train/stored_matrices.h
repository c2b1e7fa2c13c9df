// SPDX-License-Identifier: Apache-2.0
// Selects the matrices of a model that a run stores between checkpoints (schedule.film_every), so that a person can go
// back and forth in steps. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/nn/parameters.h"
#include "engine/train/run_store.h"

namespace sepx::train {

/// For a model with at most this many parameters all matrices of the layers and the embedding are stored: at most 1 MB
/// per step.
inline constexpr std::size_t kSmallModel = (std::size_t{1} << 20) / sizeof(float);

/// The parameters that `watch` names; if it is empty, W_Q and W_K of all layers. For small models always also W_Q, W_K,
/// W_V, W_O, W_1, W_2, the gate and the embedding. In the order of the layout.
std::vector<const nn::Parameter*> storedParameters(const nn::ParameterLayout& layout,
                                                   const std::vector<std::string>& watch);
/// Appends copies of these parameters.
void addStoredMatrices(const nn::ParameterLayout& layout, std::span<const float> theta,
                       const std::vector<std::string>& watch, std::int64_t step, std::vector<StoredMatrix>& out);

}  // namespace sepx::train

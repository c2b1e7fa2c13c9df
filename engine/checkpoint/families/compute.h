// SPDX-License-Identifier: Apache-2.0
// Helpers for the hooks of the families: windows, caps, distance biases and factors that they add to the scores and
// streams of their layers. Every number from a config is checked. Pure; any thread.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "engine/checkpoint/family_rule.h"
#include "engine/checkpoint/model_config.h"

namespace sepx::checkpoint::families {

/// Whether config.json says this model type, of the whole or of a part.
bool isOfType(const ModelConfig& config, std::string_view type);

/// The sliding window under the first of `keys` that is present (null counts as absent), else `otherwise`; 0: none.
/// BadInput if it is below 1 or not an integer.
Result<int> windowOf(const ModelConfig& config, std::initializer_list<const char*> keys, int otherwise = 0);
/// Whether layer n attends only within its window: from the config's list layer_types if there is one, else `local`.
using IsLocal = std::function<bool(int)>;
IsLocal layerTypes(const ModelConfig& config, IsLocal local);
/// Sets `window` in the layers that are local.
void slide(ModelPlan& plan, int window, const IsLocal& local);

/// The number under the first of `keys` that is present, else `otherwise`. BadInput if it is not a number above 0.
Result<double> positive(const ModelConfig& config, std::initializer_list<const char*> keys, double otherwise);

/// Slopes of ALiBi: 2^(-8 h / n) for n heads. If `heads` is not a power of two, n is the next smaller one, and every
/// second slope of 2n follows.
std::vector<double> alibiSlopes(int heads);
/// Slopes of MPT: 2^(-most h / n), n the next power of two; if `heads` is not n, every second slope comes first.
std::vector<double> mptSlopes(int heads, double most);
/// The nearest number that bfloat16 holds.
double roundedToBfloat16(double value);

/// BadInput if the config sets `key` to anything but false or 0: what it asks for is not computed.
Result<void> refuse(const ModelConfig& config, const char* key, const char* what);

}  // namespace sepx::checkpoint::families

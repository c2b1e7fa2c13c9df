// SPDX-License-Identifier: Apache-2.0
// What families add to the scores and streams of their layers, for the hooks of their parts: windows, caps, biases of
// distance, factors. Every number of a config is checked. Pure; any thread.
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

/// A sliding window under the first of `keys` that is there; 0: none, null counts as none. BadInput: below 1 or no
/// integer.
Result<int> windowOf(const ModelConfig& config, std::initializer_list<const char*> keys, int otherwise = 0);
/// Whether layer n sees only its window: the config's list layer_types where there is one, else `local`.
using IsLocal = std::function<bool(int)>;
IsLocal layerTypes(const ModelConfig& config, IsLocal local);
/// `window` in the layers that are local.
void slide(ModelPlan& plan, int window, const IsLocal& local);

/// A number above 0 under one of `keys`; `otherwise` where there is none. BadInput: what stands there is no such
/// number.
Result<double> positive(const ModelConfig& config, std::initializer_list<const char*> keys, double otherwise);

/// Slopes of ALiBi: 2^(-8 h / n), for a number of heads that is no power of two with every second one of the next.
std::vector<double> alibiSlopes(int heads);
/// MPT's: 2^(-most h / n), from the next power of two every second one first.
std::vector<double> mptSlopes(int heads, double most);
/// The nearest number that bfloat16 holds.
double roundedToBfloat16(double value);

/// BadInput where the config has `key` set to true, or to a number: what it asks for is not computed.
Result<void> refuse(const ModelConfig& config, const char* key, const char* what);

}  // namespace sepx::checkpoint::families

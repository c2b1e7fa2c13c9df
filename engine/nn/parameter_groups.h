// SPDX-License-Identifier: Apache-2.0
// Parameters in groups by what they do, as a person names them: to freeze them in training, to measure their gradients
// apart. Pure; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/nn/optimiser.h"
#include "engine/nn/parameters.h"

namespace sepx::nn {

/// What a parameter does. A weight goes with its bias, segments with positions, the head's transform with the output.
enum class ParameterGroup { Embedding, Positions, Queries, Keys, Values, Projections, FeedForward, Norms, Output };
inline constexpr std::size_t kParameterGroups = 9;
/// "embedding", "positions", "queries", "keys", "values", "projections" (W_O), "feed_forward", "norms", "output" (of
/// untied logits): in configs, keys of scripts and JSON.
std::string_view groupWord(ParameterGroup group);
ParameterGroup groupOf(const Parameter& parameter);

/// `name` is the word of the parameter's group, or of a union that has it [Reversal, 3]: "storage" (embedding, values,
/// projections, output: what Y = W_U W_V W_E is made of) and "routing" (queries, keys). The embedding is also what
/// queries and keys are made of.
bool isInGroup(const Parameter& parameter, std::string_view name);

/// Where in the flat array the parameters stand that `names` names, each a group or one parameter: ascending, disjoint,
/// neighbours joined. Usage with a sentence where a name is neither (with the nearest one), or where the model has no
/// parameter of a group.
Result<std::vector<FlatRange>> rangesOf(const ParameterLayout& layout, std::span<const std::string> names);

}  // namespace sepx::nn

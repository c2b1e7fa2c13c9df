// SPDX-License-Identifier: Apache-2.0
// Parameters in groups by what they do, as a person names them: to freeze them in training, to measure their gradients
// apart. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/nn/optimiser.h"
#include "engine/nn/parameters.h"

namespace sepx::nn {

/// The words: embedding, positions (with segments), queries, keys, values, projections (W_O), feed_forward, norms,
/// output (untied logits, their bias and the head's transform), each weight with its bias; and two unions
/// [Reversal, 3]: storage (embedding, values, projections, output: what Y = W_U W_V W_E is made of) and routing
/// (queries, keys). The embedding is also what queries and keys are made of.
std::span<const std::string_view> parameterGroupWords();
/// False for a word that is none of these.
bool isInGroup(const Parameter& parameter, std::string_view group);

/// Where in the flat array the parameters stand that `names` names, each a group or one parameter: ascending, disjoint,
/// neighbours joined. Usage with a sentence where a name is neither (with the nearest one), or where the model has no
/// parameter of a group.
Result<std::vector<FlatRange>> rangesOf(const ParameterLayout& layout, std::span<const std::string> names);

}  // namespace sepx::nn

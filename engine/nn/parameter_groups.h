// SPDX-License-Identifier: Apache-2.0
// Groups of parameters by function, under names for users: to freeze groups in training or to measure their gradients
// separately. Pure; any thread.
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

/// What a parameter does. A bias is in its weight's group, segments in Positions, the head's transform in Output.
enum class ParameterGroup { Embedding, Positions, Queries, Keys, Values, Projections, FeedForward, Norms, Output };
inline constexpr std::size_t kParameterGroups = 9;
/// "embedding", "positions", "queries", "keys", "values", "projections" (W_O), "feed_forward", "norms", "output"
/// (untied logits). The words are used in configs, as keys of scripts and in JSON.
std::string_view groupWord(ParameterGroup group);
ParameterGroup groupOf(const Parameter& parameter);

/// Whether `name` is the word of the parameter's group or of a union that contains it [Reversal, 3]: "storage"
/// (embedding, values, projections, output: the factors of Y = W_U W_V W_E) or "routing" (queries, keys). Queries and
/// keys are computed from the embedding as well.
bool isInGroup(const Parameter& parameter, std::string_view name);

/// The ranges of the flat array that hold the parameters in `names`, each a group or one parameter: ascending,
/// disjoint, adjacent ranges joined. Fails with ErrorKind::Usage where a name is neither (the message gives the nearest
/// one), or where the model has no parameter of a group.
Result<std::vector<FlatRange>> rangesOf(const ParameterLayout& layout, std::span<const std::string> names);

}  // namespace sepx::nn

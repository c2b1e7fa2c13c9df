// SPDX-License-Identifier: Apache-2.0
// Declarations that the objectives' files share. Each file describes its loss in a function describeName(), with Name
// as in list.inc. Private to engine/nn; any thread.
#pragma once

#include "engine/nn/objective.h"

namespace sepx::nn {
/// Declares the function that each file defines.
#define OBJECTIVE(Name) ObjectiveInfo describe##Name();
#include "engine/nn/objectives/list.inc"
#undef OBJECTIVE

/// Adds the target at `row` of the batch, whose correct token is `token`. Rows must be added in ascending order.
inline void predict(Batch& out, std::size_t row, std::int32_t token, float weight = 0) {
  out.targets.push_back({static_cast<std::int32_t>(row), token, weight});
}

/// Gives every target of the batch the same share of the loss.
void weighMean(Batch& out);

}  // namespace sepx::nn

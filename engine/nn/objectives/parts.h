// SPDX-License-Identifier: Apache-2.0
// What the objectives' files share. Each describes its loss in a function describeName(), Name as in list.inc. Private
// to engine/nn; any thread.
#pragma once

#include "engine/nn/objective.h"

namespace sepx::nn {
/// Declares what each file gives.
#define OBJECTIVE(Name) ObjectiveInfo describe##Name();
#include "engine/nn/objectives/list.inc"
#undef OBJECTIVE

/// The place `row` of the batch, whose right answer is `token`. Rows must rise.
inline void predict(Batch& out, std::size_t row, std::int32_t token, float weight = 0) {
  out.targets.push_back({static_cast<std::int32_t>(row), token, weight});
}

/// Gives every target of the batch the same share of the loss.
void weighMean(Batch& out);

}  // namespace sepx::nn

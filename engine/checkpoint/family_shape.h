// SPDX-License-Identifier: Apache-2.0
// Finds how many heads there are, how wide they are and where each begins, from the shapes of the tensors and the
// config. Pure; any thread.
#pragma once

#include <optional>

#include "engine/checkpoint/family_rule.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// A projection viewed as [out, in]. `heads` is not 0 if the tensor has a dimension of heads; `out` is then that of one
/// head.
struct ProjectionShape {
  std::int64_t out = 0, in = 0, heads = 0;
};
/// Empty if the tensor does not have the dimensions that the rule expects.
std::optional<ProjectionShape> projectionShapeOf(const TensorInfo& tensor, const StackRule& rule);

/// What rule, config and other tensors say about the heads; 0: nothing.
struct HeadHints {
  std::int64_t heads = 0, kvHeads = 0, d_h = 0;
};

struct HeadShape {  ///< heads of a layer, as config and shapes give them
  std::int64_t heads = 0, kvHeads = 0, d_h = 0;
  bool gated = false;    ///< the rows of a head's query are followed by the same number of rows of a gate
  bool assumed = false;  ///< the number of heads is unknown: one head as wide as the layer, which gives the same W_qk
};

/// Usage, with a sentence that lacks its subject ("has 96 rows, which 7 heads do not divide").
Result<HeadShape> headsOf(const StackRule& rule, const ProjectionShape& query, const ProjectionShape& key,
                          const HeadHints& hints);

/// Sets the layout of queries and keys (offsets, strides), but not the tensor names.
void placeHeads(const StackRule& rule, const HeadShape& shape, ProjectionSource& W_Q, ProjectionSource& W_K);

}  // namespace sepx::checkpoint

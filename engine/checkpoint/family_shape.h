// SPDX-License-Identifier: Apache-2.0
// How many heads, how wide, and where each begins: from the shapes of the tensors and what the config says. Pure; any
// thread.
#pragma once

#include <optional>

#include "engine/checkpoint/family_rule.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// A projection seen as [out, in]; `heads` is not 0 where the tensor has a dimension of heads, `out` is of one head
/// then.
struct Seen {
  std::int64_t out = 0, in = 0, heads = 0;
};
/// Nothing when the tensor has not the dimensions that the rule expects.
std::optional<Seen> seenAs(const TensorInfo& tensor, const StackRule& rule);

/// What is said about the heads; 0: nothing.
struct HeadHints {
  std::int64_t heads = 0, kvHeads = 0, d_h = 0;
};

struct HeadShape {  ///< heads of a layer, as config and shapes give them
  std::int64_t heads = 0, kvHeads = 0, d_h = 0;
  bool gated = false;    ///< the rows of a head's query are followed by as many of a gate
  bool assumed = false;  ///< nothing says how many heads: one as wide as the layer, whose W_qk is the same
};

/// Usage with a sentence without a subject ("has 96 rows, which 7 heads do not divide").
Result<HeadShape> headsOf(const StackRule& rule, const Seen& query, const Seen& key, const HeadHints& hints);

/// Where queries and keys lie: fills offset and strides, not the names.
void placeHeads(const StackRule& rule, const HeadShape& shape, ProjectionSource& W_Q, ProjectionSource& W_K);

}  // namespace sepx::checkpoint

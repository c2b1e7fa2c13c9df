// SPDX-License-Identifier: Apache-2.0
// The stream at two positions before a block as the sum of what was written into it, carried through the norms on the
// way with the denominators that the pass had. In doubles. Any thread.
#pragma once

#include <vector>

#include "engine/forward/forward_pass.h"
#include "engine/forward/score_parts.h"
#include "engine/forward/score_parts_read.h"

namespace sepx::forward {

/// One position's part of a pass, as doubles.
struct PassedBlock {
  VectorXd before, middle, after;                      ///< [d] stream; middle: empty where the pass has none
  VectorXd context, attentionWrite, feedForwardWrite;  ///< [heads d_v], [d], [d] or empty
};
struct PassedStream {  ///< the stream of one position, by who wrote it
  VectorXd embedding;
  std::vector<PassedBlock> blocks;  ///< those before the layer that is asked about
  const VectorXd& last() const { return blocks.empty() ? embedding : blocks.back().after; }
};
/// Of `pass` at a position, the blocks before `layer`.
template <class T>
PassedStream passedStream(const Activations<T>& pass, int layer, int position);

/// What stands in the stream before block `layer`, by writer.
struct StreamParts {
  std::vector<Writer> writers;
  Matrix rows;  ///< [writers, d]; their sum is the stream
  /// The same stream if the last norm of the sum (BERT) had a gain of 1; empty: the stream ends in no such norm.
  VectorXd ungained;
};
/// One for each of `passed`, which are of `positions`; their lists of writers are the same.
Result<std::vector<StreamParts>> streamParts(const ForwardModel& model, const Input& input,
                                             const std::vector<PassedStream>& passed, int layer,
                                             const std::vector<int>& positions, const checkpoint::Cancelled& cancelled);

}  // namespace sepx::forward

// SPDX-License-Identifier: Apache-2.0
// Decomposes the stream before a block, at given positions, into the sum of what was written into it. The parts are
// carried through the norms on the way with the denominators of the pass. In double precision. Any thread.
#pragma once

#include <vector>

#include "engine/forward/forward_pass.h"
#include "engine/forward/score_parts.h"
#include "engine/forward/score_parts_read.h"

namespace sepx::forward {

/// Activations of one block at one position, in double precision.
struct PositionBlock {
  VectorXd before, middle, after;                      ///< [d] stream; middle: empty if the pass has none
  VectorXd context, attentionWrite, feedForwardWrite;  ///< [heads d_v], [d], [d] or empty
};
struct PositionActivations {  ///< activations of a pass at one position
  VectorXd embedding;
  std::vector<PositionBlock> blocks;  ///< those before the requested layer
  const VectorXd& last() const { return blocks.empty() ? embedding : blocks.back().after; }
};
/// The activations of `pass` at a position, with the blocks before `layer`.
template <class T>
PositionActivations activationsAtPosition(const Activations<T>& pass, int layer, int position);

/// The parts of the stream before block `layer`, by writer.
struct StreamParts {
  std::vector<Writer> writers;
  Matrix rows;  ///< [writers, d]; their sum is the stream
  /// The same stream with a gain of 1 in the last norm of the sum (BERT); empty if the stream does not end in such a
  /// norm.
  VectorXd withUnitGain;
};
/// One result for each element of `passed`, which is at the same element of `positions`. All have the same list of
/// writers.
Result<std::vector<StreamParts>> streamParts(const ForwardModel& model, const Input& input,
                                             const std::vector<PositionActivations>& passed, int layer,
                                             const std::vector<int>& positions, const checkpoint::Cancelled& cancelled);

}  // namespace sepx::forward

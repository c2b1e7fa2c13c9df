// SPDX-License-Identifier: Apache-2.0
// One block of a stored model: attention and feed-forward part on the stream, with their norms before, of the branch or
// after the sum, one after the other or side by side. Any thread; the same bits on any number of threads.
#pragma once

#include <vector>

#include "engine/checkpoint/model_plan.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/forward/activations.h"
#include "engine/forward/feed_forward.h"
#include "engine/forward/rotation.h"
#include "engine/forward/tensor_reader.h"

namespace sepx::forward {

/// What the blocks of one pass share.
template <class T>
struct BlockPass {
  TensorReader& reader;
  ThreadPool& pool;
  const Request& request;
  int positions = 0, d_model = 0;        ///< positions that are computed
  int first = 0;                         ///< position of the first of them
  Past<T>* past = nullptr;               ///< has a block for each, and the positions before `first`; takes the others
  std::vector<Rotation<T>> rotations{};  ///< of the blocks so far: few models have more than two
  /// Memory that one block leaves to the next.
  std::vector<T> normed{}, projected{}, context{}, branch{};
  FeedForwardScratch<T> feedForward{};
};

/// BadInput, in one sentence, where heads, widths and tables of a plan do not fit each other.
Result<void> checkBlock(const checkpoint::BlockPlan& block, int layer, int d_model, const std::string& path);

/// x [positions, d_model] becomes what leaves block `layer`; `keep` takes what the request asks for, but for `hidden`.
/// BadInput and Interrupted as of multiply().
template <class T>
Result<void> runBlock(BlockPass<T>& pass, const checkpoint::BlockPlan& block, int layer, std::vector<T>& x,
                      BlockActivations<T>& keep);

}  // namespace sepx::forward

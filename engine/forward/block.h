// SPDX-License-Identifier: Apache-2.0
// One block of a stored model: attention and feed-forward part on the stream, one after the other or in parallel, with
// norms of the input, of the branch or after the sum. Any thread; the same bits for any number of threads.
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

/// State shared by the blocks of one pass.
template <class T>
struct BlockPass {
  TensorReader& reader;
  ThreadPool& pool;
  const Request& request;
  int positions = 0, d_model = 0;    ///< number of positions that are computed
  int first = 0;                     ///< position of the first of them
  KeyValueCache<T>* past = nullptr;  ///< one entry per block with the positions before `first`; the others are appended
  std::vector<Rotation<T>> rotations{};  ///< those of the blocks so far; few models have more than two
  /// Memory that is reused from block to block.
  std::vector<T> normed{}, projected{}, context{}, branch{};
  FeedForwardScratch<T> feedForward{};
};

/// BadInput, in one sentence, if the heads, widths and tables of a plan do not fit each other.
Result<void> checkBlock(const checkpoint::BlockPlan& block, int layer, int d_model, const std::string& path);

/// Replaces x [positions, d_model] by the output of block `layer`. `keep` receives what the request asks for, except
/// `hidden`. BadInput and Interrupted as for multiply().
template <class T>
Result<void> runBlock(BlockPass<T>& pass, const checkpoint::BlockPlan& block, int layer, std::vector<T>& x,
                      BlockActivations<T>& keep);

}  // namespace sepx::forward

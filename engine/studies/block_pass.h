// SPDX-License-Identifier: Apache-2.0
// One block of a checkpoint's decoder or encoder applied to streams, by the forward pass of engine/nn: pre-norm blocks
// with RoPE and a gated feed-forward part, as LLaMA, Qwen 2, Mistral, LLaDA and Dream have them. Private to
// engine/studies; workers only.
#pragma once

#include <functional>
#include <vector>

#include <Eigen/Core>

#include "engine/checkpoint/attention_map.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"

namespace sepx::studies {

/// A row a token.
using Stream = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Each stream [tokens, d_model] after the block of `layer`, by itself. Usage: tensors, activation or norm of a block
/// that is not of this kind; BadInput: a damaged file; Interrupted.
Result<void> passBlock(const checkpoint::Checkpoint& checkpoint, const checkpoint::AttentionLayer& layer,
                       std::vector<Stream>& streams, ThreadPool& pool, const std::function<bool()>& cancelled);

}  // namespace sepx::studies

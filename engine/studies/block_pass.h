// SPDX-License-Identifier: Apache-2.0
// Applies one decoder or encoder block of a checkpoint to residual streams, by the forward pass of engine/nn. Supports
// pre-norm blocks with RoPE and a gated feed-forward part, as in LLaMA, Qwen 2, Mistral, LLaDA and Dream. Private to
// engine/studies; worker threads only.
#pragma once

#include <functional>
#include <vector>

#include <Eigen/Core>

#include "engine/checkpoint/attention_map.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"

namespace sepx::studies {

/// One row per token.
using Stream = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Replaces each stream [tokens, d_model] by its values after the block of `layer`. Streams do not attend to each
/// other. Usage if the tensors, activation or norms are not those of a supported block; BadInput if the file is
/// damaged; Interrupted if cancelled.
Result<void> passBlock(const checkpoint::Checkpoint& checkpoint, const checkpoint::AttentionLayer& layer,
                       std::vector<Stream>& streams, ThreadPool& pool, const std::function<bool()>& cancelled);

}  // namespace sepx::studies

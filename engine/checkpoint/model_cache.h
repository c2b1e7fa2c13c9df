// SPDX-License-Identifier: Apache-2.0
// The checkpoints that are open now: panes, lists and the command line that ask for the same file share one. A file
// that was changed since, also while it was read, is opened anew. Any thread.
#pragma once

#include <memory>
#include <string>

#include "engine/checkpoint/attention_map.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// A checkpoint with its map.
struct Model {
  std::shared_ptr<const Checkpoint> checkpoint;  ///< never null
  AttentionMap map;                              ///< where its attention stands, by the rules of its family
};

/// Opens or finds the open one. Kept as long as somebody holds it. `rules`: folder with the person's own rules, empty:
/// none. BadInput and `cancelled` as of Checkpoint::open, BadInput as of readRules.
Result<std::shared_ptr<const Model>> openModel(const std::string& path, const std::string& rules = {},
                                               const Cancelled& cancelled = {});

}  // namespace sepx::checkpoint

// SPDX-License-Identifier: Apache-2.0
// The cache of open checkpoints: panes, lists and the command line share the checkpoint of a file. A file that has
// changed since it was opened, or while it was read, is opened again. Any thread.
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
  AttentionMap map;                              ///< where its attention weights are, by the rules of its family
};

/// Opens the file, or returns the checkpoint that is already open. It is kept as long as it is referenced. `rules`:
/// folder with the user's own rules, empty: none. BadInput and `cancelled` as in Checkpoint::open, BadInput also as in
/// readRules.
Result<std::shared_ptr<const Model>> openModel(const std::string& path, const std::string& rules = {},
                                               const Cancelled& cancelled = {});

}  // namespace sepx::checkpoint

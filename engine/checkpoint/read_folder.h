// SPDX-License-Identifier: Apache-2.0
// Reads what the user names (a weight file, an index of shards, a folder): the contents of all files that belong to it,
// with the config beside them. Private to engine/checkpoint; any thread.
#pragma once

#include <string>

#include "engine/checkpoint/checkpoint.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

struct Weights {  ///< contents of the weight files, and their folder
  Contents contents;
  std::string folder;
};

/// BadInput names the file and what is wrong, and for a folder what was looked for or which files there are to choose
/// from. `cancelled`, here and below: as in Checkpoint::open.
Result<Weights> readWeights(const std::string& path, const Cancelled& cancelled = {});

/// Reads the shards that an index ("weight_map": {tensor: shard}) names, all in the index's folder.
Result<Contents> readSharded(const std::string& index, const Cancelled& cancelled = {});

/// The weight file, index or first part of a split file that represents a folder.
Result<std::string> weightsIn(const std::string& folder);

/// Whether a name is that of an index of shards ("….index.json").
bool isIndexName(const std::string& path);

}  // namespace sepx::checkpoint

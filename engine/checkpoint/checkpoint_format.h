// SPDX-License-Identifier: Apache-2.0
// Contents of one weight file by the reader of its format (formatOf() in checkpoint.h tells which). Private to
// engine/checkpoint; any thread.
#pragma once

#include <string>

#include "engine/checkpoint/checkpoint.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// One weight file by its format. BadInput for anything else, with a word on what it seems to be. `cancelled`: as of
/// Checkpoint::open.
Result<Contents> readWeightFile(const std::string& path, const Cancelled& cancelled = {});

}  // namespace sepx::checkpoint

// SPDX-License-Identifier: Apache-2.0
// Reads one weight file with the reader of its format (formatOf() in checkpoint.h determines the format). Private to
// engine/checkpoint; any thread.
#pragma once

#include <string>

#include "engine/checkpoint/checkpoint.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// Reads one weight file. BadInput for a file of an unknown format, with a hint about what it seems to be. `cancelled`:
/// as in Checkpoint::open.
Result<Contents> readWeightFile(const std::string& path, const Cancelled& cancelled = {});

}  // namespace sepx::checkpoint

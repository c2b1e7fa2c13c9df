// SPDX-License-Identifier: Apache-2.0
// What a PyTorch pickle says besides its tensors, and names without what wraps them: parts of readTorchObjects. Pure;
// any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/pickle.h"

namespace sepx::checkpoint {

/// What a pickle says beside its tensors: the model's settings under any of the names that training programs give them,
/// and single numbers and texts ("epoch"). Part of readTorchObjects.
void readTorchSettings(const PickleGraph& graph, Contents& contents);

/// Takes away what stands before the name of every weight. `depths`: for each tensor the ends of the dictionary keys
/// within its name. Part of readTorchObjects.
void shortenNames(Contents& contents, const std::vector<std::vector<std::uint32_t>>& depths);

}  // namespace sepx::checkpoint

// SPDX-License-Identifier: Apache-2.0
// Parts of readTorchObjects: reads the settings in a PyTorch pickle, and removes wrapping prefixes from names. Pure;
// any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/pickle.h"

namespace sepx::checkpoint {

/// Reads what a pickle holds besides its tensors: the model's settings under any of the names that training programs
/// use for them, and single numbers and texts ("epoch"). Part of readTorchObjects.
void readTorchSettings(const PickleGraph& graph, Contents& contents);

/// Removes the wrapping prefix that the names of all weights share. `depths`: for each tensor, where the dictionary
/// keys end within its name. Part of readTorchObjects.
void shortenNames(Contents& contents, const std::vector<std::vector<std::uint32_t>>& depths);

}  // namespace sepx::checkpoint

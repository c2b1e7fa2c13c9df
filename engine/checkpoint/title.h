// SPDX-License-Identifier: Apache-2.0
// What a person calls a checkpoint, from its path alone. Any thread; looks at the file system, opens nothing.
#pragma once

#include <string>

namespace sepx::checkpoint {

/// The file's stem; the folder's name where that says nothing ("model.safetensors"); the model's name in the cache of a
/// hub; "RUN, step 2500" for what a training run saved in "RUN/checkpoints/step-0002500".
std::string titleOf(const std::string& path);

}  // namespace sepx::checkpoint

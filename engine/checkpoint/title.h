// SPDX-License-Identifier: Apache-2.0
// What a checkpoint is called, from its path alone. Any thread; looks at the file system, opens nothing.
#pragma once

#include <string>

namespace sepx::checkpoint {

/// The file's stem; the folder's name where that says nothing ("model.safetensors"); the model's name in the cache of a
/// hub. "step-0002500" for what a training run saved.
std::string nameOf(const std::string& path);
/// For a person: nameOf(), but "RUN, step 2500" for what a training run saved in "RUN/checkpoints/step-0002500".
std::string titleOf(const std::string& path);

}  // namespace sepx::checkpoint

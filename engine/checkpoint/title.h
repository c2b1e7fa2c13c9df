// SPDX-License-Identifier: Apache-2.0
// The name of a checkpoint, from its path alone. Any thread; looks at the file system, but opens no file.
#pragma once

#include <string>

namespace sepx::checkpoint {

/// The file's stem; the folder's name if the stem is generic ("model.safetensors"); the model's name in the cache of a
/// hub. "step-0002500" for a checkpoint that a training run saved.
std::string nameOf(const std::string& path);
/// For display: nameOf(), but "RUN, step 2500" for a checkpoint of a run, "RUN/checkpoints/step-0002500".
std::string titleOf(const std::string& path);

}  // namespace sepx::checkpoint

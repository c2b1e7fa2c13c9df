// SPDX-License-Identifier: Apache-2.0
// Paths of the checkpoints of a run: RUN/checkpoints/step-0001240 with model.safetensors and state.safetensors. A
// folder has a temporary name ("….tmp") until it is complete. Private to engine/train. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sepx::train {

inline constexpr const char* kCheckpoints = "checkpoints";      ///< in the folder of a run
inline constexpr const char* kModelName = "model.safetensors";  ///< weights
inline constexpr const char* kStateName = "state.safetensors";  ///< training state

std::string stepFolderName(std::int64_t step);  ///< "step-0001240"
/// Empty if the name is not that of a finished checkpoint.
std::optional<std::int64_t> stepOfFolderName(std::string_view name);
/// Flushes the entries of a folder to the disk. Failures are ignored.
void syncFolder(const std::string& folder);
/// Removes what a killed program left of a checkpoint that it was writing. The caller must hold the run's lock.
void removeUnfinished(const std::string& folder);

}  // namespace sepx::train

// SPDX-License-Identifier: Apache-2.0
// Where the checkpoints of a run lie: RUN/checkpoints/step-0001240 with model.safetensors and state.safetensors.
// Folders being written have other names ("….tmp") until they are whole. Private to engine/train. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sepx::train {

inline constexpr const char* kCheckpoints = "checkpoints";      ///< folder below a run's
inline constexpr const char* kModelName = "model.safetensors";  ///< weights
inline constexpr const char* kStateName = "state.safetensors";  ///< optimiser and generators

std::string stepFolderName(std::int64_t step);  ///< "step-0001240"
/// Nothing for a name that is not of a finished checkpoint.
std::optional<std::int64_t> stepOfFolderName(std::string_view name);
/// The names in it reach the disk. A folder that cannot be synced is not a failure.
void syncFolder(const std::string& folder);
/// What a kill left of a checkpoint that was being written. For the holder of the run's lock.
void removeUnfinished(const std::string& folder);

}  // namespace sepx::train

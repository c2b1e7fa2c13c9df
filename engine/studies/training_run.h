// SPDX-License-Identifier: Apache-2.0
// The settings of figures 3, 4 and 6 of Local-to-Global, and the execution of one run. Worker threads only.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/core/result.h"
#include "engine/studies/training_study.h"

namespace sepx::studies {

/// The settings that are trained for a figure.
std::vector<TrainingSetting> trainingSettings(int figure, bool quick);
/// Executes one run. `made` is called after every point of its curve with the share done.
Result<TrainingRun> followTraining(const TrainingSetting& setting, int start, std::uint64_t seed,
                                   const std::function<void(double share)>& made,
                                   const std::function<bool()>& cancelled = {});

}  // namespace sepx::studies

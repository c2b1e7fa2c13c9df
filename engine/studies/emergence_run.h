// SPDX-License-Identifier: Apache-2.0
// What the figures of emergence train, and one run of it. Workers only.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/core/result.h"
#include "engine/studies/emergence_study.h"
#include "engine/train/run_config.h"

namespace sepx::studies {

// The parts.
std::vector<EmergenceSource> emergenceSources(EmergenceId id);
/// sigma of the start: 0.02, or 0.05 where starts are compared.
double emergenceSigma(EmergenceId id);
train::RunConfig emergenceConfig(const EmergenceSource& source, Trainee trainee, std::uint64_t seed, std::int64_t steps,
                                 double sigma);
/// `points` of the curves; `made` is called after each.
Result<EmergenceRun> followEmergence(const train::RunConfig& config, int points,
                                     const std::function<void(double share)>& made,
                                     const std::function<bool()>& cancelled = {});

}  // namespace sepx::studies

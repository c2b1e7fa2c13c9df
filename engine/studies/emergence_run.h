// SPDX-License-Identifier: Apache-2.0
// The training settings of the emergence figures of Attention-Structure, and the execution of one run. Worker threads
// only.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/core/result.h"
#include "engine/studies/emergence_study.h"
#include "engine/train/run_config.h"

namespace sepx::studies {

// The parts of computeEmergence().
std::vector<EmergenceSource> emergenceSources(EmergenceId id);
/// sigma of the initialisation: 0.02, or 0.05 where initialisations are compared.
double emergenceSigma(EmergenceId id);
train::RunConfig emergenceConfig(const EmergenceSource& source, Trainee trainee, std::uint64_t seed, std::int64_t steps,
                                 double sigma);
/// Executes one run with `points` points of its curves after the first; `made` is called after each.
Result<EmergenceRun> followEmergence(const train::RunConfig& config, int points,
                                     const std::function<void(double share)>& made,
                                     const std::function<bool()>& cancelled = {});

}  // namespace sepx::studies

// SPDX-License-Identifier: Apache-2.0
// How long a run will take on this machine: a few of its steps are made, with nothing kept, and timed. Worker threads.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/core/result.h"
#include "engine/train/run_config.h"

namespace sepx::train {

struct RunEstimate {
  double secondsPerStep = 0;
  double seconds = 0;  ///< of all steps
  std::int64_t parameters = 0;
  std::int64_t bytes = 0;  ///< of parameters, gradient, optimiser, activations and scratch
  nn::ModelConfig model;   ///< of the config, with as many tokens as the data have; 0: parameters do not tell
};

/// As Trainer::start and its data; Interrupted soon after `cancelled` said yes. Takes up to two seconds. Not `timed`:
/// the seconds stay 0.
Result<RunEstimate> estimateRun(const RunConfig& config, int threads, bool timed,
                                const std::function<bool()>& cancelled);

}  // namespace sepx::train

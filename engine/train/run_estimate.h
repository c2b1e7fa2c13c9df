// SPDX-License-Identifier: Apache-2.0
// Estimates how long a run will take on this machine: makes and times a few of its steps without saving anything. For
// worker threads.
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
  nn::ModelConfig model;   ///< of the config, with the vocabulary size of the data; 0: it cannot be derived
};

/// Fails like Trainer::start() and the reading of the data, and with Interrupted soon after `cancelled` returned true.
/// Takes up to two seconds. Without `timed` the seconds stay 0.
Result<RunEstimate> estimateRun(const RunConfig& config, int threads, bool timed,
                                const std::function<bool()>& cancelled);

}  // namespace sepx::train

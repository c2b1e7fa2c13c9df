// SPDX-License-Identifier: Apache-2.0
// What the own config would train: its size, memory and time, and whether saved weights fit it. Worker threads.
#pragma once

#include <functional>
#include <string>

#include "engine/core/result.h"
#include "engine/train/run_estimate.h"

namespace sepx::ui {

/// What is to be estimated; of a script without the time, so that its pictures are the same on every machine.
struct EstimateRequest {
  train::RunConfig config;
  bool timed = true;
  std::string parent{}, name{};  ///< folder and name of the run of which it is to be a branch; empty: none
  std::int64_t step = 0;         ///< of that run
  bool operator==(const EstimateRequest&) const = default;
};

struct Estimate {
  Result<train::RunEstimate> run = train::RunEstimate{};
  std::string problem;  ///< why it cannot be a branch; empty: it can, or is to be none
};

/// The data decide about the vocabulary, so that only after a look at them it is known whether the saved weights of a
/// branch fit the model.
Estimate estimated(const EstimateRequest& request, const std::function<bool()>& cancelled);

}  // namespace sepx::ui

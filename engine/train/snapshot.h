// SPDX-License-Identifier: Apache-2.0
// What a running trainer publishes to the frame path: the state of the run, the newest metrics and the weights that
// were requested. Passed through an Exchange (engine/core/exchange.h). Plain data.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/data/source.h"

namespace sepx::train {

/// One value of a metric. Names are those of the run store ("loss", "validation", "rate", "gradient_norm", ...).
struct Metric {
  std::int64_t step = 0;
  std::int32_t name = 0;  ///< metricId() of run_store.h
  std::int32_t layer = -1, head = -1;
  double value = 0;
};

struct MatrixSnapshot {  ///< of one parameter
  std::string parameter;
  int rows = 0, columns = 0;
  std::vector<float> values;
  std::vector<double> singular;     ///< descending; of this or of an earlier step; empty: not computed yet
  std::vector<double> left, right;  ///< singular vectors of the largest: values ~ singular[0] left right^T
};

enum class RunState { Preparing, Running, Paused, Finished, Stopped, Failed };  ///< the last three: the run has ended

struct Snapshot {
  RunState state = RunState::Preparing;
  std::int64_t step = 0, steps = 0;
  std::optional<double> prepared;  ///< fraction of the data files that was read; empty: all, or none yet
  double loss = std::numeric_limits<double>::quiet_NaN();  ///< of the last recorded step; NaN: none yet
  double rate = 0, gradientNorm = 0;
  double validation = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not measured yet, or never
  double validationError = 0;                                    ///< standard error of `validation`: it is a sample
  double secondsPerStep = 0;
  std::optional<double> secondsLeft;
  std::int64_t savedStep = -1;           ///< last checkpoint on disk
  std::int64_t storedStep = -1;          ///< last step whose matrices are in the run store; -1: none
  std::string sentence;                  ///< why it stopped, for the person
  std::string notice;                    ///< what a person should know about the start of the run, or about a decay
                                         ///< stretched by SetSteps; usually empty
  std::int64_t parameters = 0;           ///< of the model, once the data are read
  std::vector<data::Bound> bounds;       ///< reference values for the loss
  std::vector<Metric> metrics;           ///< the newest ones, at most kMetrics; all are in the run store
  std::uint64_t firstMetric = 0;         ///< index of metrics.front() among all that this trainer reported, from 0;
                                         ///< a gap to the end of the previous snapshot shows what was missed
  std::vector<MatrixSnapshot> matrices;  ///< the requested ones
  static constexpr std::size_t kMetrics = 4096;
};

}  // namespace sepx::train

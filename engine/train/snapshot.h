// SPDX-License-Identifier: Apache-2.0
// What a running trainer shows to the frame path: the state of the run, the metrics since the last look and the weights
// that somebody asked for. Travels through an Exchange (engine/core/exchange.h). Plain data.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/data/source.h"

namespace sepx::train {

/// Metrics of one step. Names are those of the run store ("loss", "validation", "rate", "gradient_norm", ...).
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
  std::vector<double> singular;     ///< descending; of this or of an earlier step; empty: not yet
  std::vector<double> left, right;  ///< vectors of the largest: values ~ singular[0] left right^T
};

enum class RunState { Preparing, Running, Paused, Finished, Stopped, Failed };  ///< Finished, Stopped, Failed are ends

struct Snapshot {
  RunState state = RunState::Preparing;
  std::int64_t step = 0, steps = 0;
  std::optional<double> prepared;  ///< share of the data's files that was read; nothing: all of them, or none yet
  double loss = std::numeric_limits<double>::quiet_NaN();  ///< of the last step recorded; NaN: of none yet
  double rate = 0, gradientNorm = 0;
  double validation = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not measured yet, or never
  double validationError = 0;                                    ///< standard error of `validation`: it is a sample
  double secondsPerStep = 0;
  std::optional<double> secondsLeft;
  std::int64_t savedStep = -1;           ///< last checkpoint on disk
  std::int64_t storedStep = -1;          ///< last step whose matrices are in the run store; -1: none
  std::string sentence;                  ///< why it stopped, for the person
  std::string notice;                    ///< what a person should know of how it began, or of a decay stretched by
                                         ///< SetSteps; mostly empty
  std::int64_t parameters = 0;           ///< of the model, once the data are read
  std::vector<data::Bound> bounds;       ///< lines that the loss can be compared with
  std::vector<Metric> metrics;           ///< the newest ones, at most kMetrics; all are in the run store
  std::uint64_t firstMetric = 0;         ///< number of metrics.front() among all that this trainer reported, from 0:
                                         ///< what a look missed lies between the end of the last one and this
  std::vector<MatrixSnapshot> matrices;  ///< those asked for
  static constexpr std::size_t kMetrics = 4096;
};

}  // namespace sepx::train

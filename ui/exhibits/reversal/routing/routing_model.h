// SPDX-License-Identifier: Apache-2.0
// Opens, in a job, the model that the page Routing analyses: of a run at the step shown, or a shipped one if no run has
// weights. Also measures its answers to all pairs with and without the switches. Any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/reversal/switches.h"
#include "ui/race/run_model.h"

namespace sepx::ui {

struct OpenModelRequest {
  std::optional<ModelRequest> model;  ///< of a run, all parameters
  std::string folder;                 ///< without `model`: a folder with the weights of a model
  std::optional<nn::Positions> positions;
  bool operator==(const OpenModelRequest&) const = default;
};

struct OpenedModel {
  std::string name;
  train::RunConfig config;  ///< resolved
  std::vector<float> theta;
  std::int64_t step = -1;  ///< -1: unknown
  ModelSource source = ModelSource::Checkpoint;
  bool ships = false;        ///< a shipped model, not one of a run
  reversal::OneLayer layer;  ///< with the requested positions
  bool masks() const { return reversal::readingOf(config.objective) == reversal::Reading::Masked; }
  int length() const { return config.model.length; }
};
using OpenedPointer = std::shared_ptr<const OpenedModel>;

/// Fails with a sentence if the run is on other data, or if its model does not have one layer and one head or cannot be
/// read.
Result<OpenedPointer> openModel(const OpenModelRequest& request);

struct AnswersRequest {
  OpenedPointer model;
  reversal::Switches switches;
  bool operator==(const AnswersRequest&) const = default;
};
struct SwitchedAnswers {
  reversal::AccuracyReport own, switched;
};
using AnswersPointer = std::shared_ptr<const SwitchedAnswers>;
/// For at most 1,170 pairs; null if cancelled. The model must be one that hides tokens.
Result<AnswersPointer> switchedAnswers(const AnswersRequest& request, const std::function<bool()>& cancelled);

/// The config of a run that continues from a saved step with a group of parameters frozen. If the parent ends at that
/// step, its number of steps is increased by `step`.
train::RunConfig frozenBranch(train::RunConfig config, const std::string& group, std::int64_t step);

}  // namespace sepx::ui

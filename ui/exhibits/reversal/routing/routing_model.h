// SPDX-License-Identifier: Apache-2.0
// The model that the page Routing takes apart, opened in a job: of a run at the step shown, or one that ships where no
// run is open. And its answers to all pairs with and without the switches. Any thread.
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

struct OpenAsk {
  std::optional<ModelRequest> model;  ///< of a run, all parameters
  std::string folder;                 ///< without one: a folder with the weights of a model
  std::optional<nn::Positions> positions;
  bool operator==(const OpenAsk&) const = default;
};

struct OpenedModel {
  std::string name;
  train::RunConfig config;  ///< resolved
  std::vector<float> theta;
  std::int64_t step = -1;  ///< -1: not known
  ModelSource source = ModelSource::Checkpoint;
  bool ships = false;        ///< it is none of a run
  reversal::OneLayer layer;  ///< with the positions asked for
  bool masks() const { return reversal::readingOf(config.objective) == reversal::Reading::Masked; }
  int length() const { return config.model.length; }
};
using OpenedPointer = std::shared_ptr<const OpenedModel>;

/// A sentence where the run is on other data, its model is not of one layer and one head, or cannot be read.
Result<OpenedPointer> openModel(const OpenAsk& ask);

struct AnswersAsk {
  OpenedPointer model;
  reversal::Switches switches;
  bool operator==(const AnswersAsk&) const = default;
};
struct SwitchedAnswers {
  reversal::AccuracyReport own, switched;
};
using AnswersPointer = std::shared_ptr<const SwitchedAnswers>;
/// Of at most 1,170 pairs; null where it was cancelled. Of a model that hides tokens.
Result<AnswersPointer> switchedAnswers(const AnswersAsk& ask, const std::function<bool()>& cancelled);

/// A run that goes on from a saved step with a group of parameters frozen, for as many steps again where the parent has
/// ended.
train::RunConfig frozenBranch(train::RunConfig config, const std::string& group, std::int64_t step);

}  // namespace sepx::ui

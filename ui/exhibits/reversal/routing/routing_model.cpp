// SPDX-License-Identifier: Apache-2.0
#include "ui/exhibits/reversal/routing/routing_model.h"

#include <utility>

#include "engine/core/try.h"
#include "engine/train/saved_model.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr std::uint64_t kMostPairs = 1170;  // all of L = 10

struct Weights {
  train::RunConfig config;
  std::vector<float> theta;
  std::int64_t step = -1;
};

Result<Weights> shippedWeights(const std::string& folder) {
  SEPX_ASSIGN(train::RunConfig config, train::savedConfig(folder));
  SEPX_TRY(train::resolve(config, *data::makePairs(config.data.seed)));
  SEPX_ASSIGN(train::SavedModel saved, train::readSaved(folder, config));
  return Weights{std::move(config), std::move(saved.theta), saved.step};
}

Result<Weights> weightsOf(const OpenModelRequest& request) {
  if (!request.model) return shippedWeights(request.folder);
  SEPX_ASSIGN(WholeModel whole, readModel(*request.model));
  return Weights{std::move(whole.config), std::move(whole.theta), whole.step};
}

}  // namespace

Result<OpenedPointer> openModel(const OpenModelRequest& request) {
  if (request.model && request.model->config.data.kind != data::SourceKind::Pairs)
    return fail(ErrorKind::Usage,
                trFormat("{} was trained on other data; forward and reverse queries exist only for pairs of letters.",
                         request.model->config.name));
  SEPX_ASSIGN(Weights weights, weightsOf(request));
  SEPX_ASSIGN(reversal::OneLayer layer,
              reversal::OneLayer::make(weights.config.model, weights.theta,
                                       request.positions.value_or(weights.config.model.positions)));
  OpenedModel opened{weights.config.name,
                     weights.config,
                     std::move(weights.theta),
                     weights.step,
                     request.model ? request.model->source : ModelSource::Checkpoint,
                     !request.model,
                     std::move(layer)};
  return OpenedPointer(std::make_shared<const OpenedModel>(std::move(opened)));
}

Result<AnswersPointer> switchedAnswers(const AnswersRequest& request, const std::function<bool()>& cancelled) {
  const OpenedModel& model = *request.model;
  const std::vector<reversal::Pair> pairs = reversal::samplePairs(model.length(), kMostPairs);
  SEPX_ASSIGN(const auto own, reversal::measureSwitched(model.config.model, model.theta, pairs, {}, cancelled));
  if (!own) return AnswersPointer();
  if (request.switches == reversal::Switches{})
    return std::make_shared<const SwitchedAnswers>(SwitchedAnswers{*own, *own});
  SEPX_ASSIGN(const auto switched,
              reversal::measureSwitched(model.config.model, model.theta, pairs, request.switches, cancelled));
  return switched ? std::make_shared<const SwitchedAnswers>(SwitchedAnswers{*own, *switched}) : nullptr;
}

train::RunConfig frozenBranch(train::RunConfig config, const std::string& group, std::int64_t step) {
  config.name = group == "storage" ? trFormat("{}, storage frozen from step {}", config.name, step)
                                   : trFormat("{}, routing frozen from step {}", config.name, step);
  config.optimisation.frozen = {group};
  if (config.schedule.steps <= step) config.schedule.steps += step;
  return config;
}

}  // namespace sepx::ui

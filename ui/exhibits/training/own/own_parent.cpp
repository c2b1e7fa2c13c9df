// SPDX-License-Identifier: Apache-2.0
// See own_parent.h.
#include "ui/exhibits/training/own/own_parent.h"

#include <algorithm>
#include <utility>

#include "engine/train/run_store.h"
#include "engine/train/trainer.h"
#include "ui/exhibits/training/own/own_config.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

void OwnParent::read(const Document& document) {
  const Json &parent = document.at("training.own.parent"), &step = document.at("training.own.parent_step");
  const std::string folder = parent.is_string() ? parent.get<std::string>() : std::string();
  if (folder != std::exchange(folder_, folder)) run_ = nullptr;
  constexpr auto kMost = static_cast<double>(train::kMostRunSteps);
  step_ = step.is_number() ? static_cast<std::int64_t>(std::clamp(step.get<double>(), -1.0, kMost)) : -1;
}

bool OwnParent::update(Runs* runs) {
  if (named() && !run_ && runs) run_ = runs->open(folder_);
  return run_ && std::exchange(seen_, run_->revision()) != run_->revision();
}

std::string OwnParent::problem(const train::RunConfig& config) const {
  if (!branches() || !this->config()) return {};
  const std::vector<std::int64_t>& saved = run_->savedSteps();
  if (std::find(saved.begin(), saved.end(), step_) == saved.end()) {
    const std::optional<std::int64_t> nearest = nearestSaved(*run_, step_);
    return nearest ? trFormat("Step {} of {} is not saved. The nearest saved step is {}.", stepText(step_), name(),
                              stepText(*nearest))
                   : trFormat("{} has no saved step.", name());
  }
  const Result<void> fits = train::checkBranchModel(name(), this->config()->model, step_, config);
  return fits ? std::string() : fits.error().message + ".";
}

std::optional<Document> OwnParent::withParentConfig(const Document& document, const RaceShared& shared) const {
  const std::size_t bare = document.has("training.own.parent_step") ? 2 : 1;
  if (!config() || !document.has("training.own") || document.at("training.own").size() != bare) return std::nullopt;
  train::RunConfig config = editableConfig(*run_, step_ >= 0 ? std::optional<std::int64_t>(step_) : std::nullopt);
  config.name = uniqueName(shared, config.name);
  Document next = withOwnConfig(document, {}, config).with("training.own.parent", folder_);
  return bare == 2 ? next.with("training.own.parent_step", step_) : next;
}

std::vector<std::string> OwnParent::lines(const std::string& problem, bool initial) const {
  std::vector<std::string> lines;
  if (named() && run_ && !run_->failure().empty()) lines.push_back(sentenceCase(run_->failure()));
  if (!branches()) return lines;
  if (problem.empty())
    lines.push_back(
        trFormat("A branch of {} from its saved step {}: it has the weights, the state of the optimiser "
                 "and the position in the data of that step.",
                 name(), stepText(step_)));
  if (initial) lines.emplace_back(tr("Initial weights have no effect on a branch."));
  return lines;
}

}  // namespace sepx::ui

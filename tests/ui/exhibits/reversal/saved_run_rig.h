// SPDX-License-Identifier: Apache-2.0
// A Reversal exhibit that shows runs trained before it opened: tiny models on pairs, saved every ten steps.
#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/studies/transfer_study.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/run_store.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "engine/train/trainer.h"
#include "tests/ui/page/runs_exhibit_rig.h"
#include "ui/exhibits/reversal/reversal_exhibit.h"

namespace sepx::ui {

inline train::RunConfig tinyPairsConfig(nn::Positions positions = nn::Positions::Rope) {
  train::RunConfig config = studies::transferConfig(6, 1, 20, 8);
  config.name = "tiny";
  config.model.d_model = 16;
  config.model.positions = positions;
  config.optimisation.warmUp = 0;
  config.optimisation.rule.learningRate = 1e-3;
  config.schedule.saveEvery = 10;
  config.schedule.saveSeconds = 0;
  config.schedule.evaluateEvery = 10;
  config.schedule.evaluateSequences = 8;
  return config;
}

/// A config of a causal model.
inline train::RunConfig tinyCausalConfig() {
  train::RunConfig config = tinyPairsConfig(nn::Positions::Learned);
  config.model.causal = true;
  config.objective.kind = nn::ObjectiveKind::NextToken;
  return config;
}

class SavedRunRig : public RunsExhibitRig {
 public:
  explicit SavedRunRig(const std::vector<train::RunConfig>& configs, const std::string& page)
      : RunsExhibitRig(makeReversalExhibit()) {
    Json folders = Json::array();
    for (std::size_t i = 0; i < configs.size(); ++i) {
      train::TrainerOptions options;
      options.folder = (own.path / ("run-" + std::to_string(i))).string();
      options.threads = 1;
      options.background = false;
      auto trainer = train::Trainer::start(configs[i], options);
      if (!trainer) throw std::runtime_error(trainer.error().message);
      if (const auto done = (*trainer)->finish(); !done) throw std::runtime_error(done.error().message);
      folders.push_back({{"folder", options.folder}});
    }
    editor.history.replace(editor.document()
                               .with("reversal.runs", std::move(folders))
                               .with("reversal.page", page)
                               .with("reversal.run", 0));
  }

  /// The labels of a layer as one line, so that wrapped sentences can be searched.
  std::string words(const std::string& layer) const {
    std::string all = texts(layer);
    std::replace(all.begin(), all.end(), '\n', ' ');
    return all;
  }
  /// The parameters of a run at a saved step.
  std::vector<float> thetaOf(std::size_t run, std::int64_t step, nn::ModelConfig& model) const {
    const std::string at = (own.path / ("run-" + std::to_string(run))).string();
    auto config = *train::readRunConfig(at + "/config.json");
    const auto source = *data::makeSource(config.data);
    if (!train::resolve(config, *source)) throw std::runtime_error("the config of the run does not fit its data");
    model = config.model;
    model.residualDropout = 0;
    auto state = train::readCheckpoint(train::checkpointFolder(at, step), nn::ParameterLayout(config.model));
    if (!state) throw std::runtime_error(state.error().message);
    return std::move(state->theta);
  }

  /// The folder of a saved step of a run.
  std::string checkpointOf(std::size_t run, std::int64_t step) const {
    return train::checkpointFolder((own.path / ("run-" + std::to_string(run))).string(), step);
  }

  /// Deletes a saved step of a run; to be called before the first frame.
  void forget(std::size_t run, std::int64_t step) const {
    const std::string at = (own.path / ("run-" + std::to_string(run))).string();
    if (std::filesystem::remove_all(train::checkpointFolder(at, step)) == 0)
      throw std::runtime_error("the run has no such step");
  }
};

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// See experiment.h.
#include "ui/race/experiment.h"

#include <algorithm>
#include <utility>

#include "engine/core/try.h"

namespace sepx::ui {

const Experiment& RaceKind::experiment(std::string_view named) const {
  const auto found =
      std::find_if(experiments.begin(), experiments.end(), [named](const Experiment& one) { return one.key == named; });
  return found == experiments.end() ? experiments.front() : *found;
}

Result<std::vector<train::RunConfig>> namedConfigs(const Experiment& experiment, const std::string& assets) {
  std::vector<train::RunConfig> configs;
  for (const char* const name : experiment.configs) {
    SEPX_ASSIGN(train::RunConfig config, train::readRunConfig(assets + "/configs/" + name + ".json"));
    configs.push_back(std::move(config));
  }
  return configs;
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The configs of figures 3, 4 and 6 are the settings of sepx reproduce, except for the number of steps.
#include <catch2/catch.hpp>

#include "engine/studies/training_run.h"
#include "engine/studies/training_study.h"
#include "engine/train/run_config.h"
#include "tests/folders.h"

using namespace sepx;

namespace {

nlohmann::ordered_json sameParts(const train::RunConfig& run) {
  nlohmann::ordered_json json = train::toJson(run);
  nlohmann::ordered_json parts{
      {"model", json["model"]}, {"data", json["data"]}, {"optimisation", json["optimisation"]}};
  parts["model"]["vocabulary"] = 2;
  parts["model"]["d_ff"] = run.model.ff();
  parts["batch"] = run.schedule.batch;
  parts["sigma"] = run.initial.sigma;
  return parts;
}

}  // namespace

TEST_CASE("Configs of figures are the settings of sepx reproduce") {
  const struct {
    const char* config;
    int figure;
    const char* setting;
  } pairs[] = {{"figure-3-printed", 3, "printed"},
               {"figure-3-released", 3, "released"},
               {"figure-6-printed", 6, "printed"},
               {"figure-6-released", 6, "released"},
               {"figure-4-adamw-standard", 4, "adamw-d4"},
               {"figure-4-adamw-proposed", 4, "adamw-d4"},
               {"figure-4-adamw-proposed-literal", 4, "adamw-d4"},
               {"figure-4-sgd-standard", 4, "sgd-d8"},
               {"figure-4-sgd-proposed", 4, "sgd-d8"}};
  for (const auto& pair : pairs) {
    CAPTURE(pair.config);
    const auto config = train::readRunConfig(tests::sourceFolder() + "/assets/configs/" + pair.config + ".json");
    REQUIRE(config);
    bool found = false;
    for (const studies::TrainingSetting& setting : studies::trainingSettings(pair.figure, false)) {
      if (setting.name != pair.setting) continue;
      found = true;
      train::RunConfig mine = setting.config;
      mine.data.seed = config->data.seed;
      CHECK(sameParts(mine) == sameParts(*config));
    }
    CHECK(found);
  }
}

// SPDX-License-Identifier: Apache-2.0
// The table of experiments and its cards.
#include <filesystem>
#include <set>

#include <catch2/catch.hpp>

#include "engine/train/run_config.h"
#include "tests/ui/exhibits/training/training_rig.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("experiments: every config is there and valid, every metric is a chart", "[training]") {
  std::set<std::string> words;
  for (const Experiment& experiment : experiments()) {
    INFO(experiment.word);
    CHECK(words.insert(experiment.word).second);
    CHECK(std::string(experiment.about).size() > 20);
    CHECK(std::string(experiment.text).size() > 20);
    for (const char* const name : experiment.configs) {
      INFO(name);
      const auto config = train::readRunConfig(tests::sourceFolder() + "/assets/configs/" + name + ".json");
      REQUIRE(config);
      CHECK(train::check(*config));
    }
    TrainingRig rig;
    for (const char* const metric : experiment.metrics)
      CHECK(rig.editor.registry.find(std::string("training.show.") + metric));
    if (experiment.speedUp) CHECK(experiment.configs.size() == 2);
    CHECK(experiment.names.size() == experiment.configs.size());
  }
  // As the contract has them.
  for (const char* word :
       {"encoder-decoder", "symmetric-start", "constraints", "linear-attention", "markov-start", "rank-one", "own"})
    CHECK(words.count(word) == 1);
}

TEST_CASE("experiments: a click on a card starts it", "[training]") {
  TrainingRig rig;
  rig.settle();
  // Titles stand at the left of their cards.
  render::Point place{};
  for (const render::Label& label : rig.items<render::Label>("training.cards"))
    if (label.text == "Encoder against decoder") place = label.at;
  REQUIRE(place.x > 0);
  rig.click(place);
  rig.train(8);
  CHECK(rig.text("training.page") == "curves");
  CHECK(rig.text("training.runs[1].name") == "Small decoder");
}

TEST_CASE("experiments: arrow keys choose, Enter starts", "[training]") {
  TrainingRig rig;
  rig.settle();
  REQUIRE(rig.run("training.card-next"));
  REQUIRE(rig.run("training.card-start"));
  rig.train(8);
  CHECK(rig.text("training.experiment") == experiments()[1].word);
  CHECK(rig.text("training.runs[0].name") == "Small encoder, larger symmetric start");
}

TEST_CASE("experiments: each one trains, and the charts that it is about are shown", "[training]") {
  for (const Experiment& experiment : experiments()) {
    if (experiment.configs.empty()) continue;
    INFO(experiment.word);
    TrainingRig rig;
    rig.start(experiment.word, 40);
    CHECK(rig.number("training.runs.count") == static_cast<double>(experiment.configs.size()));
    for (std::size_t i = 0; i < experiment.configs.size(); ++i) {
      INFO(i << ": " << rig.text("training.runs[" + std::to_string(i) + "].failure"));
      CHECK(rig.text("training.runs[" + std::to_string(i) + "].state") == "finished");
    }
    for (const char* const metric : experiment.metrics) {
      INFO(metric);
      if (std::string(metric) == "validation") continue;
      int curves = 0;  // lines of colour through more than a few points, beside grid and frame
      for (const render::Polyline& line : rig.items<render::Polyline>(std::string("training.chart.") + metric))
        curves += line.points.size() > 5;
      CHECK(curves >= 1);
    }
    CHECK(rig.texts("training.failures") == "");
    CHECK(rig.items<render::Heatmap>("training.forms").size() == experiment.configs.size());
  }
}

// SPDX-License-Identifier: Apache-2.0
// The table of experiments and its cards.
#include <filesystem>
#include <set>

#include <catch2/catch.hpp>

#include "engine/train/run_config.h"
#include "tests/ui/exhibits/training/training_rig.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("experiments: every config exists and is valid, and every metric has a chart", "[training]") {
  std::set<std::string> words;
  for (const Experiment& experiment : experiments()) {
    INFO(experiment.key);
    CHECK(words.insert(experiment.key).second);
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
  // Keys that scripts and sessions use.
  for (const char* word : {"encoder-decoder", "symmetric-start", "constraints", "linear-attention", "markov-start",
                           "rank-one", "vision", "own"})
    CHECK(words.count(word) == 1);
}

namespace {

/// A position on the card with this title. Titles are at the left of their cards.
render::Point cardTitled(const TrainingRig& rig, const std::string& title) {
  render::Point place{};
  for (const render::Label& label : rig.items<render::Label>("training.experiments.cards"))
    if (label.text == title) place = label.at;
  REQUIRE(place.x > 0);
  return place;
}

}  // namespace

TEST_CASE("experiments: a click on a card starts the experiment", "[training]") {
  TrainingRig rig;
  rig.settle();
  rig.click(cardTitled(rig, "Encoder against decoder"));
  rig.train(8);
  CHECK(rig.text("training.page") == "curves");
  CHECK(rig.text("training.runs[1].name") == "Small decoder");
}

TEST_CASE("experiments: a card starts its experiment only if the button is pressed and released on it", "[training]") {
  TrainingRig rig;
  rig.settle();
  const render::Point card = cardTitled(rig, "Encoder against decoder");
  const render::Point other = cardTitled(rig, experiments()[1].title);
  rig.frame({rig.move(card)});
  rig.frame({rig.press(card, true)});
  rig.frame();
  CHECK(rig.number("training.runs.count") == 0);
  rig.frame({rig.move(other)});
  rig.frame({rig.press(other, false)});
  rig.settle();
  CHECK(rig.number("training.runs.count") == 0);
  // A release without a press of its own starts nothing either.
  rig.frame({rig.press(card, false)});
  rig.settle();
  CHECK(rig.number("training.runs.count") == 0);
  rig.click(card);
  CHECK(rig.number("training.runs.count") == 2);
}

TEST_CASE("experiments: a click that activates the window starts nothing", "[training]") {
  TrainingRig rig;
  rig.settle();
  const render::Point card = cardTitled(rig, "Encoder against decoder");
  const auto runs = [&] {
    rig.settle();
    return rig.number("training.runs.count");
  };
  SECTION("The focus comes before the press") {
    rig.frame({FocusChanged{true}, rig.move(card), rig.press(card, true)});
    rig.frame({rig.press(card, false)});
  }
  SECTION("The focus comes after the press") {
    rig.frame({rig.move(card), rig.press(card, true)});
    rig.frame({FocusChanged{true}});
    rig.frame({rig.press(card, false)});
  }
  SECTION("The focus is lost while the button is held") {
    rig.frame({rig.move(card), rig.press(card, true)});
    rig.frame({FocusChanged{false}});
    rig.frame({rig.press(card, false)});
  }
  CHECK(runs() == 0);
  for (int i = 0; i < 12; ++i)  // 0.2 s
    rig.frame();
  rig.click(card);
  CHECK(runs() == 2);
}

TEST_CASE("experiments: commands select a card and start its experiment", "[training]") {
  TrainingRig rig;
  rig.settle();
  REQUIRE(rig.run("training.card-next"));
  REQUIRE(rig.run("training.card-start"));
  rig.train(8);
  CHECK(rig.text("training.experiment") == experiments()[1].key);
  CHECK(rig.text("training.runs[0].name") == "Small encoder, larger symmetric start");
}

TEST_CASE("experiments: starting runs keeps a page on which runs can be watched, and replaces any other page by Curves",
          "[training]") {
  for (const char* const page : {"structure", "update", "theory", "matrices", "sequence", "curves"}) {
    INFO(page);
    TrainingRig rig;
    rig.set("training.page", std::string(page));
    rig.start(experiments().front().key, 1);
    CHECK(rig.text("training.page") == page);
  }
  for (const char* const page : {"experiments", "norms"}) {
    INFO(page);
    TrainingRig rig;
    rig.set("training.page", std::string(page));
    rig.start(experiments().front().key, 1);
    CHECK(rig.text("training.page") == "curves");
  }
}

TEST_CASE("experiments: each experiment trains, and its charts are shown", "[training]") {
  for (const Experiment& experiment : experiments()) {
    if (experiment.configs.empty()) continue;
    INFO(experiment.key);
    TrainingRig rig;
    rig.start(experiment.key, 40);
    CHECK(rig.number("training.runs.count") == static_cast<double>(experiment.configs.size()));
    for (std::size_t i = 0; i < experiment.configs.size(); ++i) {
      INFO(i << ": " << rig.text("training.runs[" + std::to_string(i) + "].failure"));
      CHECK(rig.text("training.runs[" + std::to_string(i) + "].state") == "finished");
    }
    for (const char* const metric : experiment.metrics) {
      INFO(metric);
      if (std::string(metric) == "validation") continue;
      int curves = 0;  // coloured lines through more than five points, besides grid and frame
      for (const render::Polyline& line : rig.items<render::Polyline>(std::string("training.curves.") + metric))
        curves += line.points.size() > 5;
      CHECK(curves >= 1);
    }
    CHECK(rig.texts("training.failures") == "");
    CHECK(rig.inViews<render::Heatmap>("form").size() == experiment.configs.size());
  }
}

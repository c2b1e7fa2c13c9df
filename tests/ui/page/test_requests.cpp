// SPDX-License-Identifier: Apache-2.0
// Requests from other parts of the program to show something in an exhibit, as changes of the document.
#include <catch2/catch.hpp>

#include "ui/page/requests.h"

using namespace sepx::ui;

TEST_CASE("Opening a checkpoint in Weights removes the settings of the previous checkpoint", "[requests]") {
  const Document before = Document()
                              .with("exhibit", "training")
                              .with("weights.layer", 3)
                              .with("weights.head", 2)
                              .with("weights.view.xMin", 1.0)
                              .with("weights.mapping.embedding", "wte")
                              .with("weights.colors", "sequential");
  const Document opened = with(before, OpenInWeights{"/runs/a/step_10"});
  CHECK(opened.at("exhibit") == "weights");
  CHECK(openCheckpoint(opened) == "/runs/a/step_10");
  CHECK(openCheckpoint(before).empty());
  for (const std::string& key : openCheckpointKeys())
    CHECK_FALSE(opened.has(key));
  CHECK(opened.at("weights.colors") == "sequential");
  CHECK_FALSE(opened.has("weights.page"));
}

TEST_CASE("Two checkpoints are compared at a given layer and head", "[requests]") {
  const Document opened = with(Document().with("weights.mapping.embedding", "wte"),
                               OpenInWeights{.path = "a", .beside = "b", .layer = 1, .head = -1});
  CHECK(opened.at("weights.page") == "compare");
  CHECK(opened.at("weights.compare.checkpoint") == "b");
  CHECK(opened.at("weights.layer") == 1);
  CHECK(opened.at("weights.head") == -1);
  CHECK_FALSE(opened.has("weights.mapping.embedding"));  // a setting of the previous model
}

TEST_CASE("A run is edited as a copy or as a branch, without settings of an earlier edit", "[requests]") {
  const Document before = Document().with("training.own.seed", 4).with("exhibit", "reversal");
  const Document copy = with(before, EditRun{"/runs/a"});
  CHECK(copy.at("exhibit") == "training");
  CHECK(copy.at("training.page") == "own");
  CHECK(copy.at("training.own.parent") == "/runs/a");
  CHECK_FALSE(copy.has("training.own.seed"));
  CHECK_FALSE(copy.has("training.own.parent_step"));
  CHECK(with(before, EditRun{"/runs/a", 20}).at("training.own.parent_step") == 20);
}

TEST_CASE("Runs are shown by their curves, at their latest step", "[requests]") {
  const Document before = Document().with("exhibit", "flow").with("training.step", 7).with("training.seed", 3);
  const Document shown = with(before, ShowRuns{{"/runs/a", "/runs/b"}});
  CHECK(shown.at("exhibit") == "training");
  CHECK(shown.at("training.page") == "curves");
  CHECK(shown.at("training.experiment") == "own");
  CHECK(shown.at("training.runs") == Json::array({{{"folder", "/runs/a"}}, {{"folder", "/runs/b"}}}));
  CHECK_FALSE(shown.has("training.step"));
  CHECK(shown.at("training.seed") == 3);
}

TEST_CASE("The number of steps per frame has a default and an upper limit", "[requests]") {
  CHECK(stepsPerFrame(Document()) == 8);
  CHECK(stepsPerFrame(Document().with("training.steps_per_frame", 3)) == 3);
  CHECK(stepsPerFrame(Document().with("training.steps_per_frame", 1e30)) == 1'000'000);
}

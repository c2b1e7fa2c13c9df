// SPDX-License-Identifier: Apache-2.0
// The config editor: every field has a help text and a control, a preset sets all fields, and differences are listed.
#include <filesystem>
#include <fstream>
#include <set>

#include <catch2/catch.hpp>

#include "engine/train/config_fields.h"
#include "tests/ui/exhibits/training/training_rig.h"
#include "ui/exhibits/training/own/own_config.h"
#include "ui/exhibits/training/own/own_words.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("own: every field of a config has a help text and a parameter", "[training]") {
  TrainingRig rig;
  for (const train::ConfigField& field : train::configFields()) {
    INFO(field.place);
    const FieldWords* const words = wordsOf(field.place);
    REQUIRE(words);
    CHECK(std::string(words->help).ends_with("."));
    const auto found = rig.editor.registry.find(ownKey(field.place));
    REQUIRE(found);
    REQUIRE(found->property);
  }
  CHECK(train::configFields().size() == train::runConfigFields().size());
}

TEST_CASE("own: the presets are the configs that ship with the program", "[training]") {
  std::set<std::string> there, listed(presetNames().begin(), presetNames().end());
  for (const auto& entry : std::filesystem::directory_iterator(tests::sourceFolder() + "/assets/configs"))
    if (entry.path().extension() == ".json") there.insert(entry.path().stem().string());
  CHECK(listed == there);
}

TEST_CASE("own: every shipped config survives a round trip through a document", "[training]") {
  for (const char* const name : presetNames()) {
    INFO(name);
    const auto config = train::readRunConfig(tests::sourceFolder() + "/assets/configs/" + name + ".json");
    REQUIRE(config);
    const auto again = ownConfig(withOwnConfig({}, name, *config));
    REQUIRE(again);
    CHECK(train::differingFields(*config, *again).empty());
  }
}

TEST_CASE("own: a preset sets every field, a change is listed as a difference, and the config can be trained",
          "[training]") {
  TrainingRig rig;
  rig.set("training.page", std::string("own"));
  rig.set("training.own.preset", std::string("small-encoder"));  // before a frame, when the files have not been read
  rig.settle();
  CHECK(rig.number("training.own.model.d_model") == 16);  // from the small config of the fixture
  CHECK(rig.value("training.own.model.causal") == Value(false));
  CHECK(rig.number("training.own.result.differences") == 0);
  CHECK(rig.texts("training.own.facts").find("No difference from Small encoder.") != std::string::npos);
  const double parameters = rig.number("training.own.result.parameters");
  CHECK(parameters > 1000);
  rig.set("training.own.model.layers", 3.0);
  rig.settle();
  CHECK(rig.number("training.own.result.differences") == 1);
  CHECK(rig.texts("training.own.differences").find("Layers\n2\n→ 3") != std::string::npos);
  CHECK(rig.number("training.own.result.parameters") > parameters);
  REQUIRE(rig.run("training.own-beside"));
  rig.train(40);
  CHECK(rig.number("training.runs.count") == 2);
  CHECK(rig.text("training.experiment") == "own");
  CHECK(std::isfinite(rig.number("training.runs[0].symmetry[2]")));
  CHECK(std::isnan(rig.number("training.runs[1].symmetry[2]")));
  CHECK(rig.number("training.runs[0].parameters") == rig.number("training.own.result.parameters"));
}

TEST_CASE("own: parameters are counted for a config with a stopping rule, whose fields appear with the patience",
          "[training]") {
  TrainingRig rig;
  rig.set("training.page", std::string("own"));
  rig.settle();
  rig.set("training.own.preset", std::string("small-encoder"));
  const auto property = [&rig] { return rig.editor.registry.find("training.own.schedule.stop_improvement")->property; };
  CHECK_FALSE(property()->applies(rig.editor.document()));
  rig.set("training.own.schedule.stop_patience", 20.0);
  CHECK(property()->applies(rig.editor.document()));
  rig.settle();
  CHECK(rig.number("training.own.result.parameters") > 1000);
  CHECK(rig.text("training.own.result.problem").empty());
}

TEST_CASE("own: a config that cannot be trained gives the reason and is not started", "[training]") {
  TrainingRig rig;
  rig.set("training.page", std::string("own"));
  rig.settle();
  rig.set("training.own.preset", std::string("small-encoder"));
  rig.set("training.own.model.heads", 3.0);
  rig.settle();
  CHECK(rig.text("training.own.result.problem").find("heads") != std::string::npos);
  CHECK(rig.texts("training.own.why").find("heads") != std::string::npos);
  static_cast<void>(rig.run("training.own-start"));
  rig.settle();
  CHECK(rig.number("training.runs.count") == 0);
  CHECK(rig.editor.said.size() == 1);
  rig.set("training.own.model.heads", 4.0);
  rig.set("training.own.data.kernel", std::string("0.1, x"));
  CHECK(rig.refusal("training.own.model.layers", 0.0) != "");
  rig.settle();
  CHECK(rig.text("training.own.result.problem").find("data.kernel") != std::string::npos);
}

TEST_CASE("own: the card New run opens the page", "[training]") {
  TrainingRig rig;
  rig.settle();
  render::Point place{};
  for (const render::Label& label : rig.items<render::Label>("training.experiments.cards"))
    if (label.text == "New run") place = label.at;
  REQUIRE(place.x > 0);
  rig.click(place);
  CHECK(rig.text("training.page") == "own");
}

namespace {

std::string write(const std::filesystem::path& folder, const std::string& name, const std::string& text) {
  std::ofstream(folder / name, std::ios::binary) << text;
  return (folder / name).string();
}

}  // namespace

TEST_CASE("own: a dropped text becomes the data, and the page describes it", "[training]") {
  TrainingRig rig;
  const tests::TemporaryFolder files;
  rig.set("training.page", std::string("own"));
  rig.settle();
  rig.set("training.own.preset", std::string("figure-3-released"));  // a preset with a binary chain
  rig.settle();
  std::string text;
  for (int i = 0; i < 500; ++i)
    text += "a bee. ";
  ExhibitContext context = rig.context();
  REQUIRE(rig.exhibit->openText(context, write(files.path, "bees.txt", text)));
  rig.settle();
  CHECK(rig.text("training.own.result.problem") == "");
  CHECK(rig.value("training.own.model.input") == Value(std::string("table")));
  const std::string said = rig.text("training.own.result.data");
  CHECK(said == "bees.txt: 3,150 characters to train and 350 to validate, 5 different ones.");
  CHECK(rig.texts("training.own.facts").find("bees.txt") != std::string::npos);
  rig.editor.history.undo();
  rig.settle();
  CHECK(rig.text("training.own.data.kind") == "markov");
  CHECK(rig.text("training.own.result.data") == "");
}

TEST_CASE("own: a text shorter than the context is reported and can be trained", "[training]") {
  TrainingRig rig;
  const tests::TemporaryFolder files;
  rig.set("training.page", std::string("own"));
  rig.settle();
  rig.set("training.own.preset", std::string("small-decoder"));
  rig.settle();
  ExhibitContext context = rig.context();
  REQUIRE(
      rig.exhibit->openText(context, write(files.path, "short.jsonl", "{\"id\":\"7\",\"body\":\"ab cd ef ab\"}\n")));
  rig.settle();
  CHECK(rig.text("training.own.data.field") == "body");
  CHECK(rig.text("training.own.result.data").find("shorter than the context of 16") != std::string::npos);
  REQUIRE(rig.run("training.own-start"));
  rig.train(20);
  CHECK(rig.number("training.runs[0].loss") > 0);
}

TEST_CASE("own: a text that cannot be read is reported, and the path is kept", "[training]") {
  TrainingRig rig;
  const tests::TemporaryFolder files;
  rig.set("training.page", std::string("own"));
  rig.settle();
  ExhibitContext context = rig.context();
  const std::string path = write(files.path, "empty.txt", "");
  REQUIRE(rig.exhibit->openText(context, path));
  rig.settle();
  CHECK(rig.texts("training.own.why").find("empty") != std::string::npos);
  CHECK(rig.text("training.own.data.path") == path);
}

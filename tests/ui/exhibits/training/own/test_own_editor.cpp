// SPDX-License-Identifier: Apache-2.0
// The editor in the picture: groups, search, marks, the sketch, differences, families of presets, invalid configs.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "engine/train/config_fields.h"
#include "tests/ui/exhibits/training/training_rig.h"
#include "ui/exhibits/training/own/own_config.h"
#include "ui/exhibits/training/own/own_groups.h"
#include "ui/exhibits/training/own/own_presets.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

class EditorRig : public TrainingRig {
 public:
  EditorRig() {
    area = {{0, 0}, {1400, 1000}};
    set("training.page", std::string("own"));
    settle();
    set("training.own.preset", std::string("small-encoder"));
    settle();
  }
  /// Labels of the fields that are shown.
  std::set<std::string> fields() const {
    std::set<std::string> all;
    for (const render::Label& label : items<render::Label>("training.own.fields"))
      all.insert(label.text);
    return all;
  }
  render::Point at(const std::string& view, const std::string& text) const {
    for (const render::Label& label : items<render::Label>("training.own." + view))
      if (label.text == text) return label.at;
    FAIL(view << " has no " << text << " but " << texts("training.own." + view));
    return {};
  }
  bool canStart() {
    for (const auto& command : exhibit->commands(editor.document()))
      if (command.key == "training.own-start") return command.enabled;
    return false;
  }
};

}  // namespace

TEST_CASE("own editor: every field is in one of six groups, and each group has at least four fields",
          "[training][own]") {
  std::map<std::string, int> counts;
  for (const train::ConfigField& field : train::configFields())
    ++counts[groupOfField(field.place)];
  CHECK(counts.size() == 6);
  for (const OwnGroup& group : ownGroups())
    CHECK(counts[group.word] >= 4);
  std::set<std::string> places;
  for (const train::ConfigField& field : train::configFields())
    places.insert(field.place);
  for (const OwnBlock& block : ownBlocks())
    for (const char* const place : block.places) {
      INFO(block.word << " " << place);
      CHECK(places.contains(place));
      CHECK(std::string(groupOfField(place)) == "model");
    }
}

TEST_CASE("own editor: a group shows its fields, and learning rate and steps are always shown", "[training][own]") {
  EditorRig rig;
  CHECK(rig.fields().contains("Layers"));
  CHECK_FALSE(rig.fields().contains("Momentum"));
  for (const char* const group : {"model", "start", "data", "objective", "optimiser", "recording", "presets"}) {
    INFO(group);
    rig.set("training.editor.group", std::string(group));
    rig.settle();
    const std::string top = rig.texts("training.own.always");
    CHECK(top.find("Learning rate") != std::string::npos);
    CHECK(top.find("Steps") != std::string::npos);
  }
  REQUIRE(rig.run("training.own-show-optimiser"));  // by keyboard, from the list of commands
  rig.settle();
  CHECK(rig.fields().contains("Weight decay"));
  CHECK_FALSE(rig.fields().contains("Layers"));
}

TEST_CASE("own editor: a search finds fields of all groups by label, key and help", "[training][own]") {
  EditorRig rig;
  rig.set("training.editor.search", std::string("WEIGHT decay"));
  rig.settle();
  CHECK(rig.fields().contains("Weight decay"));
  CHECK_FALSE(rig.fields().contains("Layers"));
  rig.set("training.editor.search", std::string("d_model"));  // the key of one field, and in the help of others
  rig.settle();
  CHECK(rig.fields().contains("Width"));
  CHECK(rig.fields().contains("Model"));                       // the heading of the group
  rig.set("training.editor.search", std::string("momentum"));  // has no effect with AdamW
  rig.settle();
  CHECK(rig.texts("training.own.others").find("Momentum") != std::string::npos);
  rig.set("training.editor.search", std::string("xyzzy"));
  rig.settle();
  CHECK(rig.texts("training.own.none").find("xyzzy") != std::string::npos);
  rig.set("training.editor.group", std::string("data"));  // selecting a group ends the search
  rig.settle();
  CHECK(rig.text("training.editor.search").empty());
  CHECK_FALSE(rig.editor.history.undoLabel()->find("Find") != std::string::npos);
}

TEST_CASE("own editor: a changed field is marked, listed and counted, and a click on the list opens its group",
          "[training][own]") {
  EditorRig rig;
  CHECK(rig.texts("training.own.fields").find("was") == std::string::npos);
  rig.set("training.own.model.layers", 5.0);
  rig.set("training.own.optimisation.weight_decay", 0.25);
  rig.settle();
  CHECK(rig.texts("training.own.fields").find("was 2") != std::string::npos);
  CHECK(rig.texts("training.own.groups").find("Model (1)") != std::string::npos);
  CHECK(rig.texts("training.own.groups").find("Optimiser (1)") != std::string::npos);
  CHECK(rig.texts("training.own.facts").find("2 differences from Small encoder:") != std::string::npos);
  rig.click(rig.at("differences", "Weight decay"));
  rig.settle();
  CHECK(rig.text("training.editor.group") == "optimiser");
  CHECK(rig.text("training.editor.field") == "optimisation.weight_decay");
  CHECK(rig.fields().contains("Weight decay"));
  rig.set("training.own.model.layers", 2.0);
  rig.settle();
  CHECK(rig.texts("training.own.groups").find("Model (") == std::string::npos);
}

TEST_CASE("own editor: a click on a block of the sketch opens the group and marks the fields of the block",
          "[training][own]") {
  EditorRig rig;
  rig.set("training.editor.group", std::string("recording"));
  rig.settle();
  const auto fills = [&rig] { return rig.items<render::Fill>("training.own.fields").size(); };
  rig.click(rig.at("sketch", "feed-forward"));
  rig.settle();
  CHECK(rig.text("training.editor.block") == "feed-forward");
  CHECK(rig.text("training.editor.group") == "model");
  // The number of marked rows is the number of fields of the block that apply.
  std::size_t expected = 0;
  for (const train::ConfigField& field : train::configFields())
    if (isInBlock("feed-forward", field.place)) ++expected;
  CHECK(expected == 3);
  CHECK(fills() == expected);
  rig.click(rig.at("sketch", "feed-forward"));
  rig.settle();
  CHECK(rig.text("training.editor.block") == "none");
  CHECK(fills() == 0);
}

TEST_CASE("own editor: presets are in families, a click selects one, and undo restores the previous one",
          "[training][own]") {
  std::set<std::string> files, listed(presetNames().begin(), presetNames().end());
  for (const PresetFamily& family : presetFamilies()) {
    CHECK(std::string(family.about).ends_with("."));
    for (const OwnPreset& preset : family.presets) {
      CHECK(std::string(preset.about).ends_with("."));
      if (!preset.ownText && *preset.file) CHECK(files.insert(preset.file).second);  // each file is in only one family
    }
  }
  CHECK(files == listed);
  EditorRig rig;
  rig.set("training.editor.group", std::string("presets"));
  rig.settle();
  rig.click(rig.at("presets", "Small decoder"));
  rig.settle();
  CHECK(rig.text("training.own.preset") == "small-decoder");
  CHECK(rig.value("training.own.model.causal") == Value(true));
  rig.editor.history.undo();
  rig.settle();
  CHECK(rig.text("training.own.preset") == "small-encoder");
  CHECK(rig.value("training.own.model.causal") == Value(false));
}

TEST_CASE("own editor: another preset keeps the user's text, and reports if it cannot", "[training][own]") {
  EditorRig rig;
  const tests::TemporaryFolder files;
  const std::string path = (files.path / "bees.txt").string();
  std::ofstream(path) << std::string(400, 'a') << std::string(400, 'b');
  rig.set("training.own.data.path", path);  // set while the data are generated
  rig.settle();
  CHECK(rig.text("training.own.data.kind") == "text");
  CHECK(rig.canStart());
  rig.set("training.own.preset", std::string("small-decoder"));
  rig.settle();
  CHECK(rig.text("training.own.data.path") == path);
  CHECK(rig.text("training.own.data.kind") == "text");
  CHECK(rig.value("training.own.model.causal") == Value(true));
  CHECK(rig.editor.notes.empty());
  rig.set("training.own.preset", std::string("vit-shapes"));
  rig.settle();
  CHECK(rig.text("training.own.data.kind") == "shapes");
  REQUIRE(rig.editor.notes.size() == 1);
  CHECK(rig.editor.notes[0].text.find("bees.txt") != std::string::npos);
  rig.editor.history.undo();
  rig.settle();
  CHECK(rig.text("training.own.data.path") == path);
}

TEST_CASE("own editor: a config that cannot be trained cannot be started, and the message names the field",
          "[training][own]") {
  EditorRig rig;
  CHECK(rig.canStart());
  rig.set("training.own.model.heads", 3.0);
  rig.frame();
  CHECK_FALSE(rig.canStart());  // at once, without a job
  CHECK(rig.texts("training.own.why").find("Heads: model.heads 3") == 0);
  CHECK(rig.items<render::Fill>("training.own.fields").size() == 2);  // Heads: changed, and named in the message
  CHECK(rig.texts("training.own.fields").find("was 2") != std::string::npos);
  rig.set("training.own.model.heads", 4.0);
  rig.set("training.own.data.kind", std::string("text"));  // without a file
  rig.frame();
  CHECK_FALSE(rig.canStart());
  CHECK(rig.texts("training.own.why").find("data.path is empty") != std::string::npos);
  rig.set("training.own.data.path", std::string("/no/such/file.txt"));
  rig.frame();
  CHECK_FALSE(rig.canStart());  // also while the file is being checked
  rig.settle();
  CHECK_FALSE(rig.canStart());
  CHECK(rig.texts("training.own.why").find("file.txt") != std::string::npos);
}

TEST_CASE("own editor: a branch opens with the optimiser group and its learning rate visible", "[training][own]") {
  TrainingRig rig;
  rig.start("encoder-decoder", 40);
  REQUIRE(rig.run("training.branch"));
  rig.settle();
  CHECK(rig.text("training.page") == "own");
  CHECK(rig.text("training.editor.group") == "optimiser");
  CHECK(rig.texts("training.own.always").find("Learning rate") != std::string::npos);
  CHECK(rig.texts("training.own.start").find("Start the branch from step") != std::string::npos);
  const double rate = rig.number("training.own.optimisation.learning_rate"),
               before = rig.number("training.own.result.differences");  // a branch has more steps
  rig.set("training.own.optimisation.learning_rate", rate / 2);         // one edit
  rig.settle();
  CHECK(rig.number("training.own.result.differences") == before + 1);
}

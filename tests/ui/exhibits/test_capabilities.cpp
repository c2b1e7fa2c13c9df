// SPDX-License-Identifier: Apache-2.0
// What exhibits provide to a workbench that uses none of their keys: placed points, groups, numbers to copy, files,
// the open model as a tree.
#include <catch2/catch.hpp>

#include "tests/folders.h"
#include "tests/ui/exhibits/flow/flow_rig.h"
#include "tests/ui/exhibits/weights/weights_rig.h"
#include "ui/exhibits/exhibits.h"

namespace sepx::ui {
namespace {

bool declared(const PropertyRegistry& registry, const std::string& key) {
  return registry.find(key).has_value();
}

TEST_CASE("Every key that an exhibit provides is declared", "[capabilities]") {
  for (const auto& exhibit : makeExhibits()) {
    PropertyRegistry registry;
    exhibit->declare(registry);
    INFO(exhibit->key());
    if (const auto placed = exhibit->placed()) {
      CHECK(declared(registry, placed->selected));
      for (const std::string& member : {placed->x, placed->y, placed->color, placed->question})
        CHECK(declared(registry, placed->key(0, member)));
      for (const std::string& member : placed->columns)
        CHECK(declared(registry, placed->key(0, member)));
      for (const std::string& member : placed->outcomes)
        CHECK(std::count(placed->columns.begin(), placed->columns.end(), member) == 1);
    }
    if (const auto keys = exhibit->checkpoints({})) {
      CHECK(registry.find(keys->key)->property->file);
      CHECK(keys->beside.empty());
    }
    std::vector<std::string> commands;
    for (const Exhibit::Command& command : exhibit->commands({}))
      commands.push_back(command.key);
    for (const PropertyGroup& group : exhibit->groups())
      for (const auto& [command, label] : group.commands)
        CHECK(std::count(commands.begin(), commands.end(), command) == 1);
  }
  CHECK(exhibitKeys() == std::vector<std::string>{"flow", "weights", "training", "reversal"});
}

TEST_CASE("An exhibit provides the selected point and its numbers for copying", "[capabilities]") {
  Rig rig;
  const PlacedList points = *rig.exhibit->placed();
  CHECK(!points.chosen(rig.editor.document()));
  REQUIRE(rig.add(0.5, 0.25));
  rig.settle();
  REQUIRE(points.chosen(rig.editor.document()) == 0u);
  const auto lists = rig.exhibit->numbersToCopy(rig.editor.document());
  REQUIRE(lists.size() == 2);
  CHECK(rig.number(lists[1][0]) == 0.5);
  CHECK(rig.number(lists[1][1]) == 0.25);
  CHECK(!points.chosen(rig.editor.document().with(points.selected, 7)));
  const Theme& dark = *findTheme("dark");
  CHECK(points.mark("global-min", dark));
  CHECK(!points.mark("nowhere", dark));
  CHECK(rig.exhibit->playing() == false);
  REQUIRE(rig.run("play.toggle"));
  CHECK(rig.exhibit->playing() == true);
}

TEST_CASE("The groups of the visible page are first", "[capabilities]") {
  Rig rig;
  CHECK(rig.exhibit->groupsInSight({}).empty());
  CHECK(rig.exhibit->groupsInSight(Document{}.with("flow.page", "bias")) == std::vector<std::string>{"bias"});
  WeightsRig weights;
  CHECK(weights.exhibit->groupsInSight(Document{}.with("weights.page", "mapping")) ==
        std::vector<std::string>{"mapping", "rule", "tensor"});
}

TEST_CASE("A checkpoint is opened as the second one only on the page Compare", "[capabilities]") {
  WeightsRig rig(TinyBert().write("capabilities"));
  CHECK(rig.exhibit->checkpoints(rig.editor.document())->beside.empty());
  rig.set("weights.page", "compare");
  CHECK(rig.exhibit->checkpoints(rig.editor.document())->beside == "weights.compare.checkpoint");
  // If both checkpoints are set, an opened file replaces the first; the second is chosen on the page.
  rig.set("weights.compare.checkpoint", std::string("/somewhere/second.safetensors"));
  CHECK(rig.exhibit->checkpoints(rig.editor.document())->beside.empty());
  CHECK(!rig.exhibit->playing());
  const Result<void> refused = rig.exhibit->addPoint(*std::make_unique<ExhibitContext>(rig.context()), {0, 0});
  REQUIRE(!refused);
  CHECK(refused.error().message == "The Weights exhibit has no points to add.");
}

TEST_CASE("A shipped model has the same name in the heading, the tree and the read-out", "[capabilities]") {
  WeightsRig rig(tests::sourceFolder() + "/assets/models/arm");
  rig.settle();
  CHECK(rig.text("weights.model") == "Autoregressive");
  CHECK(rig.exhibit->modelTree().title == "Autoregressive");
  CHECK(rig.exhibit->title().find("Autoregressive") != std::string::npos);
}

TEST_CASE("The open model is provided as a tree", "[capabilities]") {
  WeightsRig rig(TinyBert().write("tree"));
  rig.set("weights.layer", 1.0);
  rig.settle();
  const ModelTree tree = rig.exhibit->modelTree();
  CHECK(tree.title == rig.text("weights.model"));
  REQUIRE(tree.rows.size() == 2);
  CHECK(tree.rows[0].name == "layer 0");
  CHECK(!tree.rows[0].chosen);
  CHECK(tree.rows[1].chosen);
  CHECK(tree.rows[1].value == rig.number("weights.board[1].symmetry"));
  for (const auto& [key, value] : tree.rows[0].shows)
    rig.set(key, value);
  rig.settle();
  CHECK(rig.exhibit->modelTree().rows[0].chosen);
}

}  // namespace
}  // namespace sepx::ui

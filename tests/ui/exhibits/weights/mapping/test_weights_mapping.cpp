// SPDX-License-Identifier: Apache-2.0
// The mapping page: names that were mapped, the list of tensors, statistics of a tensor, the assistant and its saved
// rule.
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/engine/checkpoint/tiny_models.h"
#include "tests/folders.h"
#include "tests/ui/exhibits/weights/weights_pages_rig.h"
#include "ui/exhibits/weights/mapping/mapping_page.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const std::string kEncoder = tests::sourceFolder() + "/tests/models/encoder";

/// A model with names that no family uses: queries and keys of 2 layers, 4 heads of 4, width 16.
checkpoint::made::TinyModel strange() {
  checkpoint::made::TinyModel model;
  for (const std::string layer : {"0", "1"}) {
    model.add("tower.step_" + layer + ".mixer.alpha", {16, 16});
    model.add("tower.step_" + layer + ".mixer.beta", {16, 16});
    model.add("tower.step_" + layer + ".rest", {16, 32});
  }
  return model;
}

}  // namespace

TEST_CASE("The mapping shows the family, the tensors and notes", "[weights][mapping]") {
  PageRig rig(makeMappingPage());
  rig.open(kEncoder);
  rig.set("weights.page", std::string("mapping"));
  rig.settle();
  rig.look("mapping");
  CHECK(rig.texts("mapping.head").find(rig.shared.model->map.familyName) != std::string::npos);
  const std::string rows = rig.texts("mapping.rows");
  CHECK(rows.find(rig.shared.model->map.mapping.front().what) != std::string::npos);
  CHECK(rig.number("weights.mapping.tensors") == static_cast<double>(rig.shared.model->checkpoint->tensors().size()));
}

TEST_CASE("Tensors are filtered by words and selected by a click, and statistics are computed from the values",
          "[weights][mapping]") {
  PageRig rig(makeMappingPage());
  rig.open(kEncoder);
  rig.set("weights.page", std::string("mapping"));
  rig.set("weights.mapping.filter", std::string("0 QUERY weight"));
  rig.settle();
  const auto& tensors = rig.shared.model->checkpoint->tensors();
  const auto wanted = std::count_if(tensors.begin(), tensors.end(), [](const checkpoint::TensorInfo& tensor) {
    const std::string text = tensor.name + " " + shapeText(tensor.shape);
    return text.find("0") != std::string::npos && text.find("query") != std::string::npos &&
           text.find("weight") != std::string::npos;
  });
  CHECK(wanted > 0);
  CHECK(rig.number("weights.mapping.tensors") == static_cast<double>(wanted));
  const auto labels = rig.items<render::Label>("mapping.tensors");
  REQUIRE_FALSE(labels.empty());
  rig.click({labels.front().at.x + 5, labels.front().at.y});
  const std::string name = rig.text("weights.mapping.tensor");
  REQUIRE_FALSE(name.empty());
  rig.settle();
  const checkpoint::TensorInfo& tensor = *rig.shared.model->checkpoint->find(name);
  std::vector<double> values(tensor.values());
  REQUIRE(
      rig.shared.model->checkpoint->read(tensor, 0, tensor.shape[0], 0, tensor.shape[1], std::span<double>(values)));
  double sum = 0;
  for (const double value : values)
    sum += value;
  CHECK(rig.number("weights.tensor.min") == *std::min_element(values.begin(), values.end()));
  CHECK(rig.number("weights.tensor.max") == *std::max_element(values.begin(), values.end()));
  CHECK(rig.number("weights.tensor.mean") == Approx(sum / static_cast<double>(values.size())).margin(1e-12));
  CHECK(rig.number("weights.tensor.nonfinite") == 0);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  CHECK(rig.number("weights.tensor.median") == Approx(values[values.size() / 2]).margin(0.01));
  CHECK(rig.texts("mapping.statistics").find(name) != std::string::npos);
}

TEST_CASE("The assistant finds tensors by patterns, saves the rule, and opens the model with it",
          "[weights][mapping]") {
  checkpoint::made::Folder folder;
  PageRig rig(makeMappingPage());
  rig.rules = scratchFolder("rules");
  rig.open(strange().write(folder));
  rig.set("weights.page", std::string("mapping"));
  rig.settle();
  REQUIRE(rig.shared.model);
  REQUIRE(rig.shared.model->map.layers.empty());
  CHECK(rig.texts("mapping.rule").find("Map by hand") != std::string::npos);
  rig.set("weights.rule.query", std::string("step_{layer}.mixer.alpha"));
  rig.set("weights.rule.key", std::string("step_{layer}.mixer.gamma"));
  rig.set("weights.rule.heads", 4.0);
  rig.settle();
  CHECK(rig.number("weights.rule.matches.query") == 2);
  CHECK(rig.number("weights.rule.matches.key") == 0);
  CHECK(rig.text("weights.rule.result").find("mixer.gamma") != std::string::npos);
  REQUIRE(rig.run("weights.rule-save"));
  CHECK(rig.reopened == 0);
  CHECK_FALSE(rig.editor.said.empty());

  rig.set("weights.rule.key", std::string("step_{layer}.mixer.beta"));
  rig.set("weights.rule.name", std::string("My tower, 2"));
  rig.settle();
  CHECK(rig.number("weights.rule.matches.key") == 2);
  CHECK(rig.text("weights.rule.result").find("2 layers, 4 heads × 4, d_model 16") != std::string::npos);
  REQUIRE(rig.run("weights.rule-save"));
  CHECK(rig.reopened == 1);
  CHECK(std::filesystem::exists(rig.rules + "/my-tower-2.json"));
  rig.settle();
  REQUIRE(rig.shared.model);
  REQUIRE(rig.shared.model->map.layers.size() == 2);
  CHECK(rig.shared.model->map.layers[1].heads == 4);

  // Another model with another rule of the same name: the first rule is kept.
  checkpoint::made::TinyModel other;
  other.add("a.0.first.one", {16, 16});
  other.add("a.0.first.two", {16, 16});
  rig.open(other.write(folder, "other"));
  rig.set("weights.rule.query", std::string("a.{layer}.first.one"));
  rig.set("weights.rule.key", std::string("a.{layer}.first.two"));
  rig.settle();
  REQUIRE(rig.shared.model->map.layers.empty());
  REQUIRE(rig.run("weights.rule-save"));
  CHECK(std::filesystem::exists(rig.rules + "/my-tower-2.json"));
  CHECK(std::filesystem::exists(rig.rules + "/my-tower-2-2.json"));
  CHECK(rig.shared.model->map.layers.size() == 1);
}

TEST_CASE("Guessing fills in patterns if names look like queries and keys", "[weights][mapping]") {
  checkpoint::made::Folder folder;
  PageRig rig(makeMappingPage());
  rig.open(strange().write(folder));
  rig.settle();
  REQUIRE(rig.run("weights.rule-guess"));
  CHECK(rig.editor.said.size() == 1);
  checkpoint::made::TinyModel model;
  for (const std::string layer : {"0", "1", "2"}) {
    model.add("net.parts." + layer + ".my_query.weight", {16, 16});
    model.add("net.parts." + layer + ".my_key.weight", {16, 16});
  }
  rig.open(model.write(folder, "named"));
  rig.settle();
  REQUIRE(rig.shared.model->map.layers.empty());
  const std::size_t steps = rig.editor.history.undoSteps();
  REQUIRE(rig.run("weights.rule-guess"));
  CHECK(rig.editor.history.undoSteps() == steps + 1);
  rig.settle();
  CHECK(rig.text("weights.rule.query").find("query") != std::string::npos);
  CHECK(rig.number("weights.rule.matches.query") == 3);
  CHECK(rig.number("weights.rule.matches.key") == 3);
}

TEST_CASE("The file name of a rule consists of letters, digits and dashes", "[weights][mapping]") {
  CHECK(ruleKeyOf("My model, 2") == "my-model-2");
  CHECK(ruleKeyOf("../../etc/passwd") == "etc-passwd");
  CHECK(ruleKeyOf("é—") == "own");
}

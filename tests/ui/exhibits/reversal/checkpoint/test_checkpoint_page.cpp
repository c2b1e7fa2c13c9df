// SPDX-License-Identifier: Apache-2.0
// The page Checkpoint: the shipped model without a file, a file in LLaDA's layout with prompts, heads selected by a
// click, and errors in one message.
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/reversal/accuracy.h"
#include "engine/reversal/alignment.h"
#include "tests/engine/checkpoint/diffusion_models.h"
#include "tests/ui/exhibits/reversal/saved_run_rig.h"
#include "ui/exhibits/reversal/checkpoint/checkpoint_result.h"

using namespace sepx;
using namespace sepx::ui;
namespace made = sepx::checkpoint::made;

namespace {

class CheckpointRig : public SavedRunRig {
 public:
  CheckpointRig() : SavedRunRig({}, "checkpoint") {}
  double of(const char* name) { return number(std::string("reversal.checkpoint.") + name); }
  std::string words() { return texts("reversal.checkpoint.words"); }
  void give(const char* name, const Value& value) {
    set(std::string("reversal.checkpoint.") + name, value);
    settle();
  }
};

constexpr const char* kPrompts = R"({"pairs": [
    {"forward": [49, 7, 3], "reverse": [3, 8, 49], "evidence": [3]},
    {"forward": [49, 7, 11], "reverse": [11, 8, 49], "evidence": [11]},
    {"forward": [49, 7, 19], "reverse": [19, 8, 49], "evidence": [19]},
    {"forward": [49, 7, 26], "reverse": [26, 8, 49], "evidence": [26]}]})";

}  // namespace

TEST_CASE("checkpoint: without a file the shipped model of pairs is measured, and the scope is stated", "[reversal]") {
  CheckpointRig rig;
  rig.settle();
  CHECK(rig.of("heads") == 1);
  CHECK(rig.of("sampled") == 26);
  CHECK(std::isfinite(rig.of("correlation")));
  CHECK(rig.words().find("that ships") != std::string::npos);
  CHECK(rig.words().find("out of the scope") != std::string::npos);
  for (const char* const chart : {"transfer", "far", "planes"})
    CHECK(rig.layer(std::string("reversal.checkpoint.") + chart) != nullptr);
  CHECK(rig.layer("reversal.checkpoint.heads") == nullptr);  // with a single head it would be one point
  CHECK(rig.texts("reversal.checkpoint.far").find("Tr R(2Δ)/D") != std::string::npos);
}

TEST_CASE("checkpoint: a file in LLaDA's layout is measured by layer and head, and a click selects a head",
          "[reversal]") {
  const made::Folder folder;
  CheckpointRig rig;
  rig.give("file", made::llada().write(folder));
  CHECK(rig.text("reversal.checkpoint.failure").empty());
  CHECK(rig.of("heads") == made::kDiffusionHeads);
  CHECK(rig.of("asks") == made::kDiffusionMask);
  const double first = rig.of("correlation");
  rig.give("head", 2.0);
  CHECK(rig.of("correlation") != first);
  CHECK_FALSE(std::isfinite(rig.of("prompts.correlation")));
  rig.set("reversal.checkpoint.layers", 3.0);
  rig.give("prompts", folder.write("prompts.json", kPrompts));
  CHECK(rig.of("prompts.pairs") == 4);
  CHECK(std::isfinite(rig.of("prompts.correlation")));
  REQUIRE(rig.layer("reversal.checkpoint.map") != nullptr);
  CHECK(rig.layer("reversal.checkpoint.heads") == nullptr);
  // The map's background is its first fill; its cells are three rows of four.
  const std::vector<render::Point> ground = rig.items<render::Fill>("reversal.checkpoint.map").at(0).points;
  const auto [left, right] = std::minmax({ground[0].x, ground[1].x, ground[2].x});
  const auto [top, bottom] = std::minmax({ground[0].y, ground[1].y, ground[2].y});
  rig.click({left + 0.9 * (right - left), top + 0.9 * (bottom - top)});
  rig.settle();
  CHECK(std::get<double>(rig.read("reversal.checkpoint.layer")) == 2);
  CHECK(std::get<double>(rig.read("reversal.checkpoint.head")) == 3);
  CHECK(rig.exhibit->numbers().tables.size() == 2);
}

TEST_CASE("checkpoint: for Dream's layout, gradients and probabilities are those of the engine, also after steps",
          "[reversal]") {
  train::RunConfig config = tinyPairsConfig();
  config.model.layers = 2;
  config.model.heads = 2;
  config.model.kvHeads = 1;
  config.model.norm = nn::Norm::Rms;
  config.model.activation = nn::Activation::SwiGlu;
  config.model.attentionBias = true;
  config.model.feedForwardBias = config.model.projectionBias = config.model.outputBias = false;
  SavedRunRig rig({config}, "checkpoint");
  nn::ModelConfig model;
  const std::vector<float> theta = rig.thetaOf(0, 20, model);
  rig.set("reversal.checkpoint.file", rig.checkpointOf(0, 20));
  rig.set("reversal.checkpoint.mask", static_cast<double>(data::kPairMask));
  rig.set("reversal.checkpoint.steps", 3.0);
  rig.set("reversal.checkpoint.rate", 0.2);
  rig.settle();
  CHECK(rig.text("reversal.checkpoint.failure").empty());
  CHECK(rig.text("reversal.checkpoint.transfer.failure").empty());
  CHECK(rig.number("reversal.checkpoint.heads") == 2);
  // The same values from the engine's gradients, with steps made here.
  ThreadPool pool(1);
  nn::Transformer<float> same(model, pool);
  std::copy(theta.begin(), theta.end(), same.theta().begin());
  const std::vector<reversal::Pair> pairs = reversal::samplePairs(model.length, 260);
  const auto check = [&](const std::string& which) {
    const auto gradients = reversal::queryGradients(same, std::span<const reversal::Pair>(pairs));
    double product = 0, forward2 = 0, reverse2 = 0;
    for (std::size_t i = 0; i < gradients.forward.size(); ++i) {
      const double f = gradients.forward[i], r = gradients.reverse[i];
      product += f * r;
      forward2 += f * f;
      reverse2 += r * r;
    }
    CHECK(rig.number("reversal.checkpoint.transfer." + which + "cosine") ==
          Approx(product / std::sqrt(forward2 * reverse2)).margin(1e-5));
    const auto answers = reversal::measureAccuracy(same, {.pairs = pairs});
    REQUIRE(answers);
    CHECK(rig.number("reversal.checkpoint.transfer." + which + "forward") ==
          Approx(answers->forward.probability).epsilon(1e-4));
    CHECK(rig.number("reversal.checkpoint.transfer." + which + "reverse") ==
          Approx(answers->reverse.probability).epsilon(1e-4));
    for (std::size_t i = 0; i < gradients.forward.size(); ++i)
      same.theta()[i] -= static_cast<float>(0.2 / std::max(1.0, std::sqrt(forward2))) * gradients.forward[i];
  };
  check("");
  for (int step = 1; step < 3; ++step) {
    const auto gradients = reversal::queryGradients(same, std::span<const reversal::Pair>(pairs));
    double forward2 = 0;
    for (const float f : gradients.forward)
      forward2 += static_cast<double>(f) * f;
    for (std::size_t i = 0; i < gradients.forward.size(); ++i)
      same.theta()[i] -= static_cast<float>(0.2 / std::max(1.0, std::sqrt(forward2))) * gradients.forward[i];
  }
  check("after.");
  const Numbers numbers = rig.exhibit->numbers();
  const auto table = std::find_if(numbers.tables.begin(), numbers.tables.end(),
                                  [](const Table& one) { return one.name == "forward_only"; });
  REQUIRE(table != numbers.tables.end());
  CHECK(table->rows() == 4);
  CHECK(rig.layer("reversal.checkpoint.transfer") != nullptr);
}

TEST_CASE("checkpoint: for another family a message says that gradient and probability are not computed",
          "[reversal]") {
  const made::Folder folder;
  CheckpointRig rig;
  rig.settle();
  CHECK(rig.text("reversal.checkpoint.transfer.failure").empty());  // for the shipped model
  CHECK(rig.of("transfer.after.forward") > rig.of("transfer.forward"));
  rig.give("file", made::dream().write(folder));
  CHECK(rig.text("reversal.checkpoint.failure").empty());
  CHECK(rig.text("reversal.checkpoint.transfer.failure").find("one block at a time") != std::string::npos);
  CHECK(rig.words().find("Figures 4 and 6") != std::string::npos);
  CHECK_FALSE(std::isfinite(rig.of("transfer.cosine")));
}

TEST_CASE("checkpoint: an invalid input gives one message, and the other results are kept", "[reversal]") {
  const made::Folder folder;
  CheckpointRig rig;
  rig.give("file", made::llada().write(folder));
  const auto failure = [&] { return rig.text("reversal.checkpoint.failure"); };
  rig.give("tokens", std::string("1, x"));
  CHECK(failure().find("separated by commas") != std::string::npos);
  CHECK(rig.of("heads") == made::kDiffusionHeads);
  rig.give("tokens", std::string("1, 2, 99"));
  CHECK(failure().find("99") != std::string::npos);
  rig.give("tokens", std::string("1,2,3"));
  CHECK(failure().empty());
  CHECK(rig.of("sampled") == 3);
  rig.give("prompts", (folder.path / "none.json").string());
  CHECK(failure().find("none.json") != std::string::npos);
  CHECK(rig.of("heads") == made::kDiffusionHeads);  // measured without prompts
  rig.set("reversal.checkpoint.layers", 9.0);
  rig.give("prompts", folder.write("prompts.json", kPrompts));
  CHECK(failure().find("from 1 to 3") != std::string::npos);
  CHECK_FALSE(std::isfinite(rig.of("prompts.correlation")));
  rig.give("prompts", std::string());
  rig.give("file", sepx::tests::sourceFolder() + "/assets/models/encoder");
  CHECK(failure().find("rotary") != std::string::npos);
  CHECK_FALSE(std::isfinite(rig.of("heads")));
}

// SPDX-License-Identifier: Apache-2.0
// The page Checkpoint: the model that ships without a file, a file of LLaDA's layout with prompts, heads chosen by a
// click, and what is wrong in one sentence.
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/engine/checkpoint/diffusion_models.h"
#include "tests/ui/exhibits/reversal/saved_run_rig.h"
#include "ui/exhibits/reversal/checkpoint/checkpoint_view.h"

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

TEST_CASE("checkpoint: without a file the model of pairs that ships is measured, and the scope is said", "[reversal]") {
  CheckpointRig rig;
  rig.settle();
  CHECK(rig.of("heads") == 1);
  CHECK(rig.of("sampled") == 26);
  CHECK(std::isfinite(rig.of("correlation")));
  CHECK(rig.words().find("that ships") != std::string::npos);
  CHECK(rig.words().find("out of the scope") != std::string::npos);
  for (const char* const chart : {"heads", "far", "planes"})
    CHECK(rig.layer(std::string("reversal.checkpoint.") + chart) != nullptr);
  CHECK(rig.texts("reversal.checkpoint.heads").find("Tr R(2Δ)/D") != std::string::npos);
}

TEST_CASE("checkpoint: a file in LLaDA's layout, its prompts by layer and head, and a head by a click", "[reversal]") {
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
  // The map's ground is its first fill; its cells are three rows of four.
  const std::vector<render::Point> ground = rig.items<render::Fill>("reversal.checkpoint.map").at(0).points;
  const auto [left, right] = std::minmax({ground[0].x, ground[1].x, ground[2].x});
  const auto [top, bottom] = std::minmax({ground[0].y, ground[1].y, ground[2].y});
  rig.click({left + 0.9 * (right - left), top + 0.9 * (bottom - top)});
  rig.settle();
  CHECK(std::get<double>(rig.read("reversal.checkpoint.layer")) == 2);
  CHECK(std::get<double>(rig.read("reversal.checkpoint.head")) == 3);
  CHECK(rig.exhibit->numbers().tables.size() == 2);
}

TEST_CASE("checkpoint: what is wrong is one sentence, and what was measured stays", "[reversal]") {
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
  CHECK(rig.of("heads") == made::kDiffusionHeads);  // which need no prompts
  rig.set("reversal.checkpoint.layers", 9.0);
  rig.give("prompts", folder.write("prompts.json", kPrompts));
  CHECK(failure().find("from 1 to 3") != std::string::npos);
  CHECK_FALSE(std::isfinite(rig.of("prompts.correlation")));
  rig.give("prompts", std::string());
  rig.give("file", sepx::tests::sourceFolder() + "/assets/models/encoder");
  CHECK(failure().find("rotary") != std::string::npos);
  CHECK_FALSE(std::isfinite(rig.of("heads")));
}

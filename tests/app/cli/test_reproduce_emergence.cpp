// SPDX-License-Identifier: Apache-2.0
// The trained figures and the table of Attention-Structure: one in its quick form by the command, the others from given
// runs.
#include <cmath>

#include <catch2/catch.hpp>

#include "app/cli/study_json.h"
#include "app/cli/study_text.h"
#include "engine/render/png.h"
#include "engine/studies/emergence_result.h"
#include "engine/studies/emergence_run.h"
#include "engine/studies/emergence_study.h"
#include "tests/app/cli/run_sepx.h"

namespace sepx::test::emergence_tests {
namespace {

using studies::EmergenceRun;
using studies::EmergenceStudy;
using studies::Trainee;

EmergenceStudy tableOfOneSeed() {
  EmergenceStudy study;
  study.id = studies::EmergenceId::Table1;
  study.quick = true;
  study.sources = studies::emergenceSources(study.id);
  for (std::size_t source = 0; source < study.sources.size(); ++source)
    for (const Trainee trainee : {Trainee::Encoder, Trainee::SymmetricEncoder}) {
      EmergenceRun& run = study.runs.emplace_back();
      run.source = source;
      run.trainee = trainee;
      const double end = trainee == Trainee::Encoder ? 1.25 : 1.125;
      run.curve = {{0, 4}, {100, 3}, {500, end + 0.125}, {1000, end}};
      run.scores = {{0, {1, 1}, {0, 0}, {0, 0}}, {1000, {0.5, 0.25}, {-0.5, 0.5}, {0, 0}}};
    }
  return study;
}

}  // namespace

TEST_CASE("Figure S5 in its quick form gives a document and a picture", "[.][long]") {
  const Folder folder;
  const std::string path = folder.path("s5.png");
  const Json json = commandJson(
      {"reproduce", "attention-structure-figure-s5", "--quick", "--out", path, "--size", "640x400", "--threads", "2"});
  CHECK(json["passed"] == true);
  CHECK(json["setup"]["sigma"] == 0.05);
  REQUIRE(json["sources"].size() == 1);
  const Json& runs = json["sources"][0]["runs"];
  REQUIRE(runs.size() == 2);
  CHECK(runs[0]["trainee"] == "encoder");
  CHECK(runs[1]["trainee"] == "symmetric-encoder");
  for (const Json& run : runs) {
    CHECK(run["steps"] == 1000);
    CHECK(run["curve"]["step"].size() == run["curve"]["loss"].size());
    CHECK(run["layers"]["symmetry"].size() == 2);
    CHECK(run["layers"]["symmetry"][0].size() == run["curve"]["step"].size());
    const Json& quartiles = run["quartiles"]["directionality"];
    REQUIRE(quartiles["q3"].size() == run["curve"]["step"].size());
    const double first = run["layers"]["directionality"][0].back(), second = run["layers"]["directionality"][1].back();
    CHECK(quartiles["median"].back().get<double>() == Approx((first + second) / 2));
    CHECK(quartiles["q1"].back().get<double>() == Approx(std::min(first, second) + std::abs(first - second) / 4));
    CHECK(run["loss"].get<double>() < run["curve"]["loss"][0].get<double>() - 1);
  }
  CHECK(runs[1]["layers"]["symmetry"][0][0].get<double>() == Approx(1));
  CHECK(json["speed_ups"].size() == 1);
  CHECK(json["published"].empty());
  CHECK(json["checks"].size() == 2);
  REQUIRE(json["observations"].size() == 2);
  CHECK(json["observations"][0]["as_published"].is_null());  // a quick run is not compared
  CHECK(runs[0]["seed"] == 3);
  const auto image = render::readPng(path);
  REQUIRE(image);
  CHECK(image->extent == gpu::Extent{640, 400});
}

TEST_CASE("Figure S5 in its quick form is the same on any number of threads", "[.][long]") {
  const auto on = [](const char* threads) {
    return commandJson({"reproduce", "attention-structure-figure-s5", "--quick", "--threads", threads});
  };
  CHECK(on("2") == on("1"));
}

TEST_CASE("Table 1 prints every published row with ours, and 12 and 24 layers as published") {
  const EmergenceStudy study = tableOfOneSeed();
  const std::string text = app::cli::studyText(resultOf(study));
  for (const char* part :
       {"4 layers, Wikipedia, published", "24 layers, Jigsaw, published", "12 layers, Red Pajama, published",
        "2 layers, characters, seed 0", "2 layers, repeats, seed 0", "73 %", "not judged", "0.38 (0.31 to 0.44)",
        "quick: one seed, 1000 steps at most", "the authors' notebook takes the training loss",
        "Our own criterion, which is not one of Table 1, at sigma = 0.05"})
    CHECK(text.find(part) != std::string::npos);
  const Json json = Json::parse(app::cli::finishDocument(app::cli::studyJson(resultOf(study))));
  CHECK(json["published"].size() == 9);
  CHECK(json["published"][1]["speed_up"] == 0.73);
  REQUIRE(json["speed_ups"].size() == 3);
  CHECK(json["speed_ups"][0]["loss"] == 1.25);
  CHECK(json["speed_ups"][0]["symmetric_loss"] == 1.125);
  CHECK(json["speed_ups"][0]["speed_up"] == 0.5);
  requireRefused({"reproduce", "attention-structure-table-1", "--out", "x.png"}, 2, "a table has no picture");
  requireRefused({"reproduce", "attention-structure-figure-3", "a.safetensors"}, 2, "needs no checkpoints");
}

TEST_CASE("Theorem 2.3 is checked by sampled updates") {
  const Json json = commandJson({"reproduce", "attention-structure-theorem-2-3", "--quick"});
  CHECK(json["passed"] == true);
  CHECK(json["corrected"] == Json::array({"att-8", "att-9"}));
  CHECK(json["checks"].size() == 8);
  requireRefused({"reproduce", "attention-structure-theorem-2-3", "--out", "x.png"}, 2, "a theorem is checked");
}

}  // namespace sepx::test::emergence_tests

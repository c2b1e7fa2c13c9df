// SPDX-License-Identifier: Apache-2.0
// sepx reproduce: published rows, the matching of checkpoints to rows, and its errors.
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/render/png.h"
#include "engine/render/recipe.h"
#include "engine/studies/study.h"
#include "tests/app/cli/small_checkpoints.h"

using namespace sepx::test;

namespace {

const Json* rowOf(const Json& document, const std::string& model, const std::string& score = "symmetry") {
  for (const Json& row : document["rows"]) {
    if (row["model"] == model && row["score"] == score) return &row;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("reproduce lists what it knows") {
  const Json json = commandJson({"reproduce", "list"});
  const auto all = sepx::studies::studies();
  REQUIRE(static_cast<std::ptrdiff_t>(json["ids"].size()) ==
          std::count_if(all.begin(), all.end(), [](const auto& one) { return one.isReproduced(); }));
  CHECK(json["ids"][0]["id"] == "attention-structure-table-4");
  for (const char* id : {"local-to-global-figure-1",
                         "local-to-global-figure-2",
                         "local-to-global-figure-5",
                         "local-to-global-figure-3",
                         "local-to-global-figure-4",
                         "local-to-global-figure-6",
                         "local-to-global-theorem-1",
                         "local-to-global-theorem-2",
                         "local-to-global-theorem-3",
                         "local-to-global-theorem-6",
                         "local-to-global-theorem-7",
                         "local-to-global-theorem-8",
                         "local-to-global-theorem-9",
                         "local-to-global-theorem-10",
                         "attention-structure-figure-3",
                         "attention-structure-figure-s3",
                         "attention-structure-figure-s4",
                         "attention-structure-figure-s5",
                         "attention-structure-table-1",
                         "attention-structure-table-3",
                         "attention-structure-theorem-2-3",
                         "reversal-figure-3",
                         "reversal-figure-5",
                         "reversal-table-1",
                         "reversal-table-2",
                         "reversal-table-3",
                         "reversal-table-4",
                         "reversal-table-5"})
    CHECK(std::any_of(json["ids"].begin(), json["ids"].end(), [id](const Json& one) { return one["id"] == id; }));
  CHECK(command({"reproduce", "list"}).out.find("attention-structure-figure-2") != std::string::npos);
}

TEST_CASE("The tables contain every published row, and unsafe rows have a reason") {
  const Json reference = sharedReference("published.json");
  for (const auto& [id, key, score] :
       {std::tuple{"attention-structure-table-4", "table4_symmetry_median_minusq_plusq", "symmetry"},
        std::tuple{"attention-structure-table-5", "table5_directionality_median_minusq_plusq", "directionality"}}) {
    const Json json = commandJson({"reproduce", id});
    CHECK(json["passed"].is_null());  // nothing is measured, so there is no success either
    CHECK(json["checks"].empty());
    CHECK(json["rows"].size() == (std::string(score) == "symmetry" ? 59 : 57));
    for (const Json& row : json["rows"]) {
      CHECK(row["measured"].is_null());
      CHECK(row["source"].is_null());  // rows of the table have no other source
      CHECK(row["agrees"].is_null());
      CHECK(row["safe"] == row["why_unsafe"].is_null());
      CHECK(row["parameters"].get<double>() > 1e6);
    }
    CHECK(std::count_if(json["rows"].begin(), json["rows"].end(),
                        [](const Json& row) { return row["safe"] == false; }) == 14);
    if (reference.is_null()) continue;
    for (const auto& [model, values] : reference["attention_structure"][key].items()) {
      INFO(model);
      Json printed = Json::array();  // of all checkpoints that are printed with this name
      const Json* row = nullptr;
      for (const Json& one : json["rows"])
        if (one["printed"] == model) {
          row = &one;
          printed.insert(printed.end(), one["published"].begin(), one["published"].end());
        }
      REQUIRE(row != nullptr);
      REQUIRE(printed.size() == values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        CHECK(printed[i]["median"] == values[i][0]);
        CHECK(printed[i]["minus"] == values[i][1]);
        CHECK(printed[i]["plus"] == values[i][2]);
      }
      const Json& unsafe = reference["attention_structure"]["unsafe"];
      CHECK((*row)["safe"] == (std::find(unsafe.begin(), unsafe.end(), model) == unsafe.end()));
    }
  }
}

TEST_CASE("A checkpoint is matched by NAME=PATH or by the name of its folder") {
  const Folder folder;
  const std::string small = writeSmallBert(folder, "small");
  const double median = commandJson({"scores", small})["summary"]["symmetry"]["median"];
  SECTION("by NAME=PATH, with a value that does not agree") {
    const Json json = commandJson({"reproduce", "attention-structure-table-4", "bert-tiny=" + small}, 1);
    const Json& row = *rowOf(json, "BERT-tiny");
    CHECK(row["measured"]["median"].get<double>() == Approx(median));
    CHECK(row["difference"].get<double>() == Approx(std::abs(median - 0.77)));
    CHECK(row["agrees"] == false);
    CHECK(json["passed"] == false);
    CHECK(json["checkpoints"][0]["row_by"] == "name");
    const Ran table = command({"reproduce", "attention-structure-table-4", "BERT-tiny=" + small});
    CHECK(table.status == 1);
    CHECK(table.out.find("DISAGREES") != std::string::npos);
    CHECK(table.out.find("GPT2") == std::string::npos);  // only the measured rows
  }
  SECTION("by the folder's name") {
    const std::string named = writeSmallBert(folder, "bert-mini");
    const Json json = commandJson({"reproduce", "attention-structure-table-4", named}, 1);
    CHECK((*rowOf(json, "BERT-mini"))["agrees"] == false);
  }
  SECTION("no row") {
    const Json json = commandJson({"reproduce", "attention-structure-table-4", small});
    CHECK(json["checkpoints"][0]["row"].is_null());
    CHECK(json["passed"].is_null());
  }
  SECTION("quick runs are not judged") {
    const Json json = commandJson({"reproduce", "attention-structure-table-4", "BERT-tiny=" + small, "--quick"});
    CHECK((*rowOf(json, "BERT-tiny"))["agrees"].is_null());
  }
  SECTION("an unsafe row is shown with both pairings and never judged") {
    const std::string grouped = writeSmallGrouped(folder, "grouped");
    const Json json = commandJson({"reproduce", "attention-structure-table-4", "LLaMA3-8B=" + grouped});
    const Json& row = *rowOf(json, "LLaMA3-8B");
    CHECK(row["agrees"].is_null());
    CHECK(row["measured"]["median"].get<double>() == Approx(plainSymmetry(smallGroupedForm({0, 0, 1, 1}))));
    CHECK(row["published_pairing"]["median"].get<double>() == Approx(plainSymmetry(smallGroupedForm({0, 1, 0, 1}))));
  }
}

TEST_CASE("A checkpoint in neither table is compared with the authors' repository, and not judged") {
  const Folder folder;
  const std::string named = writeSmallBert(folder, "gpt2-large");
  const double median = commandJson({"scores", named})["summary"]["symmetry"]["median"];
  const Json json = commandJson({"reproduce", "attention-structure-table-4", named});
  REQUIRE(json["rows"].size() == 60);
  const Json& row = *rowOf(json, "GPT2-large");
  CHECK(row["difference"].get<double>() == Approx(std::abs(median - 0.17)));
  CHECK(row["agrees"].is_null());
  CHECK(row["source"].get<std::string>().find("6ce283a68683e585037d33de5aef70cea1e6162b") != std::string::npos);
  CHECK(json["passed"].is_null());
  const std::string text = command({"reproduce", "attention-structure-table-4", named}).out;
  CHECK(text.find("in neither table of the paper") != std::string::npos);
  // The text results of vision models contain only the symmetry.
  const std::string vision = writeSmallBert(folder, "deit-tiny-patch16-224");
  CHECK(commandJson({"reproduce", "attention-structure-table-4", vision})["rows"].size() == 60);
  CHECK(commandJson({"reproduce", "attention-structure-table-5", vision})["rows"].size() == 57);
  CHECK(command({"reproduce", "attention-structure-table-5", vision}).out.find("no value is published for it here") !=
        std::string::npos);
}

TEST_CASE("GPT-2 has the published medians, and a fine-tuned BERT-tiny is not mistaken for the original") {
  const std::string gpt2 = sharedCheckpoint("gpt2-124m-attn"), bert = sharedCheckpoint("bert-tiny-sst2");
  if (gpt2.empty() || bert.empty()) return;
  for (const auto& [id, score] : {std::pair{"attention-structure-table-4", "symmetry"},
                                  std::pair{"attention-structure-table-5", "directionality"}}) {
    const Json json = commandJson({"reproduce", id, "GPT2=" + gpt2, bert});
    CHECK((*rowOf(json, "GPT2", score))["agrees"] == true);
    const Json& tiny = *rowOf(json, "BERT-tiny", score);
    CHECK(tiny["checkpoint"] == "bert-tiny-sst2");
    CHECK(tiny["agrees"].is_null());
    CHECK(json["checkpoints"][1]["row_by"] == "shape");
  }
}

TEST_CASE("Figure 2 is exported as a picture and as vector graphics, with its numbers inside") {
  const Folder folder;
  const std::string small = writeSmallBert(folder, "mine");
  const std::string svg = folder.path("figure.svg"), png = folder.path("figure.png"), pdf = folder.path("figure.pdf");
  REQUIRE(command({"reproduce", "attention-structure-figure-2", small, "--out", svg}).status == 0);
  const std::string drawn = readText(svg);
  CHECK(drawn.find("mine") != std::string::npos);
  CHECK(drawn.find("Mixtral") != std::string::npos);
  REQUIRE(command({"reproduce", "attention-structure-figure-2", "--out", png, "--size", "900x500"}).status == 0);
  CHECK(sepx::render::readPng(png)->extent.width == 900);
  const auto recipe = sepx::render::readRecipe(png);
  REQUIRE(recipe);
  REQUIRE(recipe->has_value());
  CHECK(Json::parse(**recipe)["id"] == "attention-structure-figure-2");
  REQUIRE(command({"reproduce", "attention-structure-figure-2", "--out", pdf}).status == 0);
  CHECK(readText(pdf).rfind("%PDF", 0) == 0);
}

TEST_CASE("A request that cannot be reproduced gives a message of one line") {
  const Folder folder;
  const std::string small = writeSmallBert(folder, "small");
  requireRefused({"reproduce", "attention-structure-table-9"}, 2, "list");
  requireRefused({"reproduce"}, 2, "reproduce list");
  requireRefused({"reproduce", "attention-structure-table-4", "Nobody=" + small}, 2, "Nobody");
  requireRefused({"reproduce", "attention-structure-table-4", folder.path("none")}, 3, "none");
  requireRefused({"reproduce", "attention-structure-table-4", "--out", folder.path("a.png")}, 2, "--out");
  requireRefused({"reproduce", "attention-structure-figure-2", "--out", folder.path("a.gif")}, 2, ".svg");
}

TEST_CASE("reproduce: Table 3 needs the files of CIFAR-10") {
  const Folder folder;
  const Environment data("XDG_DATA_HOME", folder.path("data").c_str());
  const Ran refused = command({"reproduce", "attention-structure-table-3"});
  CHECK(refused.status == 3);
  CHECK(refused.err.find("data_batch_1.bin: is not there; download CIFAR-10") != std::string::npos);
  CHECK(refused.err.find(folder.path("data")) != std::string::npos);
}

TEST_CASE("reproduce: Table 3 in its quick form trains both starts on generated images", "[.][long]") {
  const Json json = commandJson({"reproduce", "attention-structure-table-3", "--quick"});
  CHECK(json["setup"]["data"] == "shapes");
  CHECK(json["published"].size() == 4);
  REQUIRE(json["rows"].size() == 2);
  for (const Json& row : json["rows"]) {
    CHECK(row["loss"].get<double>() < 1.8);       // a random guess has 2.08
    CHECK(row["accuracy"].get<double>() > 0.25);  // a random guess has 0.125
  }
  REQUIRE(json["runs"].size() == 2);
  CHECK(json["runs"][1]["start"] == "symmetric");
  CHECK(json["runs"][1]["symmetry"][0].get<double>() == Approx(1));
  CHECK(json["runs"][0]["train_loss"][0].is_null());
  CHECK(json["checks"].empty());
}

TEST_CASE("reproduce: Table 3 as text describes the run", "[.][long]") {
  const std::string words = command({"reproduce", "attention-structure-table-3", "--quick"}).out;
  CHECK(words.find("400 batches of 64 generated images") != std::string::npos);  // the setting of this run
  CHECK(words.find("2,400") == std::string::npos);
}

// SPDX-License-Identifier: Apache-2.0
// sepx reproduce for Local-to-Global: numerical checks of theorems, and figures from our own engine.
#include <algorithm>
#include <cmath>
#include <string>

#include <catch2/catch.hpp>

#include "app/cli/study_json.h"
#include "app/cli/study_text.h"
#include "engine/render/png.h"
#include "engine/render/recipe.h"
#include "engine/studies/theorem_study.h"
#include "tests/app/cli/small_checkpoints.h"

using namespace sepx::test;

TEST_CASE("Every theorem of the list holds, and each number is printed with its bound") {
  for (const int theorem : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) {
    const std::string id = "local-to-global-theorem-" + std::to_string(theorem);
    INFO(id);
    const Json json = commandJson({"reproduce", id, "--quick"});
    CHECK(json["passed"] == true);
    CHECK(json["quick"] == true);
    CHECK(json["statement"].get<std::string>().size() > 20);
    CHECK((theorem == 4 || json["corrected"].size() >= 1));
    REQUIRE(json["checks"].size() >= 12);
    for (const Json& check : json["checks"]) {
      INFO(check.dump());
      CHECK(check["passed"] == true);
      CHECK(check["points"] >= 1);
      const double value = check["value"], bound = check["bound"];
      const std::string relation = check["relation"];
      CHECK((relation == "<" ? value < bound : relation == ">=" ? value >= bound : value == bound));
      CHECK(check["why_not_judged"].is_null());
    }
  }
}

TEST_CASE("The full check of the plane's flow has ten thousand starts, and none ends elsewhere") {
  const Json json = commandJson({"reproduce", "local-to-global-theorem-2", "--seed", "3"});
  const Json& first = json["checks"][0];
  CHECK(first["points"] == 10000);
  CHECK(first["value"] == 0);
  CHECK(commandJson({"reproduce", "local-to-global-theorem-2", "--seed", "3", "--threads", "1"}) == json);
  const Ran words = command({"reproduce", "local-to-global-theorem-2", "--quick"});
  CHECK(words.status == 0);
  CHECK(words.out.find("holds") != std::string::npos);
  CHECK(words.out.find("l2g-14") != std::string::npos);
  CHECK(words.out.find("not the flow in time") != std::string::npos);
}

TEST_CASE("A check that is not judged neither holds nor fails, as text and as JSON") {
  using namespace sepx::app::cli;
  const auto result =
      sepx::studies::checksOf("local-to-global-theorem-1", {{0.5, 0.8, "one", 1, 2, "<", 1, "for a reason"}}, false);
  CHECK(result.passed());
  CHECK(studyText(result).find("not judged") != std::string::npos);
  CHECK(studyJson(result)["checks"][0]["passed"].is_null());
  CHECK(studyJson(result)["checks"][0]["why_not_judged"] == "for a reason");
  CHECK(studyJson(result)["passed"].is_null());  // nothing was judged, so there is no success either
  auto shown = result;
  shown.onlyChecks = false;  // with tables
  CHECK(studyText(shown).find("not judged") != std::string::npos);
  CHECK(studyText(shown).find("one: for a reason") != std::string::npos);
  CHECK(studyText(shown).find("Nothing was judged.") != std::string::npos);
}

TEST_CASE("A check whose bound is violated fails") {
  using namespace sepx::app::cli;
  auto result = sepx::studies::checksOf("local-to-global-theorem-1",
                                        {{0.5, 0.8, "one", 1, 0.5, "<", 1}, {0.5, 0.8, "two", 1, 0, "=", 0}}, false);
  CHECK(result.passed());
  result.checks.push_back({0.5, 0.8, "three", 1, 1, "<", 1});
  CHECK_FALSE(result.passed());
  CHECK(studyJson(result)["passed"] == false);
  CHECK(studyText(result).find("DOES NOT HOLD") != std::string::npos);
  result.checks = {{0.5, 0.8, "no number", 1, std::nan(""), "<", 1}};
  CHECK_FALSE(result.passed());
}

TEST_CASE("An observation is printed with its description, and its verdict depends on the scale of the study") {
  using namespace sepx::app::cli;
  auto result = sepx::studies::checksOf("local-to-global-theorem-1", {}, false);
  result.onlyChecks = false;
  sepx::studies::Check seen{0, 0, "median symmetry", 1, 0.5, ">=", 0};
  seen.about = sepx::sentence("{}, seed {}", "characters", 3);
  seen.published = "above 0";
  result.observations = {seen};
  CHECK(studyJson(result)["observations"][0]["what"] == "characters, seed 3: median symmetry (published: above 0)");
  CHECK(studyJson(result)["observations"][0]["as_published"] == true);
  CHECK(studyText(result).find("as published") != std::string::npos);
  result.paperScale = false;
  CHECK(studyText(result).find("as published") == std::string::npos);
  CHECK(studyText(result).find("as the paper says") != std::string::npos);
}

TEST_CASE("Figures 1, 2 and 5 are drawn and agree with theory") {
  const Folder folder;
  for (const char* number : {"1", "2", "5"}) {
    const std::string id = std::string("local-to-global-figure-") + number;
    INFO(id);
    const std::string svg = folder.path(std::string("figure") + number + ".svg");
    const Json json = commandJson({"reproduce", id, "--quick", "--out", svg});
    CHECK(json["passed"] == true);
    REQUIRE(json["parts"].size() == 2);
    for (const Json& part : json["parts"]) {
      CHECK(part["starts"].get<int>() >= 15);
      CHECK(part["ends_not_as_theory"] == 0);
      CHECK(part["basin_pixels"].is_null() == (number != std::string("1")));
    }
    const Json& above = json["parts"][1]["ends"];
    CHECK(above["local-min"].get<int>() > above["global-min"].get<int>());
    const std::string text = readText(svg);
    CHECK(text.find("p + q") != std::string::npos);
    CHECK(text.find(id) != std::string::npos);  // the recipe
  }
  const std::string png = folder.path("one.png");
  REQUIRE(command({"reproduce", "local-to-global-figure-1", "--quick", "--out", png, "--size", "700x420"}).status == 0);
  const auto image = sepx::render::readPng(png);
  REQUIRE(image);
  CHECK(image->extent.width == 700);
  requireRefused({"reproduce", "local-to-global-figure-1", "--out", folder.path("a.gif")}, 2, ".svg");
  requireRefused({"reproduce", "local-to-global-theorem-1", "--out", folder.path("a.png")}, 2, "--out");
  requireRefused({"reproduce", "local-to-global-theorem-12"}, 2, "list");
}

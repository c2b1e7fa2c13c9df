// SPDX-License-Identifier: Apache-2.0
// The parts of the walker that need no window: a seed gives the same script again, which can be read, and a failing
// script is shortened.
#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include "tests/monkey/shorten.h"
#include "tests/monkey/walk.h"
#include "ui/document/script.h"

namespace sepx::monkey {
namespace {

Vocabulary fewWords() {
  Vocabulary words;
  ui::Property real, choice, text;
  real.key = "a.b.real";
  real.kind = ui::Kind::Real;
  real.max = 3;
  choice.key = "a.b.choice";
  choice.kind = ui::Kind::Choice;
  choice.choices = {"one", "two words"};
  text.key = "a.list[].text";
  text.kind = ui::Kind::Text;
  words.parameters = {real, choice, text};
  words.pages = {{"a", "b", {"a.b.real", "a.b.real#entry", "a.start"}, {"Ctrl+B", "R"}}, {"a", "c", {}, {}}};
  words.themes = {"dark"};
  words.files = {"models/x y", "nowhere"};
  return words;
}

TEST_CASE("A seed gives the same walk again, and every line of it is a step that begins with `try`") {
  const Vocabulary words = fewWords();
  const Lines walk = makeWalk(7, 400, words);
  CHECK(walk.size() == 400);
  CHECK(walk == makeWalk(7, 400, words));
  CHECK(walk != makeWalk(8, 400, words));
  CHECK(linesOf("# a remark\n" + scriptOf(walk)) == walk);
  const auto parsed = ui::parseScript(scriptOf(walk), "walk");
  INFO((parsed ? "" : parsed.error().message));
  REQUIRE(parsed);
  CHECK(std::all_of(parsed->steps.begin(), parsed->steps.end(), [](const auto& step) { return step.tried; }));
  std::set<ui::StepKind> kinds;
  for (const ui::ScriptStep& step : parsed->steps)
    kinds.insert(step.kind);
  CHECK(kinds.size() > 15);
}

TEST_CASE("A failing script is shortened to the relevant lines, in their order") {
  Lines lines;
  for (int i = 0; i < 60; ++i)
    lines.push_back(std::to_string(i));
  int asked = 0;
  const auto needs = [&](const Lines& some, const char* line) {
    return std::find(some.begin(), some.end(), line) != some.end();
  };
  const auto fails = [&](const Lines& some) {
    ++asked;
    return needs(some, "7") && needs(some, "31") && needs(some, "58");
  };
  CHECK(shortened(lines, fails, 1000) == Lines{"7", "31", "58"});
  CHECK(asked < 200);
  asked = 0;
  const Lines some = shortened(lines, fails, 5);
  CHECK(asked == 5);
  CHECK(fails(some));
  CHECK(shortened({"7", "31", "58"}, fails, 100).size() == 3);
}

}  // namespace
}  // namespace sepx::monkey

// SPDX-License-Identifier: Apache-2.0
// A name gives the same values on every machine, an answer file survives a round trip, and errors in one are reported.
#include "ui/document/homework.h"

#include <set>

#include <catch2/catch.hpp>

#include "engine/core/number.h"

namespace sepx::ui {
namespace {

Lesson parsed(const std::string& text) {
  const auto lesson = parseLesson(text, "h.md");
  REQUIRE(lesson);
  REQUIRE(lesson->messages.empty());
  return *lesson;
}

constexpr const char* kHomeworkText =
    "# H\n\n## One\n\n```steps\nexhibit flow\nvary flow.p 0.2..0.8\nvary flow.gauss.samples 100..200 by 50\n```\n\n"
    "```ask\nquestion \"Q\"\nchoice \"A\"\nchoice \"B\" correct\n```\n\n"
    "```ask\nquestion \"R\"\n"
    "number flow.entropy.gap +- 5%\n```\n";

Lesson homework() {
  return parsed(kHomeworkText);
}

Answers answersOf(const std::string& name) {
  const Lesson lesson = homework();
  Answers answers{name, lesson.title, seedOf(name), fingerprint(lesson), variedValues(lesson, name), {}};
  answers.given[{0, 0}].choice = 1;
  answers.given[{0, 1}] = Answer{{}, 0.047, Document().with("flow.p", 0.5)};
  return answers;
}

}  // namespace

TEST_CASE("A name gives the same values on every machine") {
  const Lesson lesson = homework();
  // Pinned: with another value here, homework that was handed in becomes worthless.
  CHECK(seedOf("Ada Lovelace") == 0xd726c0755a2c655eULL);
  CHECK(seedOf("  ada   LOVELACE ") == seedOf("Ada Lovelace"));
  CHECK(seedOf("Ada Lovelance") != seedOf("Ada Lovelace"));
  const auto values = variedValues(lesson, "Ada Lovelace");
  REQUIRE(values.size() == 2);
  CHECK(values[0].first == "flow.p");
  CHECK(values == variedValues(lesson, "ada lovelace"));
  CHECK(lessonFor(lesson, "Ada Lovelace").steps[0].steps[1].value == values[0].second);
  std::set<std::string> p, samples;
  for (int i = 0; i < 300; ++i) {
    const auto drawn = variedValues(lesson, "student " + std::to_string(i));
    p.insert(drawn[0].second);
    samples.insert(drawn[1].second);
    const double value = parseNumber(drawn[0].second).value_or(-1);
    CHECK((value >= 0.2 && value <= 0.8));
    CHECK(drawn[0].second.size() <= 4);  // two decimals
  }
  CHECK(p.size() > 50);
  CHECK(samples == std::set<std::string>{"100", "150", "200"});
}

TEST_CASE("The version of a homework is determined by its actions and checks, not by its language") {
  const auto of = [](std::initializer_list<std::pair<const char*, const char*>> changes) {
    std::string text = kHomeworkText;
    for (const auto& [from, to] : changes) {
      REQUIRE(text.find(from) != std::string::npos);
      text.replace(text.find(from), std::string_view(from).size(), to);
    }
    return fingerprint(parsed(text));
  };
  const std::uint64_t same = fingerprint(homework());
  CHECK(
      of({{"# H", "# 作业"}, {"## One", "## 第一"}, {"\"Q\"", "\"问\""}, {"\"A\"", "\"甲\""}, {"\"R\"", "\"多少\""}}) ==
      same);
  CHECK(of({{"choice \"A\"\nchoice \"B\" correct", "choice \"B\" correct\nchoice \"A\""}}) != same);
  CHECK(of({{"choice \"A\"\n", "choice \"A\"\nchoice \"C\"\n"}}) != same);
  CHECK(of({{"0.2..0.8", "0.2..0.9"}}) != same);
  CHECK(of({{"5%", "6%"}}) != same);
  CHECK(of({{"entropy.gap", "entropy.rate"}}) != same);
}

TEST_CASE("A file of answers survives a round trip") {
  const Answers answers = answersOf("Ada");
  const auto read = parseAnswers(answersText(answers));
  if (!read) FAIL(read.error().message);
  CHECK(read->name == "Ada");
  CHECK(read->seed == answers.seed);
  CHECK(read->fingerprint == answers.fingerprint);
  CHECK(read->given.size() == 2);
  CHECK(read->given.at({0, 0}).choice == std::size_t{1});
  CHECK(read->given.at({0, 1}).number == 0.047);
  REQUIRE(read->given.at({0, 1}).state);
  CHECK(read->given.at({0, 1}).state->at("flow.p") == 0.5);
  CHECK(answersMismatch(*read, homework()).empty());
}

TEST_CASE("A seed or a version that does not fit the name or the lesson is reported") {
  const auto changed = [](auto change) {
    Answers answers = answersOf("Ada");
    change(answers);
    return answersMismatch(answers, homework());
  };
  CHECK(changed([](Answers&) {}).empty());
  CHECK_THAT(changed([](Answers& a) { a.fingerprint ^= 1; }), Catch::Contains("version"));
  CHECK_THAT(changed([](Answers& a) {
               a.fingerprint ^= 1;
               a.title = "Other";
             }),
             Catch::Contains("another lesson, \"Other\""));
  CHECK(changed([](Answers& a) { a.title = "Die Hausaufgabe"; }).empty());  // a translation
  CHECK_THAT(changed([](Answers& a) { a.name = "Grace"; }), Catch::Contains("seed"));
  CHECK_THAT(changed([](Answers& a) {
               a.name = "Grace";
               a.seed = seedOf("Grace");
             }),
             Catch::Contains("flow."));
  CHECK_THAT(changed([](Answers& a) { a.varied.clear(); }), Catch::Contains("flow."));
  CHECK_THAT(changed([](Answers& a) { a.varied.emplace_back("flow.q", "1"); }), Catch::Contains("do not vary"));
  CHECK_THAT(changed([](Answers& a) { a.name = " "; }), Catch::Contains("whose answers"));
}

TEST_CASE("A file that is not a file of answers is refused with the reason") {
  const std::string whole = answersText(answersOf("Ada"));
  CHECK_FALSE(parseAnswers(""));
  CHECK_FALSE(parseAnswers("[]"));
  CHECK_THAT(parseAnswers("{}").error().message, Catch::Contains("not a file of answers"));
  CHECK_FALSE(parseAnswers(std::string(kLargestAnswers + 1, ' ')));
  for (const char* field : {"name", "lesson", "seed", "fingerprint", "varied", "answers"}) {
    CAPTURE(field);
    std::string broken = whole;
    broken.replace(broken.find("\"" + std::string(field) + "\""), std::string(field).size() + 2, "\"x\"");
    const auto read = parseAnswers(broken);
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == ErrorKind::BadInput);
    CHECK_THAT(read.error().message, Catch::Contains(field));
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string broken = whole;
    broken[at] = '7';
    (void)parseAnswers(broken);
  }
}

TEST_CASE("An answer is right if it lies within the absolute or relative tolerance") {
  CHECK(isRight({{}, 0, 0.1, false}, 2, 2.1));
  CHECK_FALSE(isRight({{}, 0, 0.1, false}, 2, 2.11));
  CHECK(isRight({{}, 0, 0.05, true}, 2, 1.9));
  CHECK_FALSE(isRight({{}, 0, 0.05, true}, 2, 1.89));
  CHECK(isRight({{}, 0, 0, false}, 3, 3));
  CHECK_FALSE(isRight({{}, 0, 1, false}, 3, std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The list of studies, checks and verdicts.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "engine/core/references.h"
#include "engine/studies/study.h"

using namespace sepx;
using studies::Check;
using studies::StudyForm;

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return text;
}

}  // namespace

TEST_CASE("Every study says what it is about, what it claims and under which assumptions") {
  std::set<std::string> ids;
  for (const studies::Study& one : studies::studies()) {
    INFO(one.id);
    CHECK(ids.insert(one.id).second);
    const std::string id = one.id, paper = one.paper, word(one.key());
    CHECK(studies::findStudy(id) == &one);
    CHECK(findReference(paper) != nullptr);  // its citation
    CHECK(lower(paper) + "-" + word == id);
    const bool corollary = word.starts_with("corollary-") || word.starts_with("proposition-") || word == "appendix-c";
    CHECK((one.form == StudyForm::Table    ? word.starts_with("table-")
           : one.form == StudyForm::Figure ? word.starts_with("figure-") || word == "order-k"
                                           : word.starts_with("theorem-") || corollary));
    CHECK(std::string(one.label).empty() == one.says.empty());
    if (!one.isReproduced()) {  // shown only as published
      CHECK(one.printed);
      continue;
    }
    for (const char* text : {one.title, one.about, one.claim, one.assumptions})
      CHECK(std::string(text).size() >= 8);
    const bool theorem = one.form == StudyForm::Theorem;
    const bool misprinted = std::string(one.id) == "reversal-table-5";
    const bool asPrinted = std::string(one.id) == "local-to-global-theorem-4";  // it has no erratum
    CHECK(((theorem && !asPrinted) || misprinted) == !one.corrected.empty());
  }
  CHECK(ids.size() >= 32);
  CHECK(studies::findStudy("local-to-global-theorem-99") == nullptr);
}

TEST_CASE("A check passes if its value satisfies the bound, and NaN never passes") {
  const auto passes = [](double value, const char* relation, double bound) {
    return Check{0.5, 0.8, "one", 1, value, relation, bound}.passed();
  };
  CHECK(passes(0.5, "<", 1));
  CHECK_FALSE(passes(1, "<", 1));
  CHECK(passes(1, "<=", 1));
  CHECK_FALSE(passes(1.1, "<=", 1));
  CHECK(passes(0, "=", 0));
  CHECK_FALSE(passes(1, "=", 0));
  CHECK(passes(1, ">=", 1));
  CHECK_FALSE(passes(0, ">=", 1));
  for (const char* relation : {"<", "<=", "=", ">="})
    CHECK_FALSE(passes(std::numeric_limits<double>::quiet_NaN(), relation, 1));
  CHECK(studies::passed({}));
}

TEST_CASE(
    "A check that is not judged neither holds nor fails, and a study with chosen thresholds starts at other seeds") {
  Check fails{0, 0, "one", 1, 2, "<", 1}, holds{0, 0, "two", 1, 0, "<", 1};
  CHECK(fails.verdict() == studies::Verdict::Fails);
  CHECK(holds.verdict() == studies::Verdict::Holds);
  CHECK_FALSE(studies::passed(std::vector{fails, holds}));
  fails.notJudged = studies::notJudgedSeed(2);
  REQUIRE(fails.notJudged);
  CHECK(fails.verdict() == studies::Verdict::NotJudged);
  CHECK(studies::passed(std::vector{fails, holds}));
  CHECK(studies::countOf(std::vector{fails, holds}, studies::Verdict::NotJudged) == 1);
  CHECK(studies::notJudgedSeed(studies::kThresholdSeeds) == nullptr);
  for (const studies::Study& one : studies::studies())
    CHECK(one.firstSeed() == (std::string(one.thresholds).empty() ? 0 : studies::kThresholdSeeds));
}

// SPDX-License-Identifier: Apache-2.0
// Errata and remarks: complete compared with the project's science notes (if these are present), unique, of the right
// kind, and with formulas that can be typeset.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "tests/folders.h"
#include "ui/properties/errata.h"
#include "ui/properties/formula.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// Numbers of the items in a section of the notes: lines that begin with, for example, "3. ".
std::set<int> itemsOf(const std::filesystem::path& notes, const std::string& heading) {
  std::ifstream in(notes);
  std::string line;
  std::set<int> found;
  bool inside = false;
  const std::regex item(R"(^(\d+)\. .*)");
  while (std::getline(in, line)) {
    if (line.starts_with("## ")) inside = line.starts_with(heading);
    std::smatch match;
    if (inside && std::regex_match(line, match, item)) found.insert(std::stoi(match[1].str()));
  }
  return found;
}

}  // namespace

TEST_CASE("Every erratum has a unique id and all its parts", "[errata]") {
  std::set<std::string> ids;
  for (const Erratum& one : errata()) {
    INFO(one.id);
    CHECK(ids.insert(one.id).second);
    for (const char* part : {one.place, one.printed, one.correct, one.consequence})
      CHECK(std::string(part).size() > 3);
    CHECK(findErratum(one.id) == &one);
    const std::string prefix = one.paper == Paper::LocalToGlobal ? "l2g-"
                               : one.paper == Paper::Reversal    ? "rev-"
                                                                 : "att-";
    CHECK(std::string(one.id).starts_with(prefix));
    CHECK(findReference(paperName(one.paper)) == &referenceOf(one.paper));
  }
  CHECK(findErratum("l2g-99") == nullptr);
}

TEST_CASE("Conditional and added remarks are not classified as errors", "[errata]") {
  const auto kindOf = [](const char* id) {
    INFO(id);
    const Erratum* const one = findErratum(id);
    REQUIRE(one != nullptr);
    return one->kind;
  };
  for (const char* id : {"l2g-14", "l2g-15", "l2g-16", "l2g-17", "att-5", "rev-6", "rev-7", "rev-8"})
    CHECK(kindOf(id) == ErratumKind::Conditional);
  for (const char* id : {"l2g-2", "l2g-3", "l2g-19", "rev-1", "rev-3", "rev-4", "rev-5"})
    CHECK(kindOf(id) == ErratumKind::Added);
  for (const char* id : {"l2g-1", "l2g-4", "l2g-8", "att-1", "att-9"})
    CHECK(kindOf(id) == ErratumKind::Wrong);
  std::set<std::string> words;
  for (const ErratumKind kind : kErratumKinds) {
    words.insert(kindName(kind));
    words.insert(kindPlural(kind));
    CHECK(kindAnswer(kind, "this").find("this") != std::string::npos);
    CHECK(std::any_of(errata().begin(), errata().end(), [&](const Erratum& one) { return one.kind == kind; }));
  }
  CHECK(words.size() == 2 * kErratumKinds.size());
}

TEST_CASE("Errata state the conditions of their numbers, and claim no more than that", "[errata]") {
  const auto says = [](const char* id, const char* text) {
    INFO(id << ": " << text);
    const Erratum* const one = findErratum(id);
    REQUIRE(one != nullptr);
    return std::string(one->correct).find(text) != std::string::npos;
  };
  CHECK(says("l2g-18", "-0.14201"));  // 2 (8/13)(5/13) 0.3 = 0.1420118
  CHECK(says("l2g-19", "do not depend on $p$ and $q$ at all"));
  CHECK(says("l2g-16", "$m=1$"));
  CHECK(says("l2g-16", "$m=2$"));
  CHECK(says("att-4", "twice"));
  CHECK(says("att-6", "in one example"));
  CHECK(says("att-7", "c=d_h/d"));
  CHECK(says("att-8", "5000 updates"));
  CHECK(says("att-9", "z=12.5"));
  CHECK(says("att-11", "(pN-1)/(2N-pN-1)"));
  CHECK(says("att-12", "Gaussian"));
}

TEST_CASE("Every formula in an erratum can be parsed", "[errata]") {
  for (const Erratum& one : errata()) {
    for (const std::string text : {one.place, one.printed, one.correct, one.consequence}) {
      INFO(one.id << ": " << text);
      std::size_t dollars = 0;
      for (std::size_t open = text.find('$'); open != std::string::npos; open = text.find('$', open + 1)) {
        const std::size_t close = text.find('$', open + 1);
        REQUIRE(close != std::string::npos);
        const Result<Formula> formula = Formula::parse(text.substr(open + 1, close - open - 1));
        INFO((formula ? "" : formula.error().message));
        CHECK(formula.has_value());
        open = close;
        ++dollars;
      }
      CHECK((text.find('\\') == std::string::npos || dollars > 0));
    }
  }
}

TEST_CASE("docs/science.md lists every remark with the text of the program", "[errata]") {
  std::string wanted = "| remark | where | kind | what is right |\n| --- | --- | --- | --- |\n";
  for (const Erratum& one : errata())
    wanted += std::string("| ") + one.id + " | " + paperName(one.paper) + ", " + one.place + " | " +
              kindName(one.kind) + " | " + std::regex_replace(std::string(one.correct), std::regex("\\|"), "\\vert ") +
              " |\n";
  std::ifstream in(tests::sourceFolder() + "/docs/science.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  const bool there = page.find(wanted) != std::string::npos;
  const std::string made = tests::buildFolder() + "/science_remarks.md";
  if (!there) std::ofstream(made) << wanted;
  INFO("the table that belongs there is in " << made);
  CHECK(there);
}

// rev-10 is about a plain-text extract of the paper, not about the paper.
TEST_CASE("Every erratum of the science notes is in the program", "[errata]") {
  // Errata without a number in the notes.
  const std::set<std::string> beyond{"att-16", "att-17", "att-18", "l2g-20", "l2g-21", "rev-11"};
  for (const std::string& id : beyond)
    CHECK(findErratum(id) != nullptr);
  const std::filesystem::path notes = tests::sourceFolder() + "/../shared/design/SCIENCE.md";
  if (!std::filesystem::exists(notes)) {
    WARN("the science notes are not beside this checkout: counted against the numbers of the last time");
    CHECK(errata().size() == 43 + beyond.size());
    return;
  }
  const std::map<std::string, std::string> sections{{"## 1.", "l2g-"}, {"## 2.", "att-"}, {"## 3.", "rev-"}};
  std::size_t all = 0;
  for (const auto& [heading, prefix] : sections) {
    std::set<int> items = itemsOf(notes, heading);
    if (prefix == "rev-") items.erase(10);
    CHECK(items.size() >= 9);
    all += items.size();
    for (const int item : items) {
      INFO(prefix << item);
      CHECK(findErratum(prefix + std::to_string(item)) != nullptr);
    }
  }
  CHECK(errata().size() == all + beyond.size());
  CHECK(findErratum("rev-10") == nullptr);
}

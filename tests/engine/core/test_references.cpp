// SPDX-License-Identifier: Apache-2.0
// The list of papers and third-party code is complete and unique, and agrees with docs/references.md and CITATION.cff.
#include "engine/core/references.h"

#include <catch2/catch.hpp>
#include <set>
#include <sstream>

#include "engine/core/file.h"
#include "tests/folders.h"

using namespace sepx;

namespace {

std::string textOf(const std::string& file) {
  const auto text = readFile(tests::sourceFolder() + "/" + file);
  REQUIRE(text);
  return *text;
}

std::vector<std::string> namesIn(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream in(list);
  for (std::string name; std::getline(in >> std::ws, name, ',');)
    names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE("references: every paper and every code source has a unique name and is found by it") {
  std::set<std::string> names;
  REQUIRE(papers().size() == 3);
  for (const auto& list : {papers(), sources()})
    for (const Reference& one : list) {
      INFO(one.name);
      CHECK(names.insert(one.name).second);
      CHECK(findReference(one.name) == &one);
      CHECK(std::string(one.place).size() > 8);
      CHECK((std::string(one.title).empty() || (one.year > 2000 && *one.authors != '\0')));
      CHECK(citation(one).find(one.place) != std::string::npos);
    }
  for (const Reference& paper : papers())
    CHECK_FALSE(std::string(paper.title).empty());
  CHECK(std::string(referenceOf(Paper::Reversal).name) == "Reversal");
  CHECK(findReference("Nobody's paper") == nullptr);
  CHECK(citation(*findReference("attention-geometry")) ==
        "github.com/matteosaponati/attention-geometry, commit 9b7528b");
}

TEST_CASE("references: docs/references.md contains all of them with their data") {
  const std::string page = textOf("docs/references.md");
  for (const auto& list : {papers(), sources()})
    for (const Reference& one : list) {
      INFO(one.name);
      for (const char* part : {one.name, one.title, one.authors, one.commit})
        CHECK(page.find(part) != std::string::npos);
      if (one.year > 0) CHECK(page.find(std::to_string(one.year)) != std::string::npos);
      for (const std::string& place : namesIn(one.place))
        CHECK(page.find(place) != std::string::npos);
    }
}

TEST_CASE("references: CITATION.cff cites the three papers and names no person as author of the program") {
  const std::string cff = textOf("CITATION.cff");
  const std::size_t references = cff.find("\nreferences:");
  REQUIRE(references != std::string::npos);
  CHECK(cff.starts_with("cff-version: 1.2.0\n"));
  CHECK(cff.find("family-names") > references);
  CHECK(cff.find("name: \"The Separatrix developers\"") < references);
  for (const Reference& paper : papers()) {
    INFO(paper.name);
    CHECK(cff.find(paper.title) != std::string::npos);
    CHECK(cff.find("year: " + std::to_string(paper.year)) != std::string::npos);
    CHECK(cff.find(paper.place) != std::string::npos);
    for (const std::string& person : namesIn(paper.authors)) {
      const std::string family = person.substr(person.find_last_of(' ') + 1);
      CHECK(cff.find("family-names: \"" + family) != std::string::npos);
    }
  }
}

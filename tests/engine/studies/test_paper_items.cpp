// SPDX-License-Identifier: Apache-2.0
// Compares the list of the papers' items with a table that was made by going through the papers.
#include <set>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "engine/core/file.h"
#include "engine/core/references.h"
#include "engine/studies/paper_items.h"
#include "tests/folders.h"

using namespace sepx;
using studies::ItemState;
using studies::PaperItem;

TEST_CASE("Every item of the papers is listed once, with the state and place of the reference table") {
  const auto text = readFile(tests::sourceFolder() + "/tests/reference/paper_items.json");
  REQUIRE(text);
  const auto reference = nlohmann::json::parse(*text);
  std::set<std::string> listed;
  for (const PaperItem& item : studies::paperItems()) {
    INFO(item.id);
    CHECK(listed.insert(item.id).second);
    const auto& wanted = reference["items"];
    const auto found =
        std::find_if(wanted.begin(), wanted.end(), [&](const auto& one) { return one["id"] == item.id; });
    REQUIRE(found != wanted.end());
    CHECK((*found)["paper"] == item.paper);
    CHECK((*found)["name"] == item.name);
    CHECK((*found)["state"] == studies::toString(stateOf(item)));
    CHECK((*found)["where"] == placeOf(item));
  }
  for (const auto& wanted : reference["items"]) {
    INFO(wanted.dump());
    CHECK(listed.contains(wanted["id"]));
  }
}

TEST_CASE("A judged item has a study, a shown item has a place, and an item out of scope has a reason") {
  std::size_t judged = 0;
  for (const PaperItem& item : studies::paperItems()) {
    INFO(item.id);
    const std::string place = placeOf(item), id = item.id;
    CHECK(findReference(item.paper) != nullptr);
    CHECK(std::string(item.what).size() > 5);
    switch (stateOf(item)) {
      case ItemState::Judged: {
        ++judged;
        const studies::Study* const study = studyOf(item);
        REQUIRE(study != nullptr);
        CHECK(study->isReproduced());
        CHECK(std::string(study->paper) == item.paper);
        CHECK(std::string(study->claim).size() > 8);
        break;
      }
      case ItemState::Published:
        CHECK(studyOf(item)->printed);
        break;
      case ItemState::Shown:
        CHECK((place.starts_with("page ") || place.starts_with("verb ")));
        break;
      case ItemState::OutOfScope:
        CHECK(std::string(item.why).size() > 10);
        break;
    }
    // A study that is named exists.
    if (std::string(item.place).starts_with("study ")) CHECK(studies::findStudy(item.place + 6) != nullptr);
    CHECK(kindOf(item).size() >= 5);
  }
  CHECK(judged >= 40);
}

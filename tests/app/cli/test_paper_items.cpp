// SPDX-License-Identifier: Apache-2.0
// sepx reproduce list: every item of the papers. The verbs and pages that it names exist.
#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

#include "app/cli/verb.h"
#include "engine/studies/paper_items.h"
#include "tests/app/cli/run_sepx.h"
#include "ui/exhibits/exhibits.h"
#include "ui/page/page_key.h"
#include "ui/properties/registry.h"

using namespace sepx::test;
using namespace sepx;

namespace {

bool isPage(const std::string& exhibit, const std::string& page) {
  for (const auto& one : ui::makeExhibits()) {
    if (one->key() != exhibit) continue;
    ui::PropertyRegistry registry;
    one->declare(registry);
    const auto found = registry.find(ui::pageKey(exhibit));
    if (!found) return false;
    const auto& choices = found->property->choices;
    return std::find(choices.begin(), choices.end(), page) != choices.end();
  }
  return false;
}

}  // namespace

TEST_CASE("reproduce list has every item of the papers with its state, as text and as JSON") {
  const Json json = commandJson({"reproduce", "list"});
  const auto items = studies::paperItems();
  REQUIRE(json["items"].size() == items.size());
  const std::string text = command({"reproduce", "list"}).out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Json& one = json["items"][i];
    INFO(one.dump());
    CHECK(one["id"] == items[i].id);
    CHECK(one["state"] == studies::toString(stateOf(items[i])));
    CHECK((one["where"].is_null() == (one["state"] == "out-of-scope")));
    CHECK((one["state"] != "out-of-scope" || one["note"].is_string()));
    CHECK(text.find(items[i].name) != std::string::npos);
    CHECK(text.find(items[i].what) != std::string::npos);
  }
  // Members of older versions of the document.
  CHECK(json["id"] == "list");
  CHECK(json["ids"][0].contains("about"));
}

TEST_CASE("Verbs and pages that the list names exist, and judged studies are commands of reproduce") {
  const auto verbs = app::cli::makeVerbs();
  const Json json = commandJson({"reproduce", "list"});
  for (const studies::PaperItem& item : studies::paperItems()) {
    const std::string place = placeOf(item);
    INFO(item.id << ": " << place);
    if (place.starts_with("verb "))
      CHECK(std::any_of(verbs.begin(), verbs.end(), [&](const auto& one) { return place.substr(5) == one.name; }));
    if (place.starts_with("page ")) {
      const std::size_t slash = place.find('/');
      REQUIRE(slash != std::string::npos);
      CHECK(isPage(place.substr(5, slash - 5), place.substr(slash + 1)));
    }
    if (stateOf(item) == studies::ItemState::Judged)
      CHECK(std::any_of(json["ids"].begin(), json["ids"].end(),
                        [&](const Json& one) { return place.substr(6) == one["id"].get<std::string>(); }));
  }
  CHECK_FALSE(isPage("flow", "no-such-page"));
}

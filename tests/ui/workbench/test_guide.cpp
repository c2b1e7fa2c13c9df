// SPDX-License-Identifier: Apache-2.0
// The guide: it is made from the declarations, describes every page, and can be searched.
#include <algorithm>
#include <set>

#include "tests/ui/workbench/bench.h"
#include "ui/page/exhibit.h"
#include "ui/workbench/guide.h"
#include "ui/workbench/workbench.h"

using namespace sepx;
using namespace sepx::test;
using namespace sepx::ui;

namespace {

struct Guide {
  explicit Guide(Workbench& of)
      : workbench(of),
        exhibits(of.exhibits()),
        commands(of.commands()),
        library(readGuide(of.options().lessons, of.options().assets)) {}
  GuideOf source() const {
    return {workbench.exhibit(1), exhibits, workbench.properties(), workbench.paneDocument(), commands, library};
  }
  Workbench& workbench;
  std::vector<const Exhibit*> exhibits;
  std::vector<Workbench::Command> commands;
  GuideLibrary library;
};

const GuideSection* section(const std::vector<GuideSection>& all, const std::string& title) {
  const auto found = std::ranges::find(all, title, &GuideSection::title);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("The guide describes the content and the parameters of every page", "[guide]") {
  Bench bench;
  for (const Exhibit* exhibit : bench.workbench().exhibits()) {
    REQUIRE(bench.workbench().set("exhibit", exhibit->key()));
    bench.settle();
    const auto pages = bench.workbench().find(exhibit->key() + ".page");
    REQUIRE((pages && pages->property));
    for (const std::string& page : pages->property->choices) {
      INFO(exhibit->key() << " " << page);
      REQUIRE(bench.workbench().set(exhibit->key() + ".page", page));
      bench.settle();
      const Guide guide(bench.workbench());
      const auto sections = guidePage(guide.source());
      CHECK(section(sections, "What is shown"));
      CHECK(section(sections, "Parameters"));
      CHECK(guideTitle(guide.source()).find(exhibit->name()) == 0);
      for (const GuideSection& one : sections)
        for (const GuideEntry& entry : one.entries)
          CHECK_FALSE(entry.title.empty());
    }
  }
}

TEST_CASE("The guide shows a small picture of every page, made by the program", "[guide]") {
  Bench bench({1280, 720});
  for (const Exhibit* exhibit : bench.workbench().exhibits()) {
    const auto pages = bench.workbench().find(exhibit->key() + ".page");
    REQUIRE((pages && pages->property));
    for (const std::string& page : pages->property->choices)
      for (const char* theme : {"light", "dark"}) {
        if (page == "library" || page == "published") continue;  // there are no pictures of these pages
        const std::string file =
            bench.workbench().options().assets + "/pages/" + exhibit->key() + "-" + page + "-" + theme + ".png";
        INFO(file);
        const auto pixels = render::readPng(file);
        REQUIRE(pixels);
        CHECK(pixels->extent.width <= 480);
        const std::set<std::uint8_t> seen(pixels->rgba.begin(), pixels->rgba.end());
        CHECK(seen.size() > 16);  // the picture is not empty
      }
  }
  bench.play("exhibit flow\nadd point 0.3,0.2\nwait settled\nkey F1\nwait settled\n");
  const auto at = bench.workbench().controlAt("guide.picture");
  REQUIRE(at);
  const Picture shown = bench.picture();
  const auto red = [&](int dx, int dy) {
    const auto x = static_cast<std::size_t>(at->x + dx), y = static_cast<std::size_t>(at->y + dy);
    return shown.pixels.rgba[4 * (y * shown.pixels.extent.width + x)];
  };
  std::set<std::uint8_t> colours;
  for (int dx = -100; dx <= 100; dx += 5)
    for (int dy = -40; dy <= 40; dy += 5)
      colours.insert(red(dx, dy));
  CHECK(colours.size() > 8);
}

TEST_CASE("The guide of the plane has formulas, lessons and chapters", "[guide]") {
  Bench bench;
  REQUIRE(bench.workbench().set("exhibit", std::string("flow")));
  bench.settle();
  const Guide guide(bench.workbench());
  const auto sections = guidePage(guide.source());
  const GuideSection* const numbers = section(sections, "Numbers and formulas");
  REQUIRE(numbers);
  CHECK_FALSE(numbers->entries.front().formula.empty());
  CHECK(section(sections, "What the pointer does"));
  const GuideSection* const lessons = section(sections, "Lessons");
  REQUIRE(lessons);
  CHECK(std::ranges::any_of(lessons->entries, [](const GuideEntry& one) { return !one.file.empty(); }));
  CHECK(section(sections, "Chapters"));
}

TEST_CASE("The search finds commands, parameters of other pages, lessons and chapters that contain all words",
          "[guide]") {
  Bench bench;
  const Guide guide(bench.workbench());
  const auto found = searchGuide(guide.source(), "learning RATE");
  REQUIRE(section(found, "Parameters"));
  CHECK_FALSE(section(found, "Parameters")->entries.front().note.empty());
  CHECK(section(searchGuide(guide.source(), "copy picture"), "Commands"));
  CHECK(section(searchGuide(guide.source(), "reversal curse"), "Lessons"));
  CHECK(searchGuide(guide.source(), "no page has such a word xyzzy").empty());
  for (const GuideSection& one : searchGuide(guide.source(), "e"))
    CHECK(one.entries.size() <= kMostFound);
}

TEST_CASE("F1 opens and closes the guide, and its links work", "[guide]") {
  Bench bench({1280, 720});
  bench.play("exhibit flow\nadd point 0.3,0.2\nwait settled\nkey F1\nwait settled\n");
  CHECK(bench.workbench().controlAt("guide.search"));
  bench.play("click ui:guide.keys\nwait settled\n");
  CHECK_FALSE(bench.workbench().controlAt("guide.search"));
  CHECK(bench.workbench().controlAt("help.close"));
  bench.play("key Escape\nkey F1\nwait settled\nkey Escape\nwait settled\n");
  CHECK_FALSE(bench.workbench().controlAt("guide.search"));
}

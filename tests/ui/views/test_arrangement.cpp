// SPDX-License-Identifier: Apache-2.0
// Rows, columns and grids: parts lie inside the area and do not overlap, and parts without room are left out in order.
#include <algorithm>

#include <catch2/catch.hpp>

#include "ui/views/arrangement.h"

using namespace sepx;
using namespace sepx::ui;
using Arranged = Arrangement::Kind;

namespace {

std::string namesOf(const std::vector<PlacedPart>& parts) {
  std::string names;
  for (const PlacedPart& part : parts)
    names += part.view + " ";
  return names;
}

Arrangement part(const char* name, int order, double width = 0, double height = 0) {
  Arrangement made = viewNamed(name);
  made.order = order;
  made.leastWidth = width;
  made.leastHeight = height;
  return made;
}

}  // namespace

TEST_CASE("arrangement: fixed lengths come first, weights divide the rest, with gaps and a margin", "[views]") {
  Arrangement fixed = viewNamed("b");
  fixed.length = 50;
  Arrangement heavy = viewNamed("c");
  heavy.weight = 3;
  const Arrangement row{.kind = Arranged::Row, .parts = {viewNamed("a"), fixed, heavy}, .gap = 10, .margin = 5};
  const auto placed = placeParts(row, {{0, 0}, {280, 110}});
  REQUIRE(namesOf(placed) == "a b c ");
  CHECK(placed[0].box == render::Rect{{5, 5}, {55, 105}});
  CHECK(placed[1].box == render::Rect{{65, 5}, {115, 105}});
  CHECK(placed[2].box == render::Rect{{125, 5}, {275, 105}});
}

TEST_CASE("arrangement: a fixed length takes at most its largest share", "[views]") {
  Arrangement table = viewNamed("table");
  table.length = 500;
  table.mostShare = 0.4;
  const Arrangement column{.kind = Arranged::Column, .parts = {viewNamed("a"), table}};
  const auto placed = placeParts(column, {{0, 0}, {100, 1000}});
  CHECK(placed[1].box.height() == Approx(400));
  CHECK(placed[0].box.height() == Approx(600));
}

TEST_CASE("arrangement: in a small area the parts of the highest order are left out first", "[views]") {
  const Arrangement grid = gridOfViews(
      2, 0, {part("a", 0, 100, 100), part("b", 1, 100, 100), part("c", 2, 100, 100), part("d", 3, 100, 100)});
  CHECK(namesOf(placeParts(grid, {{0, 0}, {200, 200}})) == "a b c d ");
  CHECK(namesOf(placeParts(grid, {{0, 0}, {200, 150}})) == "a b ");
  CHECK(namesOf(placeParts(grid, {{0, 0}, {150, 250}})) == "a ");
  CHECK(namesOf(placeParts(grid, {{0, 0}, {10, 10}})) == "a ");  // a part of order 0 is never left out
}

TEST_CASE("arrangement: in an area of any size the parts lie inside and do not overlap", "[views]") {
  const Arrangement rows{
      .kind = Arranged::Row,
      .parts = {gridOfViews(2, 4, {viewNamed("a"), viewNamed("b"), viewNamed("c")}), part("d", 1, 120)},
      .gap = 6};
  const Arrangement all{.kind = Arranged::Column, .parts = {rows, part("e", 2, 0, 60)}, .gap = 3, .margin = 2};
  for (double width = 40; width < 900; width += 37)
    for (double height = 40; height < 600; height += 41) {
      const render::Rect area{{10, 20}, {10 + width, 20 + height}};
      const auto placed = placeParts(all, area);
      REQUIRE(placed.size() >= 3);
      for (std::size_t i = 0; i < placed.size(); ++i) {
        CHECK(area.contains(placed[i].box.min));
        CHECK(area.contains(placed[i].box.max));
        for (std::size_t k = 0; k < i; ++k)
          CHECK((placed[i].box.min.x >= placed[k].box.max.x || placed[i].box.min.y >= placed[k].box.max.y ||
                 placed[i].box.max.x <= placed[k].box.min.x || placed[i].box.max.y <= placed[k].box.min.y));
      }
    }
}

TEST_CASE("arrangement: a view as high as its content has the height for its width, and is left out without content",
          "[views]") {
  Arrangement column{.kind = Arranged::Column,
                     .parts = {asHighAsContent("words"), viewNamed("rest"), asHighAsContent("nothing")},
                     .gap = 10};
  column.parts[0].margin = 5;
  const auto heightOf = [](const std::string& name, double width) { return name == "words" ? 400 / width : 0; };
  const auto placed = placeParts(column, {{0, 0}, {50, 100}}, heightOf);
  REQUIRE(namesOf(placed) == "words rest ");
  CHECK(placed[0].box == render::Rect{{5, 5}, {45, 15}});
  CHECK(placed[1].box == render::Rect{{0, 30}, {50, 100}});
}

TEST_CASE("arrangement: a grid of squares has the row length that gives the largest squares, with room for words",
          "[views]") {
  Arrangement grid{
      .kind = Arranged::Grid, .parts = {viewNamed("a"), viewNamed("b"), viewNamed("c"), viewNamed("d")}, .perRow = 0};
  const auto inRow = [&grid](double width, double height) {
    const auto placed = placeParts(grid, {{0, 0}, {width, height}});
    return std::count_if(placed.begin(), placed.end(),
                         [&placed](const PlacedPart& part) { return part.box.min.y == placed[0].box.min.y; });
  };
  CHECK(inRow(400, 100) == 4);
  CHECK(inRow(200, 200) == 2);
  CHECK(inRow(100, 400) == 1);
  CHECK(inRow(400, 240) == 2);
  grid.words = 60;
  CHECK(inRow(400, 240) == 4);
}

TEST_CASE("arrangement: squares are centred without extra gaps, and their grid is only as high as they are",
          "[views]") {
  Arrangement grid{.kind = Arranged::Grid, .parts = {viewNamed("a"), viewNamed("b")}, .perRow = 0, .gap = 10};
  const auto wide = placeParts(grid, {{0, 0}, {410, 100}});
  CHECK(wide[0].box == render::Rect{{100, 0}, {200, 100}});
  CHECK(wide[1].box == render::Rect{{210, 0}, {310, 100}});
  grid.parts[0].leastWidth = 150;  // minimum width for its words
  CHECK(placeParts(grid, {{0, 0}, {410, 100}})[0].box == render::Rect{{50, 0}, {200, 100}});
  grid.parts[0].leastWidth = 0;
  grid.natural = true;
  grid.mostShare = 0.5;
  grid.words = 20;
  const Arrangement column{.kind = Arranged::Column, .parts = {grid, viewNamed("rest")}};
  CHECK(placeParts(column, {{0, 0}, {210, 400}})[2].box == render::Rect{{0, 120}, {210, 400}});
  CHECK(placeParts(column, {{0, 0}, {410, 200}})[2].box == render::Rect{{0, 100}, {410, 200}});
  Arrangement title = viewNamed("title");
  title.length = 30;
  grid.mostShare = 1;
  const Arrangement below{.kind = Arranged::Column, .parts = {title, grid}};
  CHECK(placeParts(below, {{0, 0}, {410, 100}})[1].box.max.y == Approx(100));
}

TEST_CASE("arrangement: a row whose parts would be too narrow becomes a column that is as high as they need",
          "[views]") {
  Arrangement first = asHighAsContent("first"), second = asHighAsContent("second");
  first.leastWidth = 100;
  second.leastWidth = 150;
  const Arrangement row{
      .kind = Arranged::Row, .parts = {first, second}, .gap = 10, .margin = 5, .natural = true, .breaks = true};
  const Arrangement page{.kind = Arranged::Column, .parts = {row, viewNamed("rest")}, .gap = 4};
  const auto heightOf = [](const std::string& name, double width) {
    return name == "first" ? 20.0 : width < 140 ? 60.0 : 30.0;
  };
  const auto wide = placeParts(page, {{0, 0}, {310, 200}}, heightOf);
  REQUIRE(namesOf(wide) == "first second rest ");
  CHECK(wide[0].box == render::Rect{{5, 5}, {150, 35}});
  CHECK(wide[1].box == render::Rect{{160, 5}, {305, 35}});
  CHECK(wide[2].box == render::Rect{{0, 44}, {310, 200}});
  const auto narrow = placeParts(page, {{0, 0}, {200, 200}}, heightOf);
  REQUIRE(namesOf(narrow) == "first second rest ");
  CHECK(narrow[0].box == render::Rect{{5, 5}, {195, 25}});
  CHECK(narrow[1].box == render::Rect{{5, 35}, {195, 65}});
  CHECK(narrow[2].box == render::Rect{{0, 74}, {200, 200}});
}

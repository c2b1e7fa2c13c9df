// SPDX-License-Identifier: Apache-2.0
// Parts of views that pages handle: cards, rows and column headers of tables, parts of pictures; handles over axes; and
// the message about views without room.
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/ui/views/board_rig.h"
#include "ui/canvas/shapes.h"
#include "ui/views/left_out.h"
#include "ui/views/table.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

CardsContent cardsOf(std::size_t count) {
  CardsContent cards;
  cards.count = count;
  cards.card = [](std::size_t index, const ViewPlace&) { return Card{.title = "card " + std::to_string(index)}; };
  cards.key = [](std::size_t index) { return "card-" + std::to_string(index); };
  return cards;
}

render::Point placeOf(const BoardRig& rig, const std::string& layer, const std::string& words) {
  for (const render::Label& label : rig.items<render::Label>(layer))
    if (label.text == words) return label.at;
  FAIL("nothing says " << words);
  return {};
}

}  // namespace

TEST_CASE("views: cards fill their box in whole rows, and the wheel scrolls to the others", "[views]") {
  BoardRig rig;
  rig.area = {{0, 0}, {600, 480}};
  rig.board.show({{{"cards", cardsOf(9)}}, viewNamed("cards")});
  rig.frame();
  REQUIRE(rig.board.inRow("cards") == 2);
  CHECK(rig.texts("test.cards").find("card 0") != std::string::npos);
  CHECK(rig.texts("test.cards").find("card 8") == std::string::npos);
  CHECK(rig.board.controls().buttons.size() == 9);
  for (const render::Polyline& line : rig.items<render::Polyline>("test.cards"))
    for (const render::Point& at : line.points)
      CHECK((std::isnan(at.y) || at.y <= 480));
  rig.frame({RigBase::move({100, 100}), Scrolled{0, -1}});
  CHECK(rig.texts("test.cards").find("card 0") == std::string::npos);
  rig.board.reveal("cards", 8);
  rig.frame();
  CHECK(rig.texts("test.cards").find("card 8") != std::string::npos);
  rig.click(placeOf(rig, "test.cards", "card 7"));
  const std::optional<ViewPress> press = rig.board.takePress();
  REQUIRE(press);
  CHECK(press->view == "cards");
  CHECK(press->index == 7);
  CHECK_FALSE(rig.board.takePress());
}

TEST_CASE("views: if all cards have room they are as large as possible", "[views]") {
  BoardRig rig;
  rig.area = {{0, 0}, {1600, 800}};
  CardsContent cards = cardsOf(8);
  cards.width = 17;
  cards.height = 12;
  rig.board.show({{{"cards", cards}}, viewNamed("cards")});
  rig.frame();
  CHECK(rig.board.inRow("cards") == 4);  // not seven in one row and one in the next
  cards.count = 80;                      // too many to fit: as many per row as possible
  rig.board.show({{{"cards", cards}}, viewNamed("cards")});
  rig.frame();
  CHECK(rig.board.inRow("cards") == 7);
}

TEST_CASE("views: in an area too low for two cards with pictures above, the pictures are beside the texts", "[views]") {
  BoardRig rig;
  CardsContent cards = cardsOf(8);
  cards.pictureFirst = true;
  cards.card = [](std::size_t index, const ViewPlace& place) {
    Card card{.title = "card " + std::to_string(index), .lines = {{{"What is seen"}}}, .wraps = true};
    card.picture = [index, &theme = place.theme](std::vector<render::Item>& items, const render::Rect& box) {
      items.emplace_back(pageFill(box, theme.accent));
      items.emplace_back(textAt(box.min, "picture " + std::to_string(index), theme.smallSize, theme.text));
    };
    return card;
  };
  const auto shown = [&](double width, double height) {
    rig.area = {{0, 0}, {width, height}};
    rig.board.show({{{"cards", cards}}, viewNamed("cards")});
    rig.frame();
  };
  shown(400, 220);
  const render::Point title = placeOf(rig, "test.cards", "card 0"), picture = placeOf(rig, "test.cards", "picture 0");
  CHECK(picture.x < title.x);
  CHECK(picture.y < title.y);
  CHECK(title.y - picture.y < 20);
  CHECK(placeOf(rig, "test.cards", "card 1").y > title.y);  // the next card is visible too
  for (const char* const words : {"card 0", "What is seen"})
    CHECK(rig.texts("test.cards").find(words) != std::string::npos);
  shown(400, 900);
  CHECK(placeOf(rig, "test.cards", "card 0").y > placeOf(rig, "test.cards", "picture 0").y + 50);
}

TEST_CASE("views: each group of cards starts a row below its heading, which stays while its cards are at the top",
          "[views]") {
  BoardRig rig;
  rig.area = {{0, 0}, {600, 620}};
  CardsContent cards = cardsOf(10);
  cards.groups = {{"Today", 3}, {"Yesterday", 7}};
  rig.board.show({{{"cards", cards}}, viewNamed("cards")});
  rig.frame();
  REQUIRE(rig.board.inRow("cards") == 2);
  const render::Point today = placeOf(rig, "test.cards", "Today"), first = placeOf(rig, "test.cards", "card 0"),
                      third = placeOf(rig, "test.cards", "card 2");
  CHECK(today.y < first.y);
  CHECK(first.x == Approx(third.x));
  rig.board.reveal("cards", 3);  // in another group, therefore in a new row
  rig.frame();
  const render::Point fourth = placeOf(rig, "test.cards", "card 3"), heading = placeOf(rig, "test.cards", "Yesterday");
  CHECK(fourth.x == Approx(first.x));
  CHECK(heading.y < fourth.y);
  CHECK(heading.y > placeOf(rig, "test.cards", "card 2").y);
  rig.board.reveal("cards", 9);
  rig.frame();
  CHECK(rig.texts("test.cards").find("Today") == std::string::npos);
  CHECK(rig.texts("test.cards").find("Yesterday") != std::string::npos);
  rig.click(placeOf(rig, "test.cards", "card 9"));
  CHECK(rig.board.takePress()->index == 9);
  for (const render::Polyline& line : rig.items<render::Polyline>("test.cards"))
    for (const render::Point& at : line.points)
      CHECK((std::isnan(at.y) || (at.y >= 0 && at.y <= 620)));
}

TEST_CASE("views: cards that react on release ignore the click that activates the window", "[views]") {
  BoardRig rig;
  CardsContent cards = cardsOf(2);
  cards.onRelease = true;
  rig.board.show({{{"cards", cards}}, viewNamed("cards")});
  rig.seconds = 5;
  rig.frame();
  const render::Point at = placeOf(rig, "test.cards", "card 1");
  rig.frame({RigBase::move(at), RigBase::press(at, true)});
  CHECK_FALSE(rig.board.takePress());
  rig.frame({RigBase::press(at, false)});
  CHECK(rig.board.takePress()->index == 1);
  rig.frame({FocusChanged{true}, RigBase::press(at, true)});
  rig.frame({RigBase::press(at, false)});
  CHECK_FALSE(rig.board.takePress());
}

TEST_CASE("views: a page is notified of clicks on rows and column headers, and of double clicks", "[views]") {
  BoardRig rig;
  TableContent table;
  table.make = [](const ViewPlace& place) {
    TableView made;
    made.columns = {{.title = "name"}, {.title = "number", .right = true}, {.title = "more than there is room for"}};
    made.rows = 100000;
    made.text = [](std::size_t row, std::size_t column) {
      return column == 1 ? std::to_string(row) : "row " + std::to_string(row);
    };
    made.fit(place.theme, place.box.width());
    return made;
  };
  table.pressed = table.headsPressed = true;
  rig.area = {{0, 0}, {200, 300}};
  rig.board.show({{{"table", table}}, viewNamed("table")});
  rig.frame();
  CHECK(rig.texts("test.table").find("more than") == std::string::npos);  // the last column has no room
  rig.click(placeOf(rig, "test.table", "row 3"));
  const std::optional<ViewPress> row = rig.board.takePress();
  REQUIRE(row);
  CHECK((row->index == 3 && !row->head && !row->twice));
  rig.click(placeOf(rig, "test.table", "row 3"));
  CHECK(rig.board.takePress()->twice);
  // If the window system counts clicks, the time between frames does not matter.
  const render::Point at = placeOf(rig, "test.table", "row 5");
  const auto click = [&](int clicks) {
    rig.frame({PointerPressed{Button::Left, true, at.x, at.y, {}, clicks}});
    rig.frame({RigBase::press(at, false)});
    return rig.board.takePress().value().twice;
  };
  CHECK_FALSE(click(1));
  rig.seconds += 3;
  CHECK(click(2));
  CHECK_FALSE(click(1));
  CHECK_FALSE(click(1));  // soon after the previous click, but not a double click
  rig.click(placeOf(rig, "test.table", "number"));
  const std::optional<ViewPress> head = rig.board.takePress();
  REQUIRE(head);
  CHECK((head->head && head->index == 1));
  rig.board.reveal("table", 99999);
  rig.frame();
  CHECK(rig.texts("test.table").find("row 99999") != std::string::npos);
}

TEST_CASE("views: a handle over axes is one undo step, Shift makes coarse steps, and Escape cancels", "[views]") {
  BoardRig rig;
  PictureContent picture;
  picture.camera = [](const ViewPlace& place) { return Camera{{{0, 0}, {10, 10}}, place.box}; };
  picture.handles = {
      {.label = "move",
       .keys = {"test.a", "test.b"},
       .at = render::Point{5, 5},
       .changes = [](render::Point to, bool coarse) {
         const double step = coarse ? 5 : 1;
         return Changes{{"test.a", std::round(to.x / step) * step}, {"test.b", std::round(to.y / step) * step}};
       }}};
  rig.area = {{0, 0}, {400, 400}};
  rig.board.show({{{"picture", picture}}, viewNamed("picture")});
  rig.frame();
  rig.drag({200, 200}, {280, 120});
  CHECK(rig.number("test.a") == 7);
  CHECK(rig.number("test.b") == 7);
  CHECK(rig.editor.history.undoSteps() == 1);
  rig.drag({100, 100}, {280, 120});  // no handle is at this point
  CHECK(rig.editor.history.undoSteps() == 1);
  rig.drag({200, 200}, {280, 120}, true);
  CHECK(rig.number("test.a") == 5);
  const std::size_t steps = rig.editor.history.undoSteps();
  rig.frame({RigBase::move({200, 200}), RigBase::press({200, 200}, true), RigBase::move({40, 40})});
  CHECK(rig.number("test.a") == 1);
  rig.frame({KeyPressed{Key::Escape, true, {}}});
  CHECK(rig.number("test.a") == 5);
  rig.frame({RigBase::press({40, 40}, false)});
  CHECK(rig.editor.history.undoSteps() == steps);
}

TEST_CASE("views: aligned charts have the same left edge, and a cursor at x shows the values of all of them",
          "[views]") {
  BoardRig rig;
  ChartContent small = chartOf({1, 2, 3}), large = chartOf({1e6, 2e6, 3e6});
  small.aligned = large.aligned = true;
  rig.board.show({{{"small", small}, {"large", large}}, gridOfViews(1, 8, {viewNamed("small"), viewNamed("large")})});
  rig.frame();
  const auto left = [&rig](const char* name) {
    const render::Rect box = *rig.board.boxOf(name);
    double x = box.min.x;
    while (x < box.max.x && !rig.board.xUnder(render::Point{x, (box.min.y + box.max.y) / 2}))
      x += 0.5;
    return x;
  };
  CHECK(left("small") < 200);
  CHECK(left("small") == left("large"));
  CHECK(*rig.board.xUnder(render::Point{left("small"), 160}) == Approx(0).margin(0.05));
  CHECK(rig.board.cursorsAt(1).size() >= 4);
}

TEST_CASE("views: a line at the lower edge names the views without room", "[views]") {
  BoardRig rig;
  rig.area = {{0, 0}, {400, 200}};
  Arrangement first = viewNamed("first"), second = viewNamed("second");
  second.leastHeight = 150;
  second.order = 1;
  second.called = "the second chart";
  rig.board.show({{{"first", chartOf({1, 2})}, {"second", chartOf({1, 2})}},
                  {.kind = Arrangement::Kind::Column, .parts = {first, second}}});
  rig.frame();
  CHECK(rig.layer("test.second") == nullptr);
  CHECK(rig.texts("test.missing").find("In a larger pane: the second chart.") != std::string::npos);
  rig.area = {{0, 0}, {400, 400}};
  rig.frame();
  CHECK(rig.layer("test.second") != nullptr);
  CHECK(rig.layer("test.missing") == nullptr);
}

TEST_CASE("views: views without room are named once by their titles, and the line is left out over a low chart",
          "[views]") {
  BoardRig rig;
  rig.area = {{0, 0}, {400, 200}};
  Arrangement first = viewNamed("first"), rest{.kind = Arrangement::Kind::Column};
  rest.parts = {viewNamed("second"), viewNamed("third"), viewNamed("words"), leftOut("the table of runs")};
  rest.leastHeight = 150;
  rest.order = 1;
  ChartContent titled = chartOf({1, 2});
  titled.chart.title = "Energy over time: the theory's is constant";
  rig.board.show({{{"first", chartOf({1, 2})},
                   {"second", titled},
                   {"third", titled},
                   {"fourth", chartOf({3, 4})},
                   {"words", TextContent{.lines = {{{"nobody misses it"}}}}}},
                  {.kind = Arrangement::Kind::Column, .parts = {first, viewNamed("fourth"), rest}}});
  rig.frame();
  CHECK(rig.layer("test.second") == nullptr);
  const std::string texts = rig.texts("test.missing");
  CHECK(texts.find("In a larger pane: Energy over time, the table of runs.") != std::string::npos);
  rig.area = {{0, 0}, {400, 150}};  // the line would cover the numbers of a chart
  rig.frame();
  CHECK(rig.layer("test.fourth") != nullptr);
  CHECK(rig.layer("test.missing") == nullptr);
}

TEST_CASE("views: an axis may have words as ticks, and a page is notified of a click on a point", "[views]") {
  BoardRig rig;
  rig.area = {{0, 0}, {500, 300}};
  ChartContent chart = chartOf({1, 2, 3});
  chart.chart.x.words = {"rope", "learned",
                         "a word that is longer than there is room for in a chart as narrow as this"};
  chart.target = [](render::Point at, const ChartHit& hit) {
    return at.y > 0 ? std::optional(10 + hit.point) : std::nullopt;
  };
  rig.board.show({{{"chart", chart}}, viewNamed("chart")});
  rig.frame();
  const std::string said = rig.texts("test.chart");
  CHECK(said.find("rope\nlearned\na word") != std::string::npos);
  CHECK(said.find("as narrow") == std::string::npos);
  // The words are at 0, 1, 2; the axis extends by half a step at both ends.
  const render::Point rope = placeOf(rig, "test.chart", "rope"), learned = placeOf(rig, "test.chart", "learned");
  const auto middle = *rig.board.xUnder(render::Point{(rope.x + learned.x) / 2, 100});
  CHECK(middle == Approx(0.5).margin(0.01));
  bool pressed = false;
  for (double y = 20; y < 280 && !pressed; y += 4) {
    rig.click({learned.x, y});
    if (const std::optional<ViewPress> press = rig.board.takePress()) pressed = press->index == 11;
  }
  CHECK(pressed);
}

// SPDX-License-Identifier: Apache-2.0
// A board of views: a view is redrawn only after a change of its inputs, a click sets the values that its view gives,
// and the exported numbers are those of the views.
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/ui/views/board_rig.h"
#include "ui/canvas/shapes.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("views: a view is redrawn when its content, its place or the theme changes, and only then", "[views]") {
  BoardRig rig;
  const auto values = std::make_shared<const std::vector<float>>(6, 0.5f);
  const auto show = [&](std::vector<double> y) {
    rig.board.show({{{"curve", chartOf(std::move(y))}, {"matrix", matrixOf(values, 2, 3)}},
                    gridOfViews(2, 8, {viewNamed("curve"), viewNamed("matrix")})});
    rig.frame();
    return std::pair{rig.revisionOf("test.curve"), rig.revisionOf("test.matrix")};
  };
  const auto first = show({1, std::nan(""), 3});
  CHECK(show({1, std::nan(""), 3}) == first);  // also with a gap in the line
  const auto second = show({1, 2, 3});
  CHECK(second.first != first.first);
  CHECK(second.second == first.second);
  rig.area.max.x += 10;
  const auto wider = show({1, 2, 3});
  CHECK(wider.first != second.first);
  CHECK(wider.second != second.second);
  rig.theme = "light";
  CHECK(show({1, 2, 3}).second != wider.second);
}

TEST_CASE("views: a scene takes the layers and returns them, and a view redrawn meanwhile keeps its new layer",
          "[views]") {
  BoardRig rig;
  const auto picture = [](std::uint64_t of, bool still) {
    PictureContent content;
    content.of = of;
    content.draw = [of](const ViewPlace& place) {
      return std::vector<render::Item>(of, textAt(place.box.min, "here", 12, place.theme.text));
    };
    content.hold = [](const ViewPlace&, render::Point) { return std::nullopt; };
    content.still = still;
    return content;
  };
  const auto show = [&](std::uint64_t of) {
    Views views{.arrangement = {.kind = Arrangement::Kind::Stack}};
    views.addAt(rig.area, {"wide", picture(of, true)});
    views.addAt({{10, 10}, {20, 20}}, {"small", picture(2, false)});
    rig.board.show(std::move(views));
  };
  show(1);
  rig.frame();
  const std::uint64_t wide = rig.revisionOf("test.wide"), small = rig.revisionOf("test.small");
  CHECK(rig.layer("test.wide")->still);
  CHECK_FALSE(rig.layer("test.small")->still);
  rig.frame();
  CHECK(rig.revisionOf("test.wide") == wide);
  CHECK(rig.layer("test.wide")->items.size() == 1);
  show(3);  // while the scene has the layers
  rig.board.place(rig.here());
  rig.frame();
  CHECK(rig.revisionOf("test.wide") != wide);
  CHECK(rig.layer("test.wide")->items.size() == 3);
  CHECK(rig.revisionOf("test.small") == small);
  CHECK(rig.layer("test.small")->items.size() == 2);
  CHECK(rig.board.viewAt({15, 15}) == "small");
  CHECK(rig.board.viewAt({25, 25}) == "wide");
}

TEST_CASE("views: a click sets all fields of its view in one undo step", "[views]") {
  BoardRig rig;
  MatrixContent content = matrixOf(std::make_shared<const std::vector<float>>(6, 0.5f), 2, 3);
  content.longest = 0;
  content.pick = [](MatrixCell cell) {
    return Changes{{"test.a", static_cast<double>(cell.row)}, {"test.b", static_cast<double>(cell.column)}};
  };
  rig.board.show({{{"matrix", content}}, viewNamed("matrix")});
  rig.frame();
  rig.click({0.9 * rig.area.max.x, 0.9 * rig.area.max.y});
  CHECK(std::get<double>(rig.value("test.a")) == 1);
  CHECK(std::get<double>(rig.value("test.b")) == 2);
  CHECK(rig.cursor == Cursor::Hand);
  CHECK(rig.editor.history.undoSteps() == 1);
  CHECK(rig.texts("test.tip").find("row 1, column 2 = 0.5") != std::string::npos);
}

TEST_CASE("views: if one value of a click is invalid, an error is reported and nothing is set", "[views]") {
  BoardRig rig;
  apply(rig.editor, {{"test.a", 3.0}, {"test.b", 99.0}});
  CHECK(std::get<double>(rig.value("test.a")) == 0);
  CHECK(rig.editor.history.undoSteps() == 0);
  CHECK_FALSE(rig.editor.said.empty());
}

TEST_CASE("views: a drag in a chart moves the slider, also past the ends of the axis, until the button is released",
          "[views]") {
  BoardRig rig;
  ChartContent content = chartOf({1, 2, 3, 4, 5});
  content.chart.x.from = 0;
  content.chart.x.to = 4;
  std::vector<double> slid;
  content.slide = [&slid](Editor&, double x, double) { slid.push_back(x); };
  rig.board.show({{{"curve", content}}, viewNamed("curve")});
  rig.frame();
  const double middle = rig.area.max.y / 2;
  rig.drag({rig.area.max.x / 2, middle}, {rig.area.max.x + 200, middle});
  REQUIRE(slid.size() > 3);
  CHECK(slid.back() == Approx(4));
  const std::size_t count = slid.size();
  rig.frame({RigBase::move({rig.area.max.x / 2, middle})});
  CHECK(slid.size() == count);
}

TEST_CASE("views: a long table scrolls with the wheel, and a click selects the row under the pointer", "[views]") {
  BoardRig rig;
  TableContent content;
  content.columns = {{"name"}};
  for (int i = 0; i < 200; ++i)
    content.cells.push_back({"row " + std::to_string(i)});
  content.pick = [](std::size_t row) { return Changes{{"test.a", static_cast<double>(row % 10)}}; };
  rig.board.show({{{"table", content}}, viewNamed("table")});
  rig.frame();
  CHECK(rig.texts("test.table").find("row 0\n") != std::string::npos);
  rig.frame({RigBase::move({100, 300})});
  for (int i = 0; i < 200; ++i)
    rig.frame({Scrolled{0, -1, {}}});
  CHECK(rig.texts("test.table").find("row 199\n") != std::string::npos);
  CHECK(rig.texts("test.table").find("row 0\n") == std::string::npos);
  for (const render::Label& label : rig.items<render::Label>("test.table"))
    if (label.text == "row 197") rig.click({label.at.x + 2, label.at.y});
  CHECK(std::get<double>(rig.value("test.a")) == 7);
}

TEST_CASE("views: matrix entries and the numbers of views are exported, also of views without room", "[views]") {
  BoardRig rig;
  View curve{"curve", chartOf({1, 2})};
  curve.numbers = [] { return Numbers{{{"curve", {{"y", "", std::vector<double>{1, 2}}}}}, {}}; };
  rig.board.show(
      {{curve, {"matrix", matrixOf(std::make_shared<const std::vector<float>>(6, 0.5f), 2, 3)}}, viewNamed("matrix")});
  rig.frame();
  const Numbers numbers = rig.board.numbers();
  REQUIRE(numbers.tables.size() == 1);
  REQUIRE(numbers.grids.size() == 1);
  CHECK(numbers.grids[0].name == "matrix");
  CHECK(numbers.grids[0].shape == std::vector<std::size_t>{2, 3});
  CHECK(rig.layer("test.curve") == nullptr);
}

TEST_CASE("views: the readable values of a chart, a matrix and a table have the places where they are drawn",
          "[views]") {
  BoardRig rig;
  TableContent table;
  table.columns = {{"name"}, {"mean"}};
  for (int i = 0; i < 200; ++i)
    table.cells.push_back({"row " + std::to_string(i), std::to_string(i)});
  const Arrangement row{.kind = Arrangement::Kind::Row,
                        .parts = {viewNamed("curve"), viewNamed("matrix"), viewNamed("table")}};
  ChartContent chart = chartOf({1, 2, 5});
  chart.chart.title = "Loss";
  chart.chart.series[0].name = "run";
  rig.board.show({{{"curve", chart},
                   {"matrix", matrixOf(std::make_shared<const std::vector<float>>(6, 0.5f), 2, 3)},
                   {"table", table}},
                  row});
  rig.frame();
  const std::vector<ReadableView> all = rig.board.readable();
  REQUIRE(all.size() == 3);

  CHECK(all[0].name == "test.curve");
  CHECK(all[0].label == "Loss");
  CHECK(all[0].rowName(0) == "run");
  REQUIRE(all[0].cells(0) == 3);
  CHECK(all[0].text(0, 2) == "run, x = 2, y = 5");
  const auto last = all[0].place(0, 2);
  REQUIRE(last);
  CHECK(all[0].box.contains(*last));
  CHECK(all[0].at({2, 5})->x == Approx(last->x));
  CHECK_FALSE(all[0].at({200, 5}));
  // The picture agrees: the tooltip at this point has the same value.
  rig.frame({RigBase::move(*last)});
  CHECK(rig.texts("test.tip").find("y = 5") != std::string::npos);

  CHECK(all[1].rows == 2);
  CHECK(all[1].cells(1) == 3);
  CHECK(all[1].text(1, 2) == "row 1, column 2 = 0.5000");
  rig.frame({RigBase::move(*all[1].at({2, 1}))});
  CHECK(rig.texts("test.tip").find("row 1, column 2 = 0.5") != std::string::npos);
  CHECK_FALSE(all[1].at({3, 0}));

  CHECK(all[2].text(199, 1) == "mean: 199");
  CHECK_FALSE(all[2].seen(199, 1));  // seen() does not scroll
  CHECK(all[2].seen(0, 1));
  REQUIRE(all[2].place(199, 1));  // place() scrolls the row into view
  CHECK(all[2].seen(199, 1));
  CHECK_FALSE(all[2].seen(0, 1));
  rig.frame();
  CHECK(rig.texts("test.table").find("row 199\n") != std::string::npos);
}

TEST_CASE("views: choices are arranged in rows, a click selects one, and a figure has none", "[views]") {
  BoardRig rig;
  const ChoicesContent choices{
      {{"test.c", "", {{"one", "1", true}, {"two", "2", false}}}, {"test.c", "or:", {{"three", "3", false}}}}};
  rig.board.show({{{"choices", choices}, {"text", TextContent{{{{"below"}}}}}},
                  {.kind = Arrangement::Kind::Column, .parts = {asHighAsContent("choices"), viewNamed("text")}}});
  rig.frame();
  const Strip strip = rig.board.controls();
  REQUIRE(strip.buttons.size() == 3);
  CHECK(strip.buttons[0].on);
  CHECK(strip.buttons[2].value == "three");
  for (const render::Label& label : rig.items<render::Label>("test.text"))
    CHECK(label.at.y > strip.buttons[2].box.max.y);
  const render::Rect& three = strip.buttons[2].box;
  rig.click({(three.min.x + three.max.x) / 2, (three.min.y + three.max.y) / 2});
  CHECK(rig.text("test.c") == "three");
  CHECK(rig.texts("test.tip") == "3\n");  // the tooltip emphasizes it
  rig.area.max.x = three.max.x - 5;       // too narrow for the second group beside the first
  rig.frame();
  CHECK(rig.board.controls().buttons[2].box.min.y > strip.buttons[0].box.max.y);
  PageArea figure = rig.here();
  figure.figure = true;
  rig.board.place(figure);
  CHECK(rig.board.controls().buttons.empty());
}

TEST_CASE("views: matrices in a row have headings of equal height, with two lines if one name needs them", "[views]") {
  BoardRig rig;
  const std::string longest = "a name that is much longer than the other one";
  const auto values = std::make_shared<const std::vector<float>>(4, 0.5f);
  std::vector<View> views;
  for (const std::string& name : {std::string("short"), longest}) {
    MatrixContent content = matrixOf(values, 2, 2);
    content.head = LegendEntry{name, {}};
    content.longestHead = longest;
    views.push_back({name.substr(0, 1), std::move(content)});
  }
  rig.area.max.x = 320;
  rig.board.show({views, gridOfViews(2, 8, {viewNamed("s"), viewNamed("a")})});
  rig.frame();
  const std::string head = rig.texts("test.a");
  CHECK(std::count(head.begin(), head.end(), '\n') == 2);
  const auto top = [&rig](const char* name) { return rig.items<render::Heatmap>(name).front().extent.max.y; };
  CHECK(top("test.s") == top("test.a"));
}

TEST_CASE("views: the name of a matrix that does not fit beside its swatch is broken into lines and shown completely",
          "[views]") {
  BoardRig rig;
  const auto values = std::make_shared<const std::vector<float>>(4, 0.5f);
  std::vector<View> views;
  for (const std::string name : {"standard, SGD", "standard, AdamW"}) {
    MatrixContent content = matrixOf(values, 2, 2);
    content.head = LegendEntry{name, {}};
    content.longestHead = "standard, AdamW";
    views.push_back({name.substr(10, 1), std::move(content)});
  }
  const double box = textWidth("standard,", findTheme(rig.theme)->smallSize) + 8, gap = 8;
  rig.area.max.x = rig.area.min.x + 2 * box + gap;
  rig.board.show({views, gridOfViews(2, gap, {viewNamed("S"), viewNamed("A")})});
  rig.frame();
  CHECK(rig.texts("test.S").find("standard,\nSGD") != std::string::npos);
  CHECK(rig.texts("test.A").find("standard,\nAdamW") != std::string::npos);
  const auto top = [&rig](const char* name) { return rig.items<render::Heatmap>(name).front().extent.max.y; };
  CHECK(top("test.S") == top("test.A"));
}

TEST_CASE("views: a drag is one undo step and gets the value at which it began", "[views]") {
  BoardRig rig;
  ChartContent content = chartOf({1, 2, 3, 4, 5});
  std::vector<double> began;
  content.slide = [&began](Editor& editor, double x, double from) {
    began.push_back(from);
    if (const auto done = editor.set("test.a", std::round(x), "test.drag"); !done) editor.say(done.error().message);
  };
  rig.board.show({{{"curve", content}}, viewNamed("curve")});
  rig.frame();
  const double middle = rig.area.max.y / 2, width = rig.area.max.x;
  for (const double end : {0.6, 0.9})
    rig.drag({0.3 * width, middle}, {end * width, middle});
  CHECK(rig.editor.history.undoSteps() == 2);
  REQUIRE(began.size() > 3);
  CHECK(began.back() == began.front());
  CHECK(std::get<double>(rig.value("test.a")) > began.front());
}

TEST_CASE("views: a chart shows the page's tooltip for a place, and a click there sets its values", "[views]") {
  BoardRig rig;
  ChartContent content = chartOf({1, 2, 3});
  int drawn = 0;
  content.spot = [](render::Point at, const ChartHit*) -> std::optional<ChartSpot> {
    if (at.x < 1) return std::nullopt;
    return ChartSpot{{"beyond 1"}, render::Point{1, 2}, {{"test.a", 4.0}}};
  };
  content.over = {1, [&drawn](const PlacedChart&, const ViewPlace&) {
                    ++drawn;
                    return std::vector<render::Item>();
                  }};
  rig.board.show({{{"curve", content}}, viewNamed("curve")});
  rig.frame();
  CHECK(drawn == 1);
  rig.click({0.9 * rig.area.max.x, rig.area.max.y / 2});
  CHECK(rig.texts("test.tip").find("beyond 1") != std::string::npos);
  CHECK(std::get<double>(rig.value("test.a")) == 4);
  rig.frame({RigBase::move({0.2 * rig.area.max.x, rig.area.max.y / 2})});
  CHECK(rig.layer("test.tip") == nullptr);
  CHECK(drawn == 1);
  content.over->of = 2;
  rig.board.show({{{"curve", content}}, viewNamed("curve")});
  rig.frame();
  CHECK(drawn == 2);
}

TEST_CASE("views: a drag in a picture of the page is one undo step", "[views]") {
  BoardRig rig;
  PictureContent content;
  content.draw = [](const ViewPlace& place) {
    return std::vector<render::Item>{pageFill(place.box, place.theme.accent)};
  };
  content.hold = [](const ViewPlace& place, render::Point from) -> std::optional<PictureGrip> {
    if (from.x > place.box.max.x / 2) return std::nullopt;
    return PictureGrip{[width = place.box.width()](Editor& editor, render::Point at, bool) {
      const Result<void> done = editor.set("test.a", std::clamp(std::round(10 * at.x / width), 0.0, 10.0), "test.drag");
      if (!done) editor.say(done.error().message);
    }};
  };
  rig.board.show({{{"own", content}}, viewNamed("own")});
  rig.frame();
  CHECK(rig.items<render::Fill>("test.own").size() == 1);
  rig.drag({0.1 * rig.area.max.x, 100}, {2 * rig.area.max.x, 100});
  CHECK(std::get<double>(rig.value("test.a")) == 10);
  CHECK(rig.editor.history.undoSteps() == 1);
  rig.drag({0.9 * rig.area.max.x, 100}, {0.5 * rig.area.max.x, 100});
  CHECK(rig.editor.history.undoSteps() == 1);
}

TEST_CASE("views: the picture gets the place where a drag ends, even with another picture below it", "[views]") {
  BoardRig rig;
  std::vector<render::Point> dropped;
  PictureContent content;
  content.hold = [&dropped](const ViewPlace&, render::Point) {
    return std::optional(PictureGrip{.drag = [](Editor&, render::Point, bool) {},
                                     .drop = [&dropped](ExhibitContext&, render::Point at) { dropped.push_back(at); }});
  };
  rig.board.show({{{"below", PictureContent()}, {"above", content}},
                  {.kind = Arrangement::Kind::Stack, .parts = {viewNamed("below"), viewNamed("above")}}});
  rig.frame();
  CHECK(rig.board.boxOf("below") == rig.area);
  CHECK(rig.board.boxOf("above") == rig.area);
  CHECK_FALSE(rig.board.boxOf("none"));
  rig.drag({100, 100}, {200, 50});
  REQUIRE(dropped.size() == 1);
  CHECK(dropped[0].x == 200);
  CHECK(dropped[0].y == 50);
  rig.frame({RigBase::press({100, 100}, true)});
  rig.frame({FocusChanged{false}});
  rig.frame({RigBase::press({100, 100}, false)});
  CHECK(dropped.size() == 1);  // losing the focus cancelled the drag
}

TEST_CASE("views: a picture handles the wheel and double clicks, and Escape cancels a drag", "[views]") {
  BoardRig rig;
  int wheel = 0, twice = 0;
  PictureContent content;
  content.boxed = true;
  content.draw = [](const ViewPlace& place) {
    return std::vector<render::Item>{pageFill(place.box, place.theme.accent)};
  };
  content.hold = [](const ViewPlace&, render::Point) {
    PictureGrip grip;
    grip.still = 5;
    grip.drag = [](Editor& editor, render::Point at, bool shift) {
      editor.commit(editor.document().with("test.a", shift ? 1.0 : std::round(at.x / 100)), "a", "test.drag");
    };
    grip.over = [] { return std::vector<render::Item>{textAt({10, 10}, "held", 12, {})}; };
    grip.takeBack = [](Editor& editor, const Document& before) { editor.commit(before, "a", "test.drag"); };
    return std::optional(grip);
  };
  content.wheel = [&wheel](Editor&, const ViewPlace&, render::Point, double notches) { wheel += notches > 0 ? 1 : -1; };
  content.twice = [&twice](Editor&, const ViewPlace&, render::Point) { return ++twice > 0; };
  rig.board.show({{{"own", content}, {"above", PictureContent()}},
                  {.kind = Arrangement::Kind::Stack, .parts = {viewNamed("own"), viewNamed("above")}}});
  rig.frame({RigBase::move({300, 100}), Scrolled{0, 1, {}}});
  CHECK(wheel == 1);  // a picture without handlers lets the pointer through
  REQUIRE(rig.layer("test.own"));
  CHECK(rig.layer("test.own")->within == rig.area);
  rig.frame({RigBase::press({300, 100}, true)});
  rig.frame({RigBase::move({303, 100})});
  CHECK(std::get<double>(rig.value("test.a")) == 0);  // the drag has not begun
  rig.frame({RigBase::move({400, 100})});
  CHECK(std::get<double>(rig.value("test.a")) == 4);
  CHECK(rig.texts("test.tip") == "held\n");
  rig.frame({RigBase::move({700, 100}, true)});
  CHECK(std::get<double>(rig.value("test.a")) == 1);
  rig.frame({KeyPressed{Key::Escape, true, {}}});
  CHECK(std::get<double>(rig.value("test.a")) == 0);
  CHECK(rig.texts("test.tip").empty());
  rig.frame({RigBase::press({700, 100}, false)});
  rig.seconds += 1;
  rig.click({200, 200});
  CHECK(twice == 0);
  rig.click({200, 200});
  CHECK(twice == 1);
  rig.click({200, 200});
  CHECK(twice == 1);
}

TEST_CASE("views: a table keeps its scroll position while its number of rows stays the same, and a long text scrolls",
          "[views]") {
  BoardRig rig;
  TableContent table;
  table.columns = {{"name", 1, false, 20}};
  TableBars bars{0, {}, true, {1, 0, 0, 1}, {0, 0, 1, 1}};
  for (int i = 0; i < 200; ++i) {
    table.cells.push_back({"row " + std::to_string(i)});
    bars.lengths.push_back(i % 2 == 0 ? 0.5 : -0.5);
  }
  table.bars = {bars};
  TextContent text{.lines = {}, .scrolls = true};
  for (int i = 0; i < 100; ++i)
    text.lines.push_back({{"line " + std::to_string(i)}});
  const auto show = [&] {
    rig.board.show({{{"table", table}, {"text", text}}, gridOfViews(2, 8, {viewNamed("table"), viewNamed("text")})});
    rig.frame();
  };
  show();
  std::size_t red = 0, blue = 0;
  for (const render::Fill& fill : rig.items<render::Fill>("test.table"))
    red += fill.color.r == 1 && fill.color.b == 0, blue += fill.color.b == 1 && fill.color.r == 0;
  CHECK(red > 3);
  CHECK(blue > 3);
  for (const double x : {0.2, 0.8}) {
    rig.frame({RigBase::move({x * rig.area.max.x, 100})});
    for (int i = 0; i < 200; ++i)
      rig.frame({Scrolled{0, -1, {}}});
  }
  CHECK(rig.texts("test.text").find("line 99") != std::string::npos);
  CHECK(rig.texts("test.text").find("line 0\n") == std::string::npos);
  table.chosen = 199;
  show();
  CHECK(rig.texts("test.table").find("row 199\n") != std::string::npos);
  table.cells.pop_back();
  table.bars[0].lengths.pop_back();
  show();
  CHECK(rig.texts("test.table").find("row 0\n") != std::string::npos);
}

TEST_CASE("views: tables with the same scroll name scroll together, and a click sets the values of the cell",
          "[views]") {
  BoardRig rig;
  TableContent content;
  content.columns = {{"name"}, {"word"}, {""}};
  for (int i = 0; i < 200; ++i)
    content.cells.push_back({"row " + std::to_string(i), "a word", "50 %"});
  content.scrollsWith = "rows";
  content.bars.push_back({.column = 1, .lengths = std::vector<double>(200, 0.5), .behind = 2, .framed = {}});
  content.pickCell = [](std::size_t row, std::size_t column) {
    return Changes{{"test.a", static_cast<double>(row % 10)}, {"test.b", static_cast<double>(column)}};
  };
  rig.board.show({{{"left", content}, {"right", content}}, gridOfViews(2, 8, {viewNamed("left"), viewNamed("right")})});
  rig.frame();
  const auto bars = rig.items<render::Fill>("test.left").size();
  CHECK(bars >= 20);
  rig.frame({RigBase::move({100, 300})});
  rig.frame({Scrolled{0, -1, {}}});
  CHECK(rig.texts("test.left").find("row 0\n") == std::string::npos);
  CHECK(rig.texts("test.right") == rig.texts("test.left"));
  for (const render::Label& label : rig.items<render::Label>("test.right"))
    if (label.text == "50 %") rig.click({label.at.x + 2, label.at.y});
  CHECK(std::get<double>(rig.value("test.b")) == 2);
  CHECK(rig.editor.history.undoSteps() > 0);
}

// SPDX-License-Identifier: Apache-2.0
// A board of views: pictures that depend on nothing that changed are kept, a click sets what its view says, and the
// numbers are those of what is shown.
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/ui/exhibit/exhibit_rig.h"
#include "ui/properties/declarations.h"
#include "ui/views/board.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

ChartContent chartOf(std::vector<double> y) {
  ChartContent content;
  content.chart.x = {.name = "x"};
  content.chart.y = {.name = "y"};
  ChartSeries& series = content.chart.series.emplace_back();
  for (std::size_t i = 0; i < y.size(); ++i)
    series.x.push_back(static_cast<double>(i));
  series.y = std::move(y);
  return content;
}

MatrixContent matrixOf(std::shared_ptr<const std::vector<float>> values, int rows, int columns) {
  MatrixContent content;
  content.rows = rows;
  content.columns = columns;
  content.values = std::move(values);
  return content;
}

/// A board beside an editor with two numbers, "a" and "b" from 0 to 10, and a choice "c" of "one", "two" and "three".
class BoardRig : public RigBase {
 public:
  BoardRig() {
    declareParameters(editor.registry, {.prefix = "test."},
                      {{.key = "a", .label = "A", .kind = Kind::Integer, .min = 0, .max = 10, .fallback = 0.0},
                       {.key = "b", .label = "B", .kind = Kind::Integer, .min = 0, .max = 10, .fallback = 0.0},
                       {.key = "c", .label = "C", .options = {{"one", "One"}, {"two", "Two"}, {"three", "Three"}}}});
  }
  const render::Scene& frame(std::vector<InputEvent> events = {}) override {
    ExhibitContext now = context();
    for (const InputEvent& event : events) {
      if (const auto* move = std::get_if<PointerMoved>(&event)) pointer = render::Point{move->x, move->y};
      PageArea at = here();
      board.place(at);
      cursor = board.input(at, now, event);
    }
    board.place(here());
    drawn.layers.clear();
    board.scene(here(), drawn.layers);
    scene = &drawn;
    return drawn;
  }
  bool complete() const override { return true; }
  PageArea here() const { return {*findTheme(theme), area, pointer}; }
  std::uint64_t revisionOf(const std::string& name) const {
    const render::Layer* const found = layer(name);
    return found ? found->revision : 0;
  }

  ViewBoard board{"test."};
  render::Scene drawn;
  std::optional<render::Point> pointer;
};

}  // namespace

TEST_CASE("views: a picture is made anew when its content, its place or the theme changes, and only then", "[views]") {
  BoardRig rig;
  const auto values = std::make_shared<const std::vector<float>>(6, 0.5f);
  const auto show = [&](std::vector<double> y) {
    rig.board.show({{{"curve", chartOf(std::move(y))}, {"matrix", matrixOf(values, 2, 3)}},
                    gridOfViews(2, 8, {viewNamed("curve"), viewNamed("matrix")})});
    rig.frame();
    return std::pair{rig.revisionOf("test.curve"), rig.revisionOf("test.matrix")};
  };
  const auto first = show({1, std::nan(""), 3});
  CHECK(show({1, std::nan(""), 3}) == first);  // also with a gap
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

TEST_CASE("views: a click sets all fields of its view as one undo step", "[views]") {
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

TEST_CASE("views: what a click may not set is said, and nothing is set", "[views]") {
  BoardRig rig;
  apply(rig.editor, {{"test.a", 3.0}, {"test.b", 99.0}});
  CHECK(std::get<double>(rig.value("test.a")) == 0);
  CHECK(rig.editor.history.undoSteps() == 0);
  CHECK_FALSE(rig.editor.said.empty());
}

TEST_CASE("views: a drag in a chart slides, also beyond its ends, until the button is released", "[views]") {
  BoardRig rig;
  ChartContent content = chartOf({1, 2, 3, 4, 5});
  content.chart.x.from = 0;
  content.chart.x.to = 4;
  std::vector<double> slid;
  content.slide = [&slid](Editor&, double x) { slid.push_back(x); };
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

TEST_CASE("views: a long table scrolls with the wheel, and a row that is clicked is the one that is seen", "[views]") {
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

TEST_CASE("views: what is exported are the entries of matrices and what a view says, also of one without room",
          "[views]") {
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

TEST_CASE("views: choices stand in rows below each other, a click sets one, and a figure has none", "[views]") {
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
  CHECK(rig.texts("test.tip") == "3\n");  // it stands out
  rig.area.max.x = three.max.x - 5;       // the second group has no room beside the first
  rig.frame();
  CHECK(rig.board.controls().buttons[2].box.min.y > strip.buttons[0].box.max.y);
  PageArea figure = rig.here();
  figure.figure = true;
  rig.board.place(figure);
  CHECK(rig.board.controls().buttons.empty());
}

TEST_CASE("views: pictures beside each other have heads of one height, of two lines where a name needs them",
          "[views]") {
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

// SPDX-License-Identifier: Apache-2.0
// The user zooms a chart with the wheel or by a drag around a part of it, makes an axis logarithmic by a click, and
// reads the values of all lines at one x.
#include <catch2/catch.hpp>

#include "tests/ui/views/board_rig.h"
#include "ui/canvas/page_draw.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

class ZoomRig : public BoardRig {
 public:
  explicit ZoomRig(ChartContent content) { show(std::move(content)); }
  void show(ChartContent content) {
    board.show({{{"curve", std::move(content)}}, viewNamed("curve")});
    frame();
  }
  /// The place of a value of the first chart; nothing if it is not visible.
  std::optional<render::Point> place(double x, double y) { return board.readable().front().at({x, y}); }
  render::Point seen(double x, double y) {
    const auto at = place(x, y);
    REQUIRE(at);
    return *at;
  }
  void wheel(render::Point at, double notches) { frame({move(at), Scrolled{0, notches}}); }
  void click(render::Point at) {
    seconds += 1;
    frame({move(at)});
    frame({press(at, true)});
    frame({press(at, false)});
  }
  void twice(render::Point at) {
    click(at);
    frame({press(at, true)});
    frame({press(at, false)});
  }
  /// A drag with the right button.
  void dragAround(render::Point from, render::Point to) {
    const auto button = [](render::Point at, bool down) { return PointerPressed{Button::Right, down, at.x, at.y}; };
    frame({move(from), button(from, true)});
    frame({move({(from.x + to.x) / 2, (from.y + to.y) / 2}), move(to)});
    frame({button(to, false)});
  }
  bool says(const std::string& text) const {
    for (const render::Layer& layer : drawn.layers)
      for (const render::Item& item : layer.items)
        if (const auto* label = std::get_if<render::Label>(&item); label && label->text.find(text) != std::string::npos)
          return true;
    return false;
  }
};

ChartContent line() {
  return chartOf({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
}

}  // namespace

TEST_CASE("views: the wheel zooms a chart around the pointer and back to the whole chart", "[views]") {
  ZoomRig rig(line());
  const render::Point before = rig.seen(3, 3);
  rig.wheel(before, 5);
  const render::Point after = rig.seen(3, 3);
  CHECK(after.x == Approx(before.x).margin(1));
  CHECK(after.y == Approx(before.y).margin(1));
  CHECK_FALSE(rig.place(10, 10));
  CHECK(rig.says("double-click"));
  rig.wheel(before, -40);
  CHECK(rig.place(10, 10));
  CHECK_FALSE(rig.says("double-click"));
  rig.wheel(before, -3);  // zooming out stops at the whole chart
  CHECK(rig.place(0, 0));
  CHECK(rig.editor.history.undoSteps() == 0);
}

TEST_CASE("views: over the numbers of an axis the wheel zooms along that axis only", "[views]") {
  ZoomRig rig(line());
  const render::Point low = rig.seen(0, 0);
  const double height = rig.seen(5, 0).y - rig.seen(5, 10).y;
  rig.wheel({rig.seen(5, 5).x, low.y + 6}, 5);
  CHECK_FALSE(rig.place(0, 5));
  CHECK(rig.seen(5, 0).y - rig.seen(5, 10).y == Approx(height).margin(1));
}

TEST_CASE("views: a drag with the right button zooms to the rectangle, and a double click shows the whole chart",
          "[views]") {
  ZoomRig rig(line());
  rig.dragAround(rig.seen(2, 6), rig.seen(6, 2));
  CHECK(rig.place(4, 4));
  CHECK_FALSE(rig.place(1.5, 4));
  CHECK_FALSE(rig.place(4, 7));
  const render::Point middle = rig.seen(4, 4);
  CHECK(middle.x == Approx(rig.area.max.x / 2).epsilon(0.1));
  rig.dragAround(middle, {middle.x + 3, middle.y + 3});  // a very short drag does not zoom
  CHECK(rig.seen(4, 4).x == Approx(middle.x).margin(0.5));
  rig.twice(middle);
  CHECK(rig.place(0, 0));
  CHECK(rig.place(10, 10));
}

TEST_CASE("views: the zoom stays while data are added, and is reset by data outside the visible part", "[views]") {
  ZoomRig rig(line());
  rig.wheel(rig.seen(3, 3), 6);
  REQUIRE_FALSE(rig.place(9, 9));
  ChartContent longer = line();
  longer.chart.series[0].x.push_back(11);
  longer.chart.series[0].y.push_back(11);
  rig.show(longer);
  CHECK_FALSE(rig.place(9, 9));
  CHECK(rig.place(3, 3));
  ChartContent other = line();
  for (double& x : other.chart.series[0].x)
    x += 1000;
  rig.show(other);
  CHECK(rig.place(1000, 0));
  CHECK(rig.place(1010, 10));
}

TEST_CASE("views: a click on an axis switches between logarithmic and linear, if all values are above 0", "[views]") {
  ZoomRig rig(chartOf({1, 10, 100, 1000}));
  const auto gap = [&rig](double from, double to) { return rig.seen(1, from).y - rig.seen(1, to).y; };
  const render::Point numbers{rig.seen(0, 1).x - 8, rig.seen(0, 100).y};
  CHECK(gap(1, 10) < 0.1 * gap(10, 1000));
  rig.click(numbers);
  CHECK(gap(1, 10) == Approx(gap(10, 100)).margin(0.5));
  rig.click({rig.seen(0, 1).x - 8, rig.seen(0, 100).y});
  CHECK(gap(1, 10) < 0.1 * gap(10, 1000));
  rig.show(chartOf({-1, 10, 100, 1000}));
  const double before = gap(10, 100);
  rig.click({rig.seen(0, 10).x - 8, rig.seen(0, 100).y});
  CHECK(gap(10, 100) == Approx(before).margin(0.5));
}

TEST_CASE("views: the tooltip of one of several lines has the values of all lines at that x", "[views]") {
  ChartContent content = line();
  content.chart.series[0].name = "first";
  ChartSeries second = content.chart.series[0];
  second.name = "second";
  for (double& y : second.y)
    y = 10 - y / 4;
  content.chart.series.push_back(second);
  ZoomRig rig(content);
  rig.frame({RigBase::move(rig.seen(3, 3))});
  for (const char* const text : {"x = 3", "first", "second", "9.25"})
    CHECK(rig.says(text));
  content.chart.series.pop_back();
  rig.show(content);
  rig.frame({RigBase::move(rig.seen(3, 3))});
  CHECK(rig.says("y = 3"));
  CHECK_FALSE(rig.says("second"));
}

TEST_CASE("views: an axis whose ends change by rounding stays whole while the other axis is zoomed", "[views]") {
  ChartContent content = chartOf({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  for (double& x : content.chart.series[0].x)
    x = 0.1 + 0.06 * x;
  content.chart.x.from = 0.1;
  content.chart.x.to = 0.7;  // 0.7 - (0.7 - 0.1) is less than 0.1
  ZoomRig rig(content);
  const render::Point corner = rig.seen(0.1, 0);
  rig.wheel({corner.x - 6, rig.seen(0.1, 5).y}, 5);
  CHECK_FALSE(rig.place(0.4, 10));
  CHECK(rig.place(0.1, 5));
  CHECK(rig.place(0.7, 5));
}

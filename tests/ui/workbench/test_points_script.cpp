// SPDX-License-Identifier: Apache-2.0
// Initial points by hand and by script: samples from the panel, copies, colours, the context menu.
#include <chrono>

#include <fmt/format.h>

#include "tests/ui/workbench/bench.h"

using namespace sepx;
using namespace sepx::test;

TEST_CASE("A grid, a ring and a Gaussian cloud of points are added by the buttons of the panel", "[script][points]") {
  Bench bench({1000, 900});
  bench.play(R"(add point 0.3,0.2
wait settled
click ui:flow.sampling
wait settled
set ui:flow.sampling.count 9
set flow.sampling.radius 0.6
click ui:flow.sample-grid
wait settled
expect flow.points.count == 9
expect flow.points[8].e == 0.6
click ui:flow.sample-ring
wait settled
expect flow.points.count == 9
expect flow.points[0].w == 0
undo 2
wait settled
expect flow.points.count == 1
set flow.sampling.mode add
click ui:flow.sample-gauss
wait settled
expect flow.points.count == 10
expect flow.points[9].name == J
)");
}

TEST_CASE("A point is duplicated by a key, coloured by hand and followed backwards", "[script][points]") {
  Bench bench({1000, 900});
  bench.play(R"(add point 0.5,-1.1
wait settled
key Ctrl+D
wait settled
expect flow.points.count == 2
expect flow.points[1].e == 0.66
set flow.points[1].color "#2CA02C"
expect flow.points[1].color == "#2ca02c"
set flow.points[1].color green
expect error "colour"
click ui:flow.points[1].color#none
wait settled
expect flow.points[1].color == ""
set flow.show.backward on
wait settled
expect flow.points[0].from.kind == local-max
expect flow.points[0].time99 > 1
undo 4
wait settled
expect flow.points.count == 1
)");
}

TEST_CASE("The context menu of a point duplicates, colours and deletes the point", "[points]") {
  Bench bench({1000, 700});
  bench.play("add point 0.3,0.2\nadd point -0.6,0.5\nwait settled");
  const auto openMenu = [&bench] {
    const render::PlacedScene& placed = bench.workbench().scenes().front();
    const render::Point page = render::toPage(*placed.scene, {0.3, 0.2});
    const double x = placed.origin.x + page.x, y = placed.origin.y + page.y;
    bench.frame({ui::PointerMoved{x, y, {}}});
    bench.frame({ui::PointerPressed{ui::Button::Right, true, x, y, {}}});
    bench.frame({ui::PointerPressed{ui::Button::Right, false, x, y, {}}});
    bench.frame();
    bench.frame();
  };
  openMenu();
  CHECK(bench.number("flow.selected") == 0);
  bench.play("click ui:flow.points[0].color#menu2\nwait settled");
  CHECK(bench.text("flow.points[0].color").size() == 7);
  openMenu();
  bench.play("click ui:flow.duplicate-point#menu\nwait settled\nexpect flow.points.count == 3");
  bench.play("undo\nwait settled");
  openMenu();
  bench.play("click ui:flow.points[0].color#menu0\nwait settled");
  CHECK(bench.text("flow.points[0].color").empty());
  openMenu();
  bench.play("click ui:flow.delete-point#menu\nwait settled\nexpect flow.points.count == 1");
  CHECK(bench.number("flow.points[0].e") == -0.6);
}

TEST_CASE("Time to add 2,000 and 16,000 points by a script", "[.][time]") {
  const auto seconds = [](int points) {
    Bench bench;
    std::string lines;
    for (int i = 0; i < points; ++i)
      lines += fmt::format("add point {},{}\n", 0.001 * (i % 1500), 0.0007 * (i % 1301));
    const auto begin = std::chrono::steady_clock::now();
    bench.play(lines + "expect flow.points.count == " + std::to_string(points) + "\n");
    CHECK(bench.workbench().history().undoSteps() == static_cast<std::size_t>(points));
    CHECK(bench.text("flow.points[" + std::to_string(points - 1) + "].name") ==
          std::string(1, static_cast<char>('A' + (points - 1) % 26)) + std::to_string((points - 1) / 26));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  seconds(100);
  const double some = seconds(2000), many = seconds(16'000);
  WARN(some << " s for 2,000, " << many << " s for 16,000");  // 8 times the points; quadratic time would be 64 times
}

TEST_CASE("Adding points by a script stops at the limit", "[script][points]") {
  Bench bench;
  bench.play("set flow.sampling.count 20000\nset flow.sampling.mode replace\n");
  REQUIRE(bench.workbench().run("flow.sample-gauss"));
  bench.play("wait frames 2\nadd point 0.5,0.5\nexpect error \"20000\"\nexpect flow.points.count == 20000\n");
}

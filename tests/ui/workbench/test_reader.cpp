// SPDX-License-Identifier: Apache-2.0
// Reading pictures by keyboard: Tab moves between views and arrow keys between values; scripts can name a view.
#include <algorithm>

#include "tests/ui/workbench/bench.h"

using namespace sepx;
using namespace sepx::test;

namespace {

const ui::ReadableView* named(const std::vector<ui::ReadableView>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &ui::ReadableView::name);
  return found == all.end() ? nullptr : &*found;
}

/// The text of the value that is being read; empty if there is none.
std::string wordsRead(ui::Workbench& workbench) {
  const auto reading = workbench.reading();
  if (!reading) return {};
  const auto all = workbench.readable();
  const ui::ReadableView* const view = named(all, reading->view);
  return view && view->rows > reading->row ? view->text(reading->row, reading->cell) : reading->view;
}

constexpr const char* kShowCorrelation = "set exhibit reversal\nset reversal.page correlation\nwait settled\n";

}  // namespace

TEST_CASE("Tab and arrow keys read the views of a page, and Escape ends the reading", "[reader]") {
  Bench bench({1280, 720});
  bench.play(kShowCorrelation);
  const auto all = bench.workbench().readable();
  REQUIRE(all.size() >= 3);
  CHECK_FALSE(bench.workbench().reading());
  bench.play("key Tab\n");
  REQUIRE(bench.workbench().reading());
  CHECK(bench.workbench().reading()->view == all.front().name);
  // Continue to the chart of the sums.
  for (std::size_t i = 0; i < all.size() && bench.workbench().reading()->view != "reversal.correlation.sum"; ++i)
    bench.play("key Tab\n");
  REQUIRE(bench.workbench().reading()->view == "reversal.correlation.sum");
  const std::string first = wordsRead(bench.workbench());
  bench.play("key Right\nkey Right\n");
  CHECK(bench.workbench().reading()->cell == 2);
  CHECK(wordsRead(bench.workbench()) != first);
  bench.play("key Down\n");
  CHECK(bench.workbench().reading()->row == 1);
  bench.play("key Home\nkey Left\n");
  CHECK(bench.workbench().reading()->cell == 0);
  bench.play("key Shift+Tab\n");
  CHECK(bench.workbench().reading()->view != "reversal.correlation.sum");
  bench.play("key Escape\n");
  CHECK_FALSE(bench.workbench().reading());
  // After the last view Tab continues with the fields of the panel.
  for (std::size_t i = 0; i < all.size(); ++i) {
    bench.play("key Tab\n");
    REQUIRE(bench.workbench().reading());
    CHECK(bench.workbench().reading()->view == all[i].name);
  }
  bench.play("key Tab\n");
  CHECK_FALSE(bench.workbench().reading());
}

TEST_CASE("The value that is read is shown like the value under the pointer, until the pointer moves", "[reader]") {
  Bench bench({1280, 720});
  bench.play(kShowCorrelation);
  const Picture plain = bench.picture();
  REQUIRE(bench.workbench().read({"reversal.correlation.sum", 0, 3}));
  bench.frame();
  CHECK_FALSE(bench.picture() == plain);
  bench.play("hover @2,2\nwait settled\n");
  CHECK_FALSE(bench.workbench().reading());
  CHECK(bench.picture() == plain);
  CHECK_FALSE(bench.workbench().read({"reversal.correlation.nothing", 0, 0}));
}

TEST_CASE("Reading ends when the page is left", "[reader]") {
  Bench bench({1280, 720});
  bench.play(kShowCorrelation);
  REQUIRE(bench.workbench().read({"reversal.correlation.sum", 0, 3}));
  bench.play("set reversal.page checkpoint\nwait settled\n");
  CHECK_FALSE(bench.workbench().reading());
}

TEST_CASE("A script can point at coordinates of a view", "[reader][script]") {
  Bench bench({1280, 720});
  bench.play(kShowCorrelation);
  const auto short_ = bench.workbench().toPixels("correlation.sum", {4, 0});
  const auto full = bench.workbench().toPixels("reversal.correlation.sum", {4, 0});
  REQUIRE(short_);
  REQUIRE(full);
  CHECK(short_->x == full->x);
  bench.play("hover correlation.sum 4,0\n");
  CHECK(errorOf(bench.run("hover correlation.nothing 4,0\n")).find("correlation.nothing") != std::string::npos);
  CHECK(errorOf(bench.run("hover correlation.sum 4000,0\n")).find("correlation.sum") != std::string::npos);
}

TEST_CASE("Points are read with their coordinates, and the selected point is the one that is read", "[reader][flow]") {
  Bench bench({1280, 720});
  bench.play("set flow.p 0.5\nset flow.q 0.8\nadd point 0.3,0.3\nadd point 0.6,-1.3\nwait settled\n");
  const auto all = bench.workbench().readable();
  const ui::ReadableView* const points = named(all, "flow.points");
  REQUIRE(points);
  CHECK(points->rows == 2);
  const std::string words = points->text(0, 0);
  CHECK(words.find("point 1 of 2") == 0);
  CHECK(words.find("0.3") != std::string::npos);
  REQUIRE(points->place(0, 0));
  const auto at = bench.workbench().toPixels("flow", {0.3, 0.3});
  CHECK(points->place(0, 0)->x == Approx(at->x));
  bench.play("set flow.selected 1\n");
  REQUIRE(bench.workbench().reading());
  CHECK(bench.workbench().reading()->row == 1);
}

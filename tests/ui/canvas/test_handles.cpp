// SPDX-License-Identifier: Apache-2.0
// Picking, dragging, snapping and nudging of handles; clipping of lines.
#include "ui/canvas/handles.h"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "engine/core/random.h"
#include "ui/canvas/shapes.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("The nearest handle within reach is picked", "[handles]") {
  const std::vector<Handle> handles{{0, {100, 100}}, {1, {110, 100}}, {2, {300, 300}}};
  CHECK(pick(handles, {102, 101}) == 0);
  CHECK(pick(handles, {107, 100}) == 1);
  CHECK(pick(handles, {300, 311}) == 2);
  CHECK_FALSE(pick(handles, {300, 313}).has_value());
  CHECK_FALSE(pick({}, {0, 0}).has_value());
  const std::vector<Handle> same{{4, {5, 5}}, {9, {5, 5}}};
  CHECK(pick(same, {6, 5}) == 9);  // the handle drawn on top
}

TEST_CASE("A drag keeps the offset between pointer and handle", "[handles]") {
  const HandleDrag drag({100, 100}, {104, 97});
  CHECK(drag.at({104, 97}) == render::Point{100, 100});
  CHECK(drag.at({204, 47}) == render::Point{200, 50});
  CHECK_FALSE(drag.beyond({105, 98}, 3));
  CHECK(drag.beyond({108, 97}, 3));
}

TEST_CASE("Snapping rounds to the grid and never gives a negative zero", "[handles]") {
  CHECK(snapped({0.26, -0.74}, 0.5, 0.5) == render::Point{0.5, -0.5});
  const render::Point zero = snapped({-0.01, -0.02}, 0.5, 0.5);
  CHECK_FALSE(std::signbit(zero.x));
  CHECK_FALSE(std::signbit(zero.y));
}

TEST_CASE("A nudge is a decimal step that depends on the width of the window", "[handles]") {
  CHECK(nudgeStep(4) == Approx(0.02));
  CHECK(nudgeStep(3.9) == Approx(0.01));
  CHECK(nudgeStep(1e6) == Approx(5000));
  CHECK(nudgeStep(3e-7) == Approx(1e-9));
  const render::Rect window{{-2, -1}, {2, 1}};
  CHECK(nudged(window, {0.5, 0.5}, 1, 0, 1) == render::Point{0.52, 0.5});
  CHECK(nudged(window, {0.123456789, 0.5}, 0, -1, 10) == render::Point{0.123456789, 0.4});
}

TEST_CASE("Clipped lines stay inside the box and keep every part inside it", "[shapes]") {
  const render::Rect box{{-1, -1}, {1, 1}};
  const auto across = clipLine({{-3, 0}, {3, 0}}, {0, 6}, box);
  REQUIRE(across.size() == 1);
  CHECK(across[0].points.front() == render::Point{-1, 0});
  CHECK(across[0].points.back() == render::Point{1, 0});
  CHECK(across[0].values.front() == Approx(2));
  CHECK(across[0].values.back() == Approx(4));
  const auto twice = clipLine({{0, 0}, {3, 0}, {3, 0.5}, {0, 0.5}}, {}, box);
  REQUIRE(twice.size() == 2);
  CHECK(twice[1].points.back() == render::Point{0, 0.5});
  CHECK(clipLine({{2, 2}, {3, -3}}, {}, box).empty());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(clipLine({{0, 0}, {nan, 0}, {0.5, 0.5}, {0.6, 0.5}}, {}, box).size() == 1);

  RandomStream random(3);
  std::vector<render::Point> walk{{0, 0}};
  for (int i = 0; i < 5000; ++i)
    walk.push_back({walk.back().x + random.uniform(-1, 1), walk.back().y + random.uniform(-1, 1)});
  walk.push_back({1e300, -1e300});
  for (const ClippedLine& piece : clipLine(walk, {}, box)) {
    REQUIRE(piece.points.size() >= 2);
    for (const render::Point& point : piece.points) {
      REQUIRE(std::abs(point.x) <= 1 + 1e-9);
      REQUIRE(std::abs(point.y) <= 1 + 1e-9);
    }
  }
}

TEST_CASE("A rounded box stays inside its rectangle", "[shapes]") {
  const render::Rect box{{10, 20}, {110, 60}};
  for (const double radius : {0.0, 4.0, 1000.0})
    for (const render::Point& point : roundedRect(box, radius)) {
      CHECK(point.x >= box.min.x - 1e-9);
      CHECK(point.x <= box.max.x + 1e-9);
      CHECK(point.y >= box.min.y - 1e-9);
      CHECK(point.y <= box.max.y + 1e-9);
    }
}

TEST_CASE("Dragged coordinates have few digits and stay close to the pointer", "[handles]") {
  const Camera camera{{{-2, -2}, {2, 2}}, {{0, 0}, {700, 600}}};
  CHECK(tidied(camera, {0.29999999999999, -1.2000000001}) == render::Point{0.3, -1.2});
  RandomStream random(5);
  for (int i = 0; i < 500; ++i) {
    const double span = std::pow(10.0, random.uniform(-9, 9));
    const Camera zoomedIn{{{-span, -span}, {span, span}}, {{0, 0}, {700, 600}}};
    const render::Point data{random.uniform(-span, span), random.uniform(-span, span)};
    const render::Point tidy = tidied(zoomedIn, data);
    REQUIRE(std::abs(tidy.x - data.x) <= 0.06 * span / 350);
    REQUIRE(std::abs(tidy.y - data.y) <= 0.06 * span / 300);
  }
}

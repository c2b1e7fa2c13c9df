// SPDX-License-Identifier: Apache-2.0
#include "engine/render/tessellate.h"

#include <cmath>
#include <random>

#include <catch2/catch.hpp>

#include "engine/render/font.h"
#include "tests/engine/render/sample_scene.h"

namespace sepx::render {
namespace {

const Rect kBounds{{0, 0}, {100, 50}};

Runs runsOf(const Polyline& line, double tolerance = 0.02, const PageMap& map = {}) {
  Runs runs;
  appendRuns(map, line, kBounds, tolerance, runs);
  return runs;
}

double distance(Point at, Point a, Point b) {
  const Point d{b.x - a.x, b.y - a.y};
  const double square = d.x * d.x + d.y * d.y;
  const double t = square > 0 ? std::clamp(((at.x - a.x) * d.x + (at.y - a.y) * d.y) / square, 0.0, 1.0) : 0;
  return std::hypot(at.x - a.x - t * d.x, at.y - a.y - t * d.y);
}

void requireInside(const Runs& runs, const Rect& room) {
  for (const StrokePoint& point : runs.points) {
    REQUIRE(std::isfinite(point.at.x));
    REQUIRE(std::isfinite(point.at.y));
    REQUIRE(std::isfinite(point.along));
    REQUIRE(room.contains(point.at));
  }
}

}  // namespace

TEST_CASE("Data and page coordinates are inverse to each other, with y upwards", "[tessellate]") {
  const Scene scene = test::sampleScene();
  CHECK(toPage(scene, scene.window.min).x == Approx(scene.plot.min.x));
  CHECK(toPage(scene, scene.window.min).y == Approx(scene.plot.max.y));
  CHECK(toPage(scene, scene.window.max).y == Approx(scene.plot.min.y));
  const Point at{0.123, -0.7};
  CHECK(toData(scene, toPage(scene, at)).x == Approx(at.x));
  CHECK(toData(scene, toPage(scene, at)).y == Approx(at.y));
  const Point mapped = PageMap::of(scene, Space::Data)(at);
  CHECK(mapped.x == Approx(toPage(scene, at).x));
  CHECK(mapped.y == Approx(toPage(scene, at).y));
}

TEST_CASE("A deep zoom keeps its accuracy", "[tessellate]") {
  Scene scene = test::sampleScene();
  scene.window = {{0.3, 0.2}, {0.3 + 1e-12, 0.2 + 1e-12}};
  const Point middle = PageMap::of(scene, Space::Data)({0.3 + 5e-13, 0.2 + 5e-13});
  CHECK(std::abs(middle.x - (scene.plot.min.x + scene.plot.max.x) / 2) < 0.02);
}

TEST_CASE("A NaN breaks a line, and a single point becomes a dot", "[tessellate]") {
  const Runs runs = runsOf({{{1, 1}, {9, 1}, {test::kNaN, 3}, {20, 5}, {30, INFINITY}, {40, 5}, {50, 9}}});
  REQUIRE(runs.ends.size() == 3);
  CHECK(runs.ends[0] == 2);
  CHECK(runs.ends[1] - runs.ends[0] == 1);  // a single point between two breaks
  CHECK(runs.ends[2] - runs.ends[1] == 2);
}

TEST_CASE("Lines of any length are clipped in double precision", "[tessellate]") {
  const Polyline lines[] = {
      {{{-1e6, 25}, {1e6, 25}}},
      {{{50, 25}, {1e90, 2e90}}},
      {{{-1e99, -1e99}, {1e99, 1e99}}},
      {{{-1e300, 10}, {50, 25}, {1e308, 1e308}}},
      {{{-1e6, 10}, {1e6, 10}, {1e6, 40}, {-1e6, 40}}},
  };
  for (const Polyline& line : lines)
    requireInside(runsOf(line), grown(kBounds, 4));
  const Runs level = runsOf(lines[0]);
  REQUIRE(level.points.size() == 2);
  CHECK(level.points[0].at.x < 0);
  CHECK(level.points[1].at.x > 100);
  CHECK(level.points[0].at.y == Approx(25));
  CHECK(runsOf(lines[4]).ends.size() == 2);
  CHECK(runsOf({{{-1e6, 200}, {1e6, 200}}}).points.empty());
  CHECK(runsOf({{{200, -50}, {120, 200}}}).points.empty());
}

TEST_CASE("Clipped lines agree with random segments", "[tessellate]") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-150, 250);
  for (int i = 0; i < 2000; ++i) {
    const Point a{place(random), place(random)}, b{place(random), place(random)};
    const Runs runs = runsOf({{a, b}});
    requireInside(runs, grown(kBounds, 4));
    for (const StrokePoint& point : runs.points) {
      CHECK(distance(point.at, a, b) < 1e-9);
      CHECK(point.along == Approx(std::hypot(point.at.x - a.x, point.at.y - a.y)).margin(1e-9));
    }
    bool seen = false;  // a sampled point inside the plot must be drawn
    for (int k = 0; k <= 100; ++k) {
      const Point at{a.x + (b.x - a.x) * k / 100, a.y + (b.y - a.y) * k / 100};
      if (!kBounds.contains(at)) continue;
      seen = true;
      REQUIRE(runs.points.size() == 2);
      CHECK(distance(at, runs.points[0].at, runs.points[1].at) < 1e-9);
    }
    if (seen) CHECK_FALSE(runs.points.empty());
  }
}

TEST_CASE("Simplification keeps within its tolerance and removes most points of a dense curve", "[tessellate]") {
  Polyline curve;
  for (int i = 0; i <= 20000; ++i) {
    const double t = i / 20000.0 * 6.28;
    curve.points.push_back({50 + 40 * std::cos(3 * t), 25 + 20 * std::sin(2 * t)});
  }
  for (const double tolerance : {0.02, 0.2}) {
    const Runs runs = runsOf(curve, tolerance);
    REQUIRE(runs.ends.size() == 1);
    CHECK(runs.points.size() < 500);
    CHECK(runs.points.front().at == curve.points.front());
    CHECK(runs.points.back().at == curve.points.back());
    for (const Point& point : curve.points) {
      double nearest = 1e9;
      for (std::size_t i = 1; i < runs.points.size(); ++i) {
        nearest = std::min(nearest, distance(point, runs.points[i - 1].at, runs.points[i].at));
      }
      REQUIRE(nearest < 2 * tolerance);
    }
  }
}

TEST_CASE("Simplification keeps the turning points of a line that reverses its direction", "[tessellate]") {
  const Runs runs = runsOf({{{10, 10}, {20, 10}, {30, 10}, {20, 10}, {15, 10}}});
  REQUIRE(runs.points.size() == 3);
  CHECK(runs.points[1].at == Point{30, 10});
}

TEST_CASE("Simplification keeps changes of the fade", "[tessellate]") {
  Polyline line;
  for (int i = 0; i <= 100; ++i) {
    line.points.push_back({static_cast<double>(i), 20});
    line.fade.push_back(i < 50 ? 0.0F : 1.0F);
  }
  line.fade[99] = std::nanf("");
  const Runs runs = runsOf(line);
  for (const StrokePoint& point : runs.points) {
    if (point.at.x <= 48) CHECK(point.alpha == 0);
    if (point.at.x >= 51 && point.at.x <= 97) CHECK(point.alpha == 1);
    if (point.at.x == 99) CHECK(point.alpha == 0);
  }
  CHECK(runs.points.size() >= 4);
}

TEST_CASE("Dashes are measured in page length from the start of a line, also when it is clipped", "[tessellate]") {
  const Runs runs = runsOf({{{-1000, 25}, {200, 25}}, {{}, 2, Dash::Dashed}});
  REQUIRE(runs.points.size() == 2);
  CHECK(runs.points[0].along == Approx(1000 + runs.points[0].at.x));
  const DashPattern dash = dashPattern({{}, 2, Dash::Dashed});
  CHECK(dash.on > 0);
  CHECK(dash.period > dash.on);
  CHECK(dashPattern({{}, 2, Dash::Solid}).period == 0);
  CHECK(dashPattern({{}, 2, Dash::Dotted}).on == 0);
  CHECK(dashPattern({{}, 2, Dash::Dotted}).period > 2);
}

TEST_CASE("Convex polygons are clipped to the bounds", "[tessellate]") {
  const auto box = clipConvex({}, {{-1e9, -1e9}, {1e9, -1e9}, {1e9, 1e9}, {-1e9, 1e9}}, kBounds);
  REQUIRE(box.size() == 4);
  for (const Point& at : box)
    CHECK(grown(kBounds, 1e-6).contains(at));
  CHECK(clipConvex({}, {{10, 10}, {20, 10}, {15, 20}}, kBounds).size() == 3);
  CHECK(clipConvex({}, {{-10, 10}, {20, 10}, {15, 20}}, kBounds).size() == 4);
  CHECK(clipConvex({}, {{200, 10}, {220, 10}, {215, 20}}, kBounds).empty());
  CHECK(clipConvex({}, {{10, 10}, {test::kNaN, 10}, {15, 20}}, kBounds).empty());
}

TEST_CASE("An image is cut to its visible part", "[tessellate]") {
  const auto whole = visiblePart({}, {{10, 10}, {30, 20}}, 40, 20, kBounds);
  REQUIRE(whole);
  CHECK(whole->texels == Rect{{0, 0}, {40, 20}});
  const auto huge = visiblePart({}, {{-1e9, -1e9}, {1e9, 1e9}}, 1000, 1000, kBounds);
  REQUIRE(huge);
  CHECK(huge->page == kBounds);
  CHECK(huge->texels.min.x == Approx(500));
  CHECK_FALSE(visiblePart({}, {{200, 10}, {230, 20}}, 40, 20, kBounds));
  CHECK_FALSE(visiblePart({}, {{test::kNaN, 10}, {230, 20}}, 40, 20, kBounds));
}

TEST_CASE("Labels are placed according to their alignment", "[tessellate]") {
  Label label{{50, 25}, "Theta", 12};
  const TextExtent extent = measure(label.text, 12);
  label.alignX = AlignX::Right;
  label.alignY = AlignY::Baseline;
  auto place = placeLabel({}, label);
  REQUIRE(place);
  CHECK(place->pen.x == Approx(50 - extent.width));
  CHECK(place->pen.y == 25);
  label.alignY = AlignY::Top;
  label.offset = {3, 4};
  place = placeLabel({}, label);
  CHECK(place->box.min.y == Approx(29));
  CHECK(place->box.max.x == Approx(53));
  label.offset = {};
  label.vertical = true;
  label.alignX = AlignX::Center;
  label.alignY = AlignY::Bottom;
  place = placeLabel({}, label);
  CHECK(place->box.max.x == Approx(50));
  CHECK(place->box.height() == Approx(extent.width));
  CHECK((place->box.min.y + place->box.max.y) / 2 == Approx(25));
  label.at.x = test::kNaN;
  CHECK_FALSE(placeLabel({}, label));
}

}  // namespace sepx::render

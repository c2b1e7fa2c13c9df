// SPDX-License-Identifier: Apache-2.0
#include "engine/render/painter3.h"

#include <algorithm>
#include <cmath>
#include <regex>

#include <catch2/catch.hpp>

#include "engine/core/number.h"
#include "engine/render/projection3.h"
#include "engine/render/svg_writer.h"
#include "tests/engine/render/sample_scene3.h"

namespace sepx::render {
namespace {

using test::alongX;
using test::wallAt;

const Rect kPlot{{0, 0}, {400, 300}};
const Color kRed{0.9F, 0.2F, 0.1F, 1}, kBlue{0.1F, 0.3F, 0.9F, 1};

bool inside(const Painting& painting, const Painted& area, Point at) {
  int sign = 0;
  for (std::size_t i = 0; i < area.count; ++i) {
    const Point a = painting.points[area.first + i], b = painting.points[area.first + (i + 1) % area.count];
    const double side = (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
    const int now = side > 0 ? 1 : -1;
    if (sign != 0 && now != sign) return false;
    sign = now;
  }
  return true;
}

// The colour that a painter leaves at a position. Later items cover earlier ones.
std::optional<Color> colorAtPlace(const Painting& painting, Point at) {
  std::optional<Color> found;
  for (const Painted& one : painting.items) {
    if (one.kind == Painted::Kind::Area && inside(painting, one, at)) found = one.color;
    if (one.kind != Painted::Kind::Line || one.count < 2) continue;
    for (std::size_t i = 0; i + 1 < one.count; ++i) {
      const Point a = painting.points[one.first + i], b = painting.points[one.first + i + 1];
      const double size = std::hypot(b.x - a.x, b.y - a.y);
      if (!(size > 0)) continue;
      const double t = ((at.x - a.x) * (b.x - a.x) + (at.y - a.y) * (b.y - a.y)) / size / size;
      const double off = std::abs((b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x)) / size;
      if (t >= 0 && t <= 1 && off <= one.width / 2) found = one.color;
    }
  }
  return found;
}

bool reddish(const std::optional<Color>& color) {
  return color && color->r > color->b + 0.3F;
}
bool bluish(const std::optional<Color>& color) {
  return color && color->b > color->r + 0.3F;
}

}  // namespace

TEST_CASE("A painter draws near elements over far ones in any order of the list", "[painter3]") {
  for (const bool nearFirst : {true, false}) {
    Scene3 scene = alongX(kPlot);
    scene.surfaces = {wallAt(-1, kBlue), wallAt(0.5F, kRed, 0.5F)};
    if (nearFirst) std::swap(scene.surfaces[0], scene.surfaces[1]);
    const Painting painting = paint(scene, kPlot);
    CHECK(std::is_sorted(painting.items.begin(), painting.items.end(),
                         [](const Painted& a, const Painted& b) { return a.depth > b.depth; }));
    CHECK(reddish(colorAtPlace(painting, {200, 160})));
    CHECK(bluish(colorAtPlace(painting, {200, 195})));
    CHECK_FALSE(colorAtPlace(painting, {10, 10}));
  }
}

TEST_CASE("A tube is visible in front of and on a large wall and hidden behind it", "[painter3]") {
  for (const double x : {-0.3, 0.02, 0.5}) {
    Scene3 scene = alongX(kPlot);
    scene.surfaces = {wallAt(0, kBlue)};
    Tube tube;
    tube.points = {{x, -1, 0.3}, {x, 1, -0.3}};
    tube.color = kRed;
    tube.width = 6;
    tube.lit = false;
    scene.tubes = {tube};
    const Painting painting = paint(scene, kPlot);
    for (const double y : {-0.5, -0.1, 0.4}) {
      const Point at = *toPage(scene, {x, y, -0.3 * y});
      CHECK(reddish(colorAtPlace(painting, at)) == (x > 0));
    }
  }
}

TEST_CASE("Large triangles and long lines are split, and cut by clip planes and the plot", "[painter3]") {
  Scene3 scene = alongX(kPlot);
  scene.clips = {{{0, 1, 0}, 0.25}};
  scene.surfaces = {wallAt(0, kBlue, 30)};
  Tube tube;
  tube.points = {{0.5, -50, 0}, {0.5, 50, 0}};
  tube.lit = false;
  scene.tubes = {tube};
  const Painting painting = paint(scene, kPlot);
  CHECK(painting.items.size() > 100);
  const double edge = toPage(scene, {0, 0.25, 0})->x, cut = toPage(scene, {0.5, 0.25, 0})->x;
  for (const Painted& one : painting.items) {
    for (std::size_t i = 0; i < one.count; ++i) {
      const Point a = painting.points[one.first + i], b = painting.points[one.first + (i + 1) % one.count];
      CHECK(std::hypot(b.x - a.x, b.y - a.y) < 30);
      CHECK(a.x >= std::min(edge, cut) - 0.8);
      CHECK(a.x <= kPlot.max.x + 20);
    }
  }
  CHECK(bluish(colorAtPlace(painting, {edge + 2, 200})));
  CHECK_FALSE(colorAtPlace(painting, {edge - 2, 200}));
}

TEST_CASE("A fine mesh is coarsened instead of omitted", "[painter3]") {
  const auto f = [](double x, double y) { return 0.3 * x * y; };
  const auto fine = test::graph(300, 1, f);  // 180,000 triangles
  Scene3 scene = alongX(kPlot);
  Surface surface;
  surface.mesh = fine;
  surface.color = {0.2F, 0.4F, 0.9F, 0.5F};
  scene.surfaces = {surface};
  scene.eye = test::orbit(0.4, 0.8, 3);
  const Painting painting = paint(scene, kPlot);
  const auto areas = std::count_if(painting.items.begin(), painting.items.end(),
                                   [](const Painted& one) { return one.kind == Painted::Kind::Area; });
  CHECK(areas > 30'000);
  CHECK(areas <= static_cast<std::ptrdiff_t>(kMostAreas + 100));
  CHECK(bluish(colorAtPlace(painting, *toPage(scene, {0.1, 0.1, 0.003}))));
}

TEST_CASE("Contour lines of a painter lie at their values", "[painter3]") {
  Scene3 scene = alongX(kPlot);
  scene.surfaces = {wallAt(0, kBlue)};
  scene.surfaces[0].contours = {-0.5F, 0.1F};
  scene.surfaces[0].contourColor = {1, 1, 1, 1};
  const Painting painting = paint(scene, kPlot);
  int lines = 0;
  for (const Painted& one : painting.items) {
    if (one.kind != Painted::Kind::Line || one.color.r < 1) continue;
    ++lines;
    REQUIRE(one.count == 2);
    const double x = painting.points[one.first].x;
    CHECK(painting.points[one.first + 1].x == Approx(x));
    const double left = toPage(scene, {0, -0.5, 0})->x, right = toPage(scene, {0, 0.1, 0})->x;
    CHECK(std::min(std::abs(x - left), std::abs(x - right)) < 1e-3);
  }
  CHECK(lines >= 4);
}

TEST_CASE("SVG contains the picture in depth order at the positions of toPage", "[painter3][svg]") {
  Scene3 scene = alongX(kPlot);
  scene.surfaces = {wallAt(-1, kBlue)};
  scene.markers = {{{0.5, 0.3, 0.2}, Shape::Circle, 10, kRed, kRed, 0},
                   {{-2, -0.4, 0.1}, Shape::Circle, 10, {0, 1, 0, 1}, {}, 0},
                   {{-2, 0.1, 0.1}, Shape::Circle, 10, {1, 1, 0, 1}, {}, 0, false, true}};
  scene.labels = {{{0, 0.9, 0}, "axis e", 12, {1, 1, 1, 1}}};
  const std::string svg = toSvg(test::pageWith(std::make_shared<const Scene3>(scene), kPlot.max.x, kPlot.max.y));
  const auto placeOf = [&](const char* color) {
    const std::regex circle("<circle cx=\"([-0-9.]+)\" cy=\"([-0-9.]+)\"[^>]*fill=\"" + std::string(color));
    std::smatch found;
    REQUIRE(std::regex_search(svg, found, circle));
    return std::tuple(parseNumber(found[1].str()).value(), parseNumber(found[2].str()).value(), found.position(0));
  };
  const auto [redX, redY, red] = placeOf("#e6331a");
  const auto [greenX, greenY, green] = placeOf("#00ff00");
  const auto [handleX, handleY, handle] = placeOf("#ffff00");
  CHECK(redX == Approx(toPage(scene, {0.5, 0.3, 0.2})->x).margin(0.002));
  CHECK(redY == Approx(toPage(scene, {0.5, 0.3, 0.2})->y).margin(0.002));
  CHECK(greenX == Approx(toPage(scene, {-2, -0.4, 0.1})->x).margin(0.002));
  const auto wall = static_cast<std::ptrdiff_t>(svg.find("Z\" fill="));
  CHECK(green < wall);  // behind the wall
  CHECK(wall < red);
  CHECK(red < handle);
  CHECK(svg.find("axis e") != std::string::npos);
  CHECK(svg.find("nan") == std::string::npos);
  // The document is reproducible.
  CHECK(svg == toSvg(test::pageWith(std::make_shared<const Scene3>(scene), kPlot.max.x, kPlot.max.y)));
}

TEST_CASE("A painter ignores invalid elements", "[painter3]") {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  Scene3 scene = alongX(kPlot);
  auto mesh = std::make_shared<Mesh>(*test::graph(8, 1, [](double, double) { return 0.0; }));
  mesh->positions[5] = {kNaN, 0, 0};
  mesh->positions[12] = {1e30F, 0, 0};
  mesh->values[20] = kNaN;
  mesh->triangles.insert(mesh->triangles.end(), {3, 3, 3, 100000, 1, 2, 5});
  scene.surfaces = {{mesh, {1, 0.5F, 0.2F, 0.5F}, ColorMap::Viridis, 0, 1, {0, kNaN}}, {}};
  Tube tube;
  tube.points = {{kNaN, 0, 0}, {0, 0, 0}, {1e300, 0, 0}, {0, 1, 0}};
  tube.width = kNaN;
  scene.tubes = {tube, Tube{}};
  scene.markers = {{{kNaN, 0, 0}}, {{0, 0, 1e300}}};
  const std::string svg = toSvg(test::pageWith(std::make_shared<const Scene3>(scene), 400, 300));
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
  CHECK(paint(Scene3{}, kPlot).items.empty());
  scene.plot = {{0, 0}, {0, 0}};
  CHECK(paint(scene, kPlot).items.empty());
}

}  // namespace sepx::render

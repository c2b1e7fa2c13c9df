// SPDX-License-Identifier: Apache-2.0
#include "engine/render/projection3.h"

#include <algorithm>
#include <random>

#include <catch2/catch.hpp>

#include "engine/render/tessellate.h"
#include "tests/engine/render/sample_scene3.h"

namespace sepx::render {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Scene3 seenFrom(const Eye& eye, Rect plot = {{100, 50}, {500, 350}}) {
  Scene3 scene;
  scene.plot = plot;
  scene.eye = eye;
  return scene;
}

Tube through(std::vector<Point3> points) {
  Tube tube;
  tube.points = std::move(points);
  return tube;
}

// A general affine eye: different scales of the axes, mirrored and rotated.
Eye skewed(bool perspective) {
  Eye eye = test::orbit(0.8, -0.3, 6, perspective);
  const double scales[] = {0.5, -2, 1.3};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 3; ++i)
      eye.toEye[i + 4 * k] *= scales[k];
  }
  eye.nearest = 1;
  eye.farthest = 12;
  return eye;
}

}  // namespace

TEST_CASE("A point is projected to the position computed by hand", "[projection3]") {
  // The eye looks along -x from a distance of 4, with y to the right and z up. 60 degrees are 300 points high: 259.8
  // points per unit at distance 1.
  const Scene3 scene = seenFrom(test::orbit(0, 0, 4));
  double depth = 0;
  const auto at = toPage(scene, {1, 1, 0.5}, &depth);
  REQUIRE(at);
  CHECK(depth == Approx(3));
  CHECK(at->x == Approx(300 + 150 / std::tan(M_PI / 6) / 3));
  CHECK(at->y == Approx(200 - 0.5 * 150 / std::tan(M_PI / 6) / 3));
  CHECK_FALSE(toPage(scene, {4.5, 0, 0}));  // behind the eye
  const Scene3 flat = seenFrom(test::orbit(0, 0, 4, false));
  const auto parallel = toPage(flat, {1, 1, 0.5});
  REQUIRE(parallel);
  CHECK(parallel->x == Approx(400));
  CHECK(parallel->y == Approx(150));
}

TEST_CASE("Page position, half-spaces and depth agree with toPage for any affine eye", "[projection3]") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-4, 4);
  const Rect bounds{{180, 90}, {420, 300}};
  for (const bool perspective : {true, false}) {
    const Scene3 scene = seenFrom(skewed(perspective));
    const auto projection = Projection3::of(scene);
    REQUIRE(projection);
    const auto kept = projection->frustum(bounds);
    int inside = 0;
    for (int i = 0; i < 3000; ++i) {
      const Point3 at{uniform(random), uniform(random), uniform(random)}, eye = projection->eye(at);
      double depth = 0;
      const auto page = toPage(scene, at, &depth);
      CHECK(depth == Approx(-eye.z));
      bool in = depth >= 1 && depth <= 12;
      if (page && depth > 1e-3) {
        CHECK(projection->page(eye).x == Approx(page->x));
        CHECK(projection->page(eye).y == Approx(page->y));
        in = in && bounds.contains(*page);
      }
      CHECK(std::all_of(kept.begin(), kept.end(), [&](const HalfSpace& half) { return half(at) >= 0; }) == in);
      inside += in ? 1 : 0;
    }
    CHECK(inside > 50);
    CHECK(projection->depthValue(1) == Approx(0).margin(1e-12));
    CHECK(projection->depthValue(12) == Approx(1));
    CHECK(projection->depthValue(5) < projection->depthValue(6));
  }
}

TEST_CASE("A normal remains perpendicular to its surface under different scales of the axes", "[projection3]") {
  const auto projection = Projection3::of(seenFrom(skewed(true)));
  REQUIRE(projection);
  const Point3 along{1, 2, -1}, across{0, 1, 2}, normal{5, -2, 1};  // the cross product of the first two
  const Point3 turned = projection->eyeNormal(normal), origin = projection->eye({});
  CHECK(turned.x * turned.x + turned.y * turned.y + turned.z * turned.z == Approx(1));
  for (const Point3& each : {along, across}) {
    const Point3 at = projection->eye(each);
    CHECK(turned.x * (at.x - origin.x) + turned.y * (at.y - origin.y) + turned.z * (at.z - origin.z) ==
          Approx(0).margin(1e-12));
  }
  CHECK(projection->eyeNormal({}) == Point3{});
}

TEST_CASE("A line is cut at the half-spaces and broken at invalid points", "[projection3]") {
  Scene3 scene = seenFrom(test::orbit(0, 0, 4));
  scene.clips = {{{0, 1, 0}, 0.25}, {{0, 0, 0}, 3}};  // the second plane has no direction and cuts nothing
  const auto projection = Projection3::of(scene);
  REQUIRE(projection);
  REQUIRE(clipsOf(scene).size() == 1);
  std::vector<HalfSpace> kept = clipsOf(scene);
  for (const HalfSpace& side : projection->frustum(scene.plot))
    kept.push_back(side);
  ProjectedLines projected;
  appendProjectedLine(*projection, through({{0, -1, 0}, {0, 0.5, 0}, {0, kNaN, 0}, {0, 0.3, 0}, {0, 0.4, 0}}), kept,
                      0.01, projected);
  REQUIRE(projected.ends == std::vector<std::size_t>{2, 4});
  CHECK(projected.linePoints[0].at.x == Approx(toPage(scene, {0, 0.25, 0})->x));
  CHECK(projected.linePoints[1].at.x == Approx(toPage(scene, {0, 0.5, 0})->x));
  // From in front of the eye to far behind it: only the part in front remains.
  projected.clear();
  appendProjectedLine(*projection, through({{0, 0.3, 0}, {1e9, 0.3, 0}}), kept, 0.01, projected);
  REQUIRE(projected.linePoints.size() == 2);
  for (const ProjectedPoint& bead : projected.linePoints) {
    CHECK(-bead.eye.z >= Approx(scene.eye.nearest).margin(1e-6));
    CHECK(grown(scene.plot, 1e-3).contains(bead.at));
  }
  // A single point and coordinates that overflow give no line.
  projected.clear();
  appendProjectedLine(*projection, through({{0, 0.3, 0}}), kept, 0.01, projected);
  appendProjectedLine(*projection, through({{0, 1e300, 0}, {0, 0.3, -1e300}}), kept, 0.01, projected);
  CHECK(projected.linePoints.empty());
  CHECK(projected.ends.empty());
}

TEST_CASE("A line with many points keeps only the relevant ones", "[projection3]") {
  const Scene3 scene = seenFrom(test::orbit(0.3, 0.4, 4));
  const auto projection = Projection3::of(scene);
  REQUIRE(projection);
  const auto kept = projection->frustum(scene.plot);
  Tube circle;
  for (int i = 0; i <= 20000; ++i) {
    const double t = i * 2 * M_PI / 20000;
    circle.points.push_back({0.8 * std::cos(t), 0.8 * std::sin(t), 0.2 * std::sin(3 * t)});
    circle.fade.push_back(static_cast<float>(i) / 20000);
  }
  constexpr double kTolerance = 0.05;
  ProjectedLines projected;
  appendProjectedLine(*projection, circle, kept, kTolerance, projected);
  CHECK(projected.linePoints.size() < 1500);
  CHECK(projected.linePoints.size() > 50);
  REQUIRE(projected.ends.size() == 1);
  double length = 0, worst = 0;
  std::size_t piece = 0;
  Point before = *toPage(scene, circle.points.front());
  for (std::size_t i = 1; i < circle.points.size(); ++i) {
    const Point at = *toPage(scene, circle.points[i]);
    length += std::hypot(at.x - before.x, at.y - before.y);
    before = at;
    while (piece + 2 < projected.linePoints.size() && projected.linePoints[piece + 1].along < length - 1e-6)
      ++piece;
    const Point a = projected.linePoints[piece].at, b = projected.linePoints[piece + 1].at;
    const double size = std::hypot(b.x - a.x, b.y - a.y);
    if (size > 1e-9) worst = std::max(worst, std::abs((b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x)) / size);
  }
  CHECK(worst < 1.2 * kTolerance);
  CHECK(projected.linePoints.back().along == Approx(length).epsilon(1e-6));
  CHECK(projected.linePoints.back().alpha == 1);
}

TEST_CASE("An invisible or invalid scene has no projection", "[projection3]") {
  const auto broken = [](const auto& change) {
    Scene3 scene = seenFrom(test::orbit(0, 0, 4));
    change(scene);
    return !Projection3::of(scene);
  };
  CHECK_FALSE(broken([](Scene3&) {}));
  CHECK(broken([](Scene3& s) { s.plot = {{10, 10}, {10, 300}}; }));
  CHECK(broken([](Scene3& s) { s.plot = {{10, 10}, {kNaN, 300}}; }));
  CHECK(broken([](Scene3& s) { s.eye.toEye[5] = kNaN; }));
  CHECK(broken([](Scene3& s) { s.eye.toEye[13] = 1e300; }));
  CHECK(broken([](Scene3& s) { s.eye.halfHeight = 0; }));
  CHECK(broken([](Scene3& s) { s.eye.nearest = 0; }));
  CHECK(broken([](Scene3& s) { s.eye.farthest = s.eye.nearest; }));
}

TEST_CASE("Handles and labels are drawn over the picture at their projected positions", "[projection3]") {
  Scene3 scene = seenFrom(test::orbit(0, 0, 4));
  scene.clips = {{{0, 1, 0}, 0}};
  scene.markers.push_back({{0, 0.5, 0}, Shape::Ring, 12, {}, {1, 1, 1, 1}, 2, false, true});
  scene.markers.push_back({{0, 0.2, 0}, Shape::Circle, 12, {}, {}, 2, false, false});  // drawn in the picture itself
  scene.markers.push_back({{0, -0.5, 0}, Shape::Circle, 12, {}, {}, 2, true, true});   // cut away by the clip plane
  scene.markers.push_back({{9, 0, 0}, Shape::Circle, 12, {}, {}, 2, false, true});     // behind the eye
  scene.labels.push_back({{0, -0.5, 0}, "a", 13, {1, 1, 1, 1}, AlignX::Right, AlignY::Top, {3, 4}});
  scene.labels.push_back({{kNaN, 0, 0}, "nowhere"});
  const std::vector<Item> items = itemsInFront(scene);
  REQUIRE(items.size() == 2);
  const auto& marker = std::get<Marker>(items[0]);
  CHECK(marker.at == *toPage(scene, {0, 0.5, 0}));
  CHECK(marker.shape == Shape::Ring);
  CHECK(marker.space == Space::Page);
  const auto& label = std::get<Label>(items[1]);
  CHECK(label.at == *toPage(scene, {0, -0.5, 0}));
  CHECK(label.text == "a");
  CHECK(label.offset == Point{3, 4});
  CHECK(label.alignX == AlignX::Right);
}

TEST_CASE("Contour values are the numbers inside the range of the values", "[projection3]") {
  Surface surface;
  surface.mesh = test::wall(0, 1);  // values from -1 to 1
  surface.contours = {0.5F, -1, 1, 2, static_cast<float>(kNaN), -0.25F};
  CHECK(contoursOf(surface) == std::vector<float>{-0.25F, 0.5F});
  surface.contourWidth = 0;
  CHECK(contoursOf(surface).empty());
  CHECK(contoursOf(Surface{}).empty());
}

TEST_CASE("Light acts on both sides, and a sheet seen at an angle is denser", "[projection3]") {
  const Point3 towards{0, 0, 1}, light{0.6, 0, 0.8};
  const Color red{0.8F, 0.2F, 0.2F, 0.4F};
  const Color front = lit(red, {0, 0, 1}, towards, light), back = lit(red, {0, 0, -1}, towards, light);
  CHECK(front == back);
  CHECK(front.a == red.a);
  const Color lighter = lit(red, {0.6, 0, 0.8}, towards, light), darker = lit(red, {-0.6, 0, 0.8}, towards, light);
  CHECK(lighter.r > darker.r);
  CHECK(lit(red, {1, 0, 0}, towards, light).a == Approx(0.4 * 1.6));
  CHECK(lit({1, 1, 1, 1}, {1, 0, 0}, towards, light).a == 1);
}

}  // namespace sepx::render

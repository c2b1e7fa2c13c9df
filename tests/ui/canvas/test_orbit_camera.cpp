// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <catch2/catch.hpp>

#include "ui/canvas/orbit_camera.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const std::array<double, 3> kLow{-2, -1, -3}, kHigh{2, 3, 1};
const render::Rect kPlot{{20, 40}, {620, 440}};

OrbitView viewOf(const OrbitCamera& camera) {
  return {camera, kLow, kHigh, kPlot};
}

void near(const render::Point3& a, const render::Point3& b, double margin = 1e-9) {
  CHECK(a.x == Approx(b.x).margin(margin));
  CHECK(a.y == Approx(b.y).margin(margin));
  CHECK(a.z == Approx(b.z).margin(margin));
}

const OrbitCamera kCameras[] = {{30, 20, 5, {0, 0, 0}, true},
                                {-140, -60, 3, {0.2, -0.3, 0.1}, true},
                                {75, 45, 8, {0, 0.5, 0}, false},
                                {0, 90, 5, {0, 0, 0}, false}};

}  // namespace

TEST_CASE("The camera maps data to the page as the renderers do, and back at the given depth") {
  for (const OrbitCamera& camera : kCameras) {
    const OrbitView view = viewOf(camera);
    render::Scene3 scene;
    scene.plot = kPlot;
    scene.eye = view.eye();
    for (const render::Point3& data : {render::Point3{0, 0, 0}, {1.5, 2.5, 0.5}, {-2, -1, -3}}) {
      double depth = 0, depthThere = 0;
      const auto page = view.toPage(data, &depth);
      const auto there = render::toPage(scene, data, &depthThere);
      REQUIRE(page);
      REQUIRE(there);
      CHECK(page->x == Approx(there->x).margin(1e-9));
      CHECK(page->y == Approx(there->y).margin(1e-9));
      CHECK(depth == Approx(depthThere));
      CHECK(depth > scene.eye.nearest);
      CHECK(depth < scene.eye.farthest);
      near(view.atDepth(*page, depth), data);
    }
  }
}

TEST_CASE("The whole box is inside the plot at the distance of a new camera, from every direction") {
  for (double yaw = -180; yaw < 180; yaw += 15)
    for (double pitch = -90; pitch <= 90; pitch += 15) {
      const OrbitView view = viewOf({yaw, pitch, OrbitCamera{}.distance, {0, 0, 0}, true});
      for (int corner = 0; corner < 8; ++corner) {
        const auto page = view.toPage(
            {corner & 1 ? kHigh[0] : kLow[0], corner & 2 ? kHigh[1] : kLow[1], corner & 4 ? kHigh[2] : kLow[2]});
        REQUIRE(page);
        CHECK(kPlot.contains(*page));
      }
    }
}

TEST_CASE("Views along an axis are exact: the first axis points to the right and the third upwards") {
  const OrbitCamera along = alongAxis({17, 33, 5, {1, 1, 1}, false}, 1, false);
  CHECK(viewingAxis(along) == 1);
  const OrbitView view = viewOf(along);
  const auto origin = view.toPage({0, 0, 0}), right = view.toPage({1, 0, 0}), up = view.toPage({0, 0, 1}),
             away = view.toPage({0, 1, 0});
  CHECK(right->x > origin->x);
  CHECK(right->y == origin->y);
  CHECK(up->y < origin->y);
  CHECK(up->x == origin->x);
  CHECK(*away == *origin);
  CHECK(viewingAxis(alongAxis({}, 0, true)) == 0);
  CHECK(viewingAxis(alongAxis({}, 2, true)) == 2);
  CHECK_FALSE(viewingAxis({30, 20, 5, {0, 0, 0}, true}));
  for (const bool perspective : {true, false})
    for (int axis = 0; axis < 3; ++axis) {
      const OrbitView face = viewOf(alongAxis({0, 0, 20, {1, 1, 1}, perspective}, axis, true));
      for (int corner = 0; corner < 8; ++corner)
        CHECK(kPlot.contains(*face.toPage(
            {corner & 1 ? kHigh[0] : kLow[0], corner & 2 ? kHigh[1] : kLow[1], corner & 4 ? kHigh[2] : kLow[2]})));
    }
  // From above, the second axis points upwards.
  const OrbitView above = viewOf(alongAxis({}, 2, true));
  CHECK(above.toPage({0, 2, 0})->y < above.toPage({0, 0, 0})->y);
  CHECK(above.toPage({1, 0, 0})->x > above.toPage({0, 0, 0})->x);
}

TEST_CASE("A place under the pointer is found on a plane and along an axis") {
  for (const OrbitCamera& camera : kCameras) {
    const OrbitView view = viewOf(camera);
    const render::Point3 data{0.7, 1.2, -0.4};
    const auto page = view.toPage(data);
    REQUIRE(page);
    const double coordinates[] = {data.x, data.y, data.z};
    for (int axis = 0; axis < 3; ++axis) {
      const auto onPlane = view.onPlane(*page, axis, coordinates[axis]);
      if (onPlane) near(*onPlane, data);
      render::Point3 from = data;
      (axis == 0 ? from.x : axis == 1 ? from.y : from.z) += 0.6;
      const auto onAxis = view.onAxis(*page, from, axis);
      if (onAxis) near(*onAxis, data, 1e-8);
    }
  }
  // A line of sight parallel to the axis determines no place on it.
  const OrbitView above = viewOf({0, 90, 5, {0, 0, 0}, false});
  CHECK_FALSE(above.onAxis({300, 200}, {0, 0, 0}, 2));
  CHECK_FALSE(above.onPlane({300, 200}, 0, 0));
  CHECK(above.onPlane({300, 200}, 2, 0));
}

TEST_CASE("Panning moves the target with the pointer; turning and zooming stay within limits") {
  for (const OrbitCamera& camera : kCameras) {
    const OrbitView view = viewOf(camera);
    const render::Point3 target = view.toData(camera.target);
    const OrbitView after = viewOf(view.panned(31, -17));
    const auto before = view.toPage(target), now = after.toPage(target);
    CHECK(now->x - before->x == Approx(31));
    CHECK(now->y - before->y == Approx(-17));
  }
  OrbitCamera camera;
  for (int i = 0; i < 100; ++i)
    camera = nearer(turned(camera, 37, 11), 2);
  CHECK(camera.pitch == 90);
  CHECK(std::abs(camera.yaw) <= 180);
  CHECK(camera.distance == kLeastDistance);
  const OrbitCamera sound = bounded({NAN, INFINITY, NAN, {NAN, 1e300, 0}, true}, {});
  CHECK(sound.yaw == 0);
  CHECK(sound.distance == OrbitCamera{}.distance);
  CHECK(std::isfinite(sound.target[1]));
  // A point behind the eye has no place on the page.
  CHECK_FALSE(viewOf({0, 0, 0.5, {0, 0, 0}, true}).toPage({0, -1, 0}));
}

// SPDX-License-Identifier: Apache-2.0
// The camera: it maps in both directions, keeps the data under the pointer while it zooms, and stays within the range
// that doubles can represent.
#include "ui/canvas/camera.h"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "engine/core/random.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const Camera kCamera{{{-2, -1.5}, {2, 1.5}}, {{60, 10}, {860, 610}}};

bool usable(const render::Rect& r) {
  return std::isfinite(r.min.x) && std::isfinite(r.min.y) && std::isfinite(r.max.x) && std::isfinite(r.max.y) &&
         r.max.x > r.min.x && r.max.y > r.min.y;
}

}  // namespace

TEST_CASE("The corners of the window map to the corners of the plot, with y upwards", "[camera]") {
  CHECK(toPage(kCamera, {-2, -1.5}) == render::Point{60, 610});
  CHECK(toPage(kCamera, {2, 1.5}) == render::Point{860, 10});
  const render::Point back = toData(kCamera, toPage(kCamera, {0.3, -0.7}));
  CHECK(back.x == Approx(0.3).margin(1e-14));
  CHECK(back.y == Approx(-0.7).margin(1e-14));
}

TEST_CASE("A camera and a scene map data to the same place on the page", "[camera]") {
  render::Scene scene;
  scene.plot = kCamera.plot;
  scene.window = kCamera.window;
  const render::Point a = toPage(kCamera, {0.37, 1.1}), b = render::toPage(scene, {0.37, 1.1});
  CHECK(a.x == Approx(b.x));
  CHECK(a.y == Approx(b.y));
}

TEST_CASE("Zooming keeps the data under the pointer", "[camera]") {
  RandomStream random(1);
  for (int i = 0; i < 200; ++i) {
    const render::Point about{random.uniform(60, 860), random.uniform(10, 610)};
    const double factor = std::exp(random.uniform(-2, 2));
    const Camera next = zoomed(kCamera, about, factor);
    const render::Point before = toData(kCamera, about), after = toData(next, about);
    CHECK(after.x == Approx(before.x).margin(1e-12));
    CHECK(after.y == Approx(before.y).margin(1e-12));
    CHECK(next.window.width() == Approx(4 / factor));
    CHECK(next.window.height() == Approx(3 / factor));
  }
}

TEST_CASE("Panning moves the data with the pointer", "[camera]") {
  const render::Point data = toData(kCamera, {300, 200});
  const Camera next = panned(kCamera, 37, -11);
  const render::Point page = toPage(next, data);
  CHECK(page.x == Approx(337));
  CHECK(page.y == Approx(189));
}

TEST_CASE("Repeated zooming stops at the limits and keeps the aspect ratio", "[camera]") {
  for (const double factor : {1.7, 1 / 1.7}) {
    Camera camera = kCamera;
    for (int i = 0; i < 500; ++i)
      camera = zoomed(camera, {500, 300}, factor);
    REQUIRE(usable(camera.window));
    CHECK(camera.window.width() >= kLeastSpan * 0.999);
    CHECK(camera.window.width() <= kLargestSpan * 1.001);
    CHECK(camera.window.width() / camera.window.height() == Approx(4.0 / 3).epsilon(1e-3));
    // Zooming back is still possible.
    const Camera back = zoomed(camera, {500, 300}, 1 / factor);
    CHECK(back.window.width() != camera.window.width());
  }
}

TEST_CASE("Invalid windows and zoom factors leave a usable camera", "[camera]") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const render::Rect home{{-2, -1}, {2, 1}};
  CHECK(boundedWindow({{nan, 0}, {1, 1}}, home).min.x == -2);
  CHECK(boundedWindow({{0, 1}, {1, -1}}, home).max.y == 1);
  CHECK(usable(boundedWindow({{-inf, -1e300}, {1e300, inf}}, home)));
  CHECK(usable(boundedWindow({{5, 5}, {5, 5}}, home)));
  CHECK(usable(boundedWindow({{1e15, -1e15}, {1e15 + 1, -1e15 + 1}}, home)));
  CHECK(zoomed(kCamera, {1, 1}, 0) == kCamera);
  CHECK(zoomed(kCamera, {1, 1}, nan) == kCamera);
  CHECK(zoomed(kCamera, {1, 1}, -3) == kCamera);
  Camera far = kCamera;
  for (int i = 0; i < 100; ++i)
    far = panned(zoomed(far, {500, 300}, 0.5), 1e9, 1e9);
  CHECK(usable(far.window));
}

// SPDX-License-Identifier: Apache-2.0
// Benchmark of three-dimensional pictures at 1280 x 720: 20,000 lit triangles of two translucent surfaces that
// intersect and of one opaque surface, with contour lines, and 50 tubes of 200 points. The eye moves around them.
// Measured are a frame while the eye moves, its part for projecting and sorting on the CPU, and a frame in which
// nothing changes.
#include "tests/bench/cases/bench.h"

#include <chrono>
#include <cmath>
#include <memory>

#include "app/cli/text.h"
#include "engine/core/clock.h"
#include "engine/core/try.h"
#include "engine/render/scene3.h"
#include "engine/render/solid_list.h"

namespace sepx::app::cli {
namespace {

using Clock = std::chrono::steady_clock;
using render::Point3;

constexpr gpu::Extent kSpaceExtent{1280, 720};

/// z = height sin(3x) cos(2y) + lift over [-1, 1]^2; 2 cells^2 triangles with unit normals.
std::shared_ptr<const render::Mesh> wave(int cells, double height, double lift, std::uint64_t revision) {
  auto mesh = std::make_shared<render::Mesh>();
  mesh->revision = revision;
  for (int j = 0; j <= cells; ++j) {
    for (int i = 0; i <= cells; ++i) {
      const double x = 2.0 * i / cells - 1, y = 2.0 * j / cells - 1;
      const double z = height * std::sin(3 * x) * std::cos(2 * y) + lift;
      const double dx = 3 * height * std::cos(3 * x) * std::cos(2 * y);
      const double dy = -2 * height * std::sin(3 * x) * std::sin(2 * y), size = std::sqrt(dx * dx + dy * dy + 1);
      const auto number = [](double value) { return static_cast<float>(value); };
      mesh->positions.push_back({number(x), number(y), number(z)});
      mesh->normals.push_back({number(-dx / size), number(-dy / size), number(1 / size)});
      mesh->values.push_back(number(z));
    }
  }
  const auto at = [cells](int i, int j) { return static_cast<std::uint32_t>(j * (cells + 1) + i); };
  for (int j = 0; j < cells; ++j) {
    for (int i = 0; i < cells; ++i) {
      for (const std::uint32_t corner :
           {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1)})
        mesh->triangles.push_back(corner);
    }
  }
  return mesh;
}

render::Scene3 surfacesAndTubes() {
  render::Scene3 scene;
  scene.plot = {{0, 0}, {kSpaceExtent.width, kSpaceExtent.height}};
  const auto surface = [&](int cells, double height, double lift, render::Color color) {
    render::Surface made;
    made.mesh = wave(cells, height, lift, ~std::uint64_t{0} - scene.surfaces.size());
    made.color = color;
    made.contours = {-0.3F, -0.2F, -0.1F, 0, 0.1F, 0.2F, 0.3F};
    scene.surfaces.push_back(made);
  };
  surface(62, 0.35, 0.05, {0.9F, 0.6F, 0.2F, 0.45F});
  surface(62, -0.3, 0, {0.3F, 0.6F, 0.9F, 0.45F});
  surface(48, 0.1, -0.5, {0.5F, 0.5F, 0.5F, 1});
  for (int k = 0; k < 50; ++k) {
    render::Tube tube;
    tube.color = {0.9F, 0.2F + 0.01F * static_cast<float>(k), 0.3F, 1};
    for (int i = 0; i < 200; ++i) {
      const double t = i / 199.0, turn = 6 * t + 0.126 * k, radius = 1 - 0.7 * t;
      tube.points.push_back({radius * std::cos(turn), radius * std::sin(turn), 0.6 * std::sin(5 * t + k)});
    }
    scene.tubes.push_back(tube);
  }
  return scene;
}

/// An eye with a vertical field of view of 60 degrees at a distance of 2.6 units, rotated around the scene by `angle`.
render::Eye eyeAt(double angle) {
  const double c = std::cos(angle), s = std::sin(angle), cp = std::cos(0.5), sp = std::sin(0.5);
  render::Eye eye;
  eye.toEye = {-s, -c * sp, c * cp, 0, c, -s * sp, s * cp, 0, 0, cp, sp, 0, 0, 0, -2.6, 1};
  eye.halfHeight = std::tan(3.14159265358979 / 6);
  return eye;
}

}  // namespace

Result<BenchResult> benchSpace(const Options& common) {
  SEPX_ASSIGN(BenchStage stage, BenchStage::create(common, kSpaceExtent));
  BenchResult result{
      .name = "space-frame",
      .measurements = {{"orbit",
                        tr(N_("whole frame at 1280 x 720 while the eye moves: 20,000 triangles, 50 tubes")),
                        {}},
                       {"list", tr(N_("of which projecting and sorting on the CPU")), {}},
                       {"still", tr(N_("whole frame while nothing changes")), {}}},
      .device = stage.context->info().name};
  render::Scene page;
  page.width = kSpaceExtent.width;
  page.height = kSpaceExtent.height;
  page.plot = {{0, 0}, {page.width, page.height}};
  page.window = {{0, 0}, {1, 1}};
  page.background = {0.1F, 0.1F, 0.1F, 1};
  page.layers = {render::Layer{"space", 1, false, true, {render::Solid{}}}};
  render::Scene3 scene = surfacesAndTubes();
  render::SolidList list;
  render::EdgeCache edges;
  SEPX_TRY(measureParts(result.measurements, {60, 5}, [&](int i) -> Result<std::vector<double>> {
    scene.eye = eyeAt(0.05 * i);
    edges.beginFrame();
    const Clock::time_point start = Clock::now();
    list.make(scene, render::placeScene({}, 1, kSpaceExtent.width, kSpaceExtent.height),
              {0, 0, kSpaceExtent.width, kSpaceExtent.height}, edges);
    const double listed = millisecondsSince(start);
    page.layers[0].items = {render::Solid{std::make_shared<const render::Scene3>(scene)}};
    const Clock::time_point moved = Clock::now();
    SEPX_TRY(stage.draw(page));
    const Clock::time_point still = Clock::now();
    SEPX_TRY(stage.draw(page));
    const double twice = millisecondsSince(moved), once = millisecondsSince(still);
    return std::vector{twice - once, listed, once};
  }));
  return result;
}

}  // namespace sepx::app::cli

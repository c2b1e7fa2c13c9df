// SPDX-License-Identifier: Apache-2.0
// Three-dimensional pictures for the tests of both renderers: an eye that orbits the origin, simple meshes, and a scene
// with every kind of element.
#pragma once

#include <cmath>
#include <limits>

#include "engine/render/scene.h"
#include "engine/render/scene3.h"

namespace sepx::render::test {

/// An eye at `distance` from the origin, rotated by `yaw` about z and raised by `pitch`. The field of view is 60
/// degrees high.
inline Eye orbit(double yaw, double pitch, double distance, bool perspective = true) {
  const double c = std::cos(yaw), s = std::sin(yaw), cp = std::cos(pitch), sp = std::sin(pitch);
  Eye eye;
  // Rows: right, up, back.
  const double rows[3][4] = {{-s, c, 0, 0}, {-c * sp, -s * sp, cp, 0}, {c * cp, s * cp, sp, -distance}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 4; ++k)
      eye.toEye[i + 4 * k] = rows[i][k];
  }
  eye.perspective = perspective;
  eye.halfHeight = perspective ? std::tan(3.14159265358979 / 6) : 1.5;
  eye.nearest = 0.05;
  eye.farthest = 50;
  return eye;
}

inline std::uint64_t nextRevision() {
  static std::uint64_t revision = 1000;
  return ++revision;
}

/// The graph of f over [-side, side]^2 with its values. `cells` is the number of cells along each side.
template <class F>
std::shared_ptr<const Mesh> graph(int cells, double side, const F& f, bool smooth = true) {
  auto mesh = std::make_shared<Mesh>();
  mesh->revision = nextRevision();
  const double step = 2 * side / cells;
  for (int j = 0; j <= cells; ++j) {
    for (int i = 0; i <= cells; ++i) {
      const double x = -side + i * step, y = -side + j * step, z = f(x, y), h = 1e-4;
      mesh->positions.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)});
      mesh->values.push_back(static_cast<float>(z));
      const double nx = -(f(x + h, y) - f(x - h, y)) / (2 * h), ny = -(f(x, y + h) - f(x, y - h)) / (2 * h);
      const double size = std::sqrt(nx * nx + ny * ny + 1);
      if (smooth)
        mesh->normals.push_back(
            {static_cast<float>(nx / size), static_cast<float>(ny / size), static_cast<float>(1 / size)});
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

/// A square perpendicular to the x axis at `x`, with half side length `half`.
inline std::shared_ptr<const Mesh> wall(float x, float half) {
  auto mesh = std::make_shared<Mesh>();
  mesh->revision = nextRevision();
  mesh->positions = {{x, -half, -half}, {x, half, -half}, {x, half, half}, {x, -half, half}};
  mesh->values = {-half, half, half, -half};
  mesh->triangles = {0, 1, 2, 0, 2, 3};
  return mesh;
}

inline Surface wallAt(float x, Color color, float half = 1) {
  Surface surface;
  surface.mesh = wall(x, half);
  surface.color = color;
  return surface;
}

/// An empty scene seen along -x: y to the right, z up.
inline Scene3 alongX(Rect plot) {
  Scene3 scene;
  scene.plot = plot;
  scene.eye = orbit(0, 0, 4);
  return scene;
}

inline Scene3 sampleScene3(Rect plot, int cells = 40) {
  Scene3 scene;
  scene.plot = plot;
  scene.eye = orbit(0.7, 0.45, 4.2);
  Surface saddle;
  saddle.mesh = graph(cells, 1, [](double x, double y) { return 0.5 * (x * x - y * y); });
  saddle.color = {0.3F, 0.55F, 0.9F, 0.55F};
  saddle.map = ColorMap::Viridis;
  saddle.low = -0.5F;
  saddle.high = 0.5F;
  for (int i = -4; i <= 4; ++i)
    saddle.contours.push_back(0.1F * static_cast<float>(i));
  saddle.contourColor = {1, 1, 1, 0.7F};
  scene.surfaces.push_back(saddle);
  Surface sheet;
  sheet.mesh = graph(cells, 1, [](double x, double y) { return 0.35 * std::sin(3 * x) * std::cos(2 * y) + 0.1; });
  sheet.color = {0.95F, 0.55F, 0.15F, 0.4F};
  scene.surfaces.push_back(sheet);
  Surface floor;
  floor.mesh = graph(
      2, 0.45, [](double, double) { return -0.7; }, false);
  floor.color = {0.4F, 0.42F, 0.46F, 1};
  scene.surfaces.push_back(floor);
  for (int k = 0; k < 3; ++k) {
    Tube tube;
    tube.width = 5;
    tube.color = k == 0 ? Color{0.95F, 0.3F, 0.25F, 1} : k == 1 ? Color{0.3F, 0.85F, 0.5F, 1} : Color{1, 1, 1, 1};
    for (int i = 0; i <= 200; ++i) {
      const double t = i / 200.0, a = 9 * t + 2.1 * k;
      tube.points.push_back({0.9 * std::cos(a) * (1 - 0.6 * t), 0.9 * std::sin(a) * (1 - 0.6 * t), 1.4 * t - 0.7});
      tube.fade.push_back(k == 2 ? static_cast<float>(t) : 1.0F);
    }
    if (k == 1) tube.dash = Dash::Dashed;
    scene.tubes.push_back(tube);
  }
  const char* names[] = {"e", "w", "a"};
  for (int k = 0; k < 3; ++k) {
    Point3 end{k == 0 ? 1.3 : 0, k == 1 ? 1.3 : 0, k == 2 ? 1.0 : 0};
    Tube axis;
    axis.points = {{-end.x, -end.y, -end.z}, end};
    axis.color = {0.85F, 0.85F, 0.85F, 1};
    axis.width = 1.2F;
    axis.lit = false;
    scene.tubes.push_back(axis);
    scene.labels.push_back({end, names[k], 14, {1, 1, 1, 1}, AlignX::Center, AlignY::Middle, {0, -9}});
  }
  scene.markers.push_back({{0.36, -0.1, 0.7}, Shape::Circle, 16, {0.95F, 0.3F, 0.25F, 1}, {1, 1, 1, 1}, 2});
  scene.markers.push_back({{-0.8, 0.2, -0.2}, Shape::Diamond, 14, {1, 0.9F, 0.2F, 1}, {0, 0, 0, 1}, 1.5F});
  scene.markers.push_back({{0, 0, -0.65}, Shape::Square, 14, {0.3F, 0.9F, 0.9F, 1}, {0, 0, 0, 1}, 1.5F});
  return scene;
}

/// A page filled by one three-dimensional picture.
inline Scene pageWith(std::shared_ptr<const Scene3> scene3, double width, double height, bool still = false) {
  Scene scene;
  scene.width = width;
  scene.height = height;
  scene.plot = {{0, 0}, {width, height}};
  scene.window = {{0, 0}, {1, 1}};
  scene.background = {0.1F, 0.11F, 0.13F, 1};
  scene.layers = {Layer{"solid", nextRevision(), still, true, {Solid{std::move(scene3)}}}};
  return scene;
}

}  // namespace sepx::render::test

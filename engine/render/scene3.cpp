// SPDX-License-Identifier: Apache-2.0
// The position of a point of a three-dimensional picture on the page. Pure.
#include "engine/render/scene3.h"

namespace sepx::render {

std::optional<Point> toPage(const Scene3& scene, const Point3& data, double* depth) {
  const std::array<double, 16>& m = scene.eye.toEye;
  const auto row = [&](std::size_t i) { return m[i] * data.x + m[i + 4] * data.y + m[i + 8] * data.z + m[i + 12]; };
  const double away = -row(2);
  if (depth) *depth = away;
  if (!(away > 0) && scene.eye.perspective) return std::nullopt;
  const double perPoint = scene.plot.height() / 2 / scene.eye.halfHeight / (scene.eye.perspective ? away : 1);
  const Point centre{(scene.plot.min.x + scene.plot.max.x) / 2, (scene.plot.min.y + scene.plot.max.y) / 2};
  return Point{centre.x + row(0) * perPoint, centre.y - row(1) * perPoint};
}

}  // namespace sepx::render

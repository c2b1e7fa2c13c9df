// SPDX-License-Identifier: Apache-2.0
#include "engine/render/mesh_coarse.h"

#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/render/mesh_edges.h"
#include "tests/engine/render/sample_scene3.h"

namespace sepx::render {
namespace {

// The area seen from above, signed for each triangle, and the area of reversed triangles.
struct Shadow {
  double whole = 0, turned = 0;
};
Shadow shadow(const Mesh& mesh) {
  Shadow found;
  for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
    const auto &a = mesh.positions[mesh.triangles[t]], &b = mesh.positions[mesh.triangles[t + 1]],
               &c = mesh.positions[mesh.triangles[t + 2]];
    const double area = (double{b[0]} - a[0]) * (double{c[1]} - a[1]) - (double{b[1]} - a[1]) * (double{c[0]} - a[0]);
    found.whole += area / 2;
    if (area < 0) found.turned -= area / 2;
  }
  return found;
}

}  // namespace

TEST_CASE("A coarsened mesh is the same surface with fewer triangles", "[coarse]") {
  const auto f = [](double x, double y) { return 0.3 * std::sin(4 * x) * y; };
  const auto fine = test::graph(120, 1, f);  // 28,800 triangles
  const auto coarse = coarsened(*fine, 3000);
  CHECK(coarse->triangles.size() / 3 <= 3000);
  CHECK(coarse->triangles.size() / 3 > 2500);
  REQUIRE(coarse->values.size() == coarse->positions.size());
  REQUIRE(coarse->normals.size() == coarse->positions.size());
  for (const auto& at : coarse->positions)
    CHECK(at[2] == Approx(f(at[0], at[1])).margin(1e-6));  // vertices keep their positions
  const Shadow seen = shadow(*coarse);
  CHECK(seen.whole == Approx(4).epsilon(1e-4));  // up to the rim and without holes
  CHECK(seen.turned < 1e-6);
  // The centres of triangles are close to the surface, because edges are short everywhere.
  double worst = 0;
  for (std::size_t t = 0; t + 2 < coarse->triangles.size(); t += 3) {
    double x = 0, y = 0, z = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& at = coarse->positions[coarse->triangles[t + k]];
      x += at[0] / 3.0;
      y += at[1] / 3.0;
      z += at[2] / 3.0;
    }
    worst = std::max(worst, std::abs(z - f(x, y)));
  }
  CHECK(worst < 0.02);
}

TEST_CASE("A coarsened mesh keeps its boundary and stays a single sheet", "[coarse]") {
  const auto coarse = coarsened(*test::graph(40, 1, [](double x, double y) { return x * y; }), 400);
  CHECK(coarse->triangles.size() / 3 <= 400);
  int corners = 0;
  for (const auto& at : coarse->positions)
    corners += std::abs(at[0]) == 1 && std::abs(at[1]) == 1 ? 1 : 0;
  CHECK(corners == 4);
  for (const MeshEdge& edge : edgesOf(*coarse)) {
    if (edge.other != MeshEdge::kNone) continue;
    const auto &a = coarse->positions[edge.a], &b = coarse->positions[edge.b];
    CHECK(((a[0] == b[0] && std::abs(a[0]) == 1) || (a[1] == b[1] && std::abs(a[1]) == 1)));
  }
}

TEST_CASE("Two neighbouring sheets are not joined, and invalid triangles are dropped", "[coarse]") {
  Mesh mesh = *test::graph(20, 1, [](double, double) { return 0.1; });
  const Mesh other = *test::graph(20, 1, [](double, double) { return -0.1; });
  const auto shift = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
  mesh.values.insert(mesh.values.end(), other.values.begin(), other.values.end());
  mesh.normals.clear();
  for (const std::uint32_t corner : other.triangles)
    mesh.triangles.push_back(corner + shift);
  mesh.triangles.insert(mesh.triangles.end(), {1, 1, 2, 5, 9'999'999, 7, 3});
  const auto coarse = coarsened(mesh, 200);
  CHECK(coarse->triangles.size() / 3 <= 200);
  CHECK(coarse->normals.empty());
  CHECK(shadow(*coarse).whole == Approx(8));
  for (std::size_t t = 0; t + 2 < coarse->triangles.size(); t += 3) {
    const float z = coarse->positions[coarse->triangles[t]][2];
    for (std::size_t k = 1; k < 3; ++k)
      CHECK(coarse->positions[coarse->triangles[t + k]][2] == z);
  }
  CHECK(coarsened(Mesh{}, 10)->triangles.empty());
  CHECK(coarsened(mesh, 100'000)->triangles.size() == mesh.triangles.size() - 7);
}

TEST_CASE("Coarsening is reproducible", "[coarse]") {
  const auto mesh = test::graph(50, 1, [](double x, double y) { return x * x - y; });
  CHECK(coarsened(*mesh, 700)->triangles == coarsened(*mesh, 700)->triangles);
}

}  // namespace sepx::render

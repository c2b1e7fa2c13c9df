// SPDX-License-Identifier: Apache-2.0
#include "engine/render/mesh_edges.h"

#include <algorithm>
#include <map>

#include <catch2/catch.hpp>

#include "tests/engine/render/sample_scene3.h"

namespace sepx::render {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs outlineOf(const Mesh& mesh, const Eye& eye) {
  Scene3 scene;
  scene.plot = {{0, 0}, {100, 100}};
  scene.eye = eye;
  const auto projection = Projection3::of(scene);
  REQUIRE(projection);
  Pairs found;
  outline(mesh, edgesOf(mesh), *projection, found);
  return found;
}

std::size_t boundary(const std::vector<MeshEdge>& edges) {
  return static_cast<std::size_t>(
      std::count_if(edges.begin(), edges.end(), [](const MeshEdge& e) { return e.other == MeshEdge::kNone; }));
}

}  // namespace

TEST_CASE("The boundary of a square mesh lies along its sides", "[edges]") {
  const auto mesh = test::graph(4, 1, [](double, double) { return 0.0; });
  const std::vector<MeshEdge> edges = edgesOf(*mesh);
  CHECK(edges.size() == 2 * 4 * 5 + 16);  // lines in both directions, diagonals
  CHECK(boundary(edges) == 16);
  // A flat surface has its boundary as outline from any direction.
  for (const double pitch : {1.2, 0.3, -0.7})
    CHECK(outlineOf(*mesh, test::orbit(0.3, pitch, 5)).size() == 16);
}

TEST_CASE("A curved surface has an outline where it turns away from the eye", "[edges]") {
  const auto ridge = test::graph(20, 1, [](double x, double) { return -x * x; });
  CHECK(outlineOf(*ridge, test::orbit(0, 1.5, 5)).size() == 80);  // from above
  const Pairs seen = outlineOf(*ridge, test::orbit(0, 0.2, 5));   // along x, from slightly above
  CHECK(seen.size() == 80 + 20);                                  // one row of edges across the surface
}

TEST_CASE("Reversed and invalid triangles add no outline", "[edges]") {
  Mesh mesh = *test::graph(6, 1, [](double, double) { return 0.0; });
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 6)
    std::swap(mesh.triangles[t], mesh.triangles[t + 1]);  // reverses every second triangle
  CHECK(outlineOf(mesh, test::orbit(0.3, 1, 5)).size() == 24);
  mesh.triangles.insert(mesh.triangles.end(), {0, 1, 9999, 0, 0, 1, 5});
  CHECK(edgesOf(mesh).size() == 2 * 6 * 7 + 36);
  mesh.positions[0][0] = std::numeric_limits<float>::quiet_NaN();
  CHECK(edgesOf(mesh).size() == 2 * 6 * 7 + 36 - 3);  // without the two triangles at that corner and three edges
  CHECK(edgesOf(Mesh{}).empty());
}

TEST_CASE("Edges are computed once per revision", "[edges]") {
  EdgeCache cache;
  const auto mesh = test::graph(4, 1, [](double, double) { return 0.0; });
  cache.beginFrame();
  const MeshEdge* first = cache.of(*mesh).data();
  cache.beginFrame();
  CHECK(cache.of(*mesh).data() == first);
  Mesh changed = *mesh;
  changed.revision = test::nextRevision();
  changed.triangles.resize(3);
  CHECK(cache.of(changed).size() == 3);
}

TEST_CASE("The outline has the surface colour at its position", "[edges]") {
  Surface surface;
  surface.mesh = test::graph(2, 1, [](double x, double) { return x; });
  surface.color = {1, 0, 0, 0.5F};
  surface.map = ColorMap::Gray;
  surface.low = -1;
  surface.high = 1;
  Scene3 scene;
  scene.plot = {{0, 0}, {100, 100}};
  scene.eye = test::orbit(0, 1.3, 5);
  const auto projection = Projection3::of(scene);
  std::map<bool, float> light;  // by x > 0
  int lines = 0;
  forOutline(surface, edgesOf(*surface.mesh), *projection, {0, 0, 1}, [&](const Tube& line) {
    ++lines;
    CHECK(line.points.size() == 2);
    CHECK_FALSE(line.lit);
    CHECK(line.color.a >= 0.5F);
    if (line.points[0].x == line.points[1].x) light[line.points[0].x > 0] = line.color.g;
  });
  CHECK(lines == 8);
  CHECK(light[true] > light[false] + 0.3F);
}

}  // namespace sepx::render

// SPDX-License-Identifier: Apache-2.0
#include "engine/render/mesh_edges.h"

#include <algorithm>
#include <cmath>

#include "engine/render/color_map.h"

namespace sepx::render {
namespace {

constexpr std::uint64_t kIdleFrames = 4;

bool proper(const Mesh& mesh, std::size_t triangle) {
  const std::uint32_t* corner = mesh.triangles.data() + 3 * triangle;
  const std::size_t n = mesh.positions.size();
  if (corner[0] >= n || corner[1] >= n || corner[2] >= n) return false;
  for (std::size_t k = 0; k < 3; ++k) {
    for (const float x : mesh.positions[corner[k]]) {
      if (!(std::abs(x) < 1e18F)) return false;
    }
  }
  return corner[0] != corner[1] && corner[1] != corner[2] && corner[0] != corner[2];
}

}  // namespace

std::vector<MeshEdge> edgesOf(const Mesh& mesh) {
  struct Half {
    std::uint64_t key;  // both vertices
    std::uint32_t triangle;
  };
  std::vector<Half> halves;
  halves.reserve(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size() / 3; ++t) {
    if (!proper(mesh, t)) continue;
    const std::uint32_t* corner = mesh.triangles.data() + 3 * t;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint64_t a = corner[k], b = corner[(k + 1) % 3];
      halves.push_back({std::min(a, b) << 32 | std::max(a, b), static_cast<std::uint32_t>(t)});
    }
  }
  std::sort(halves.begin(), halves.end(),
            [](const Half& a, const Half& b) { return a.key != b.key ? a.key < b.key : a.triangle < b.triangle; });
  std::vector<MeshEdge> edges;
  edges.reserve(halves.size() / 2);
  for (std::size_t i = 0; i < halves.size();) {
    std::size_t end = i + 1;
    while (end < halves.size() && halves[end].key == halves[i].key)
      ++end;
    if (end - i <= 2) {
      edges.push_back({static_cast<std::uint32_t>(halves[i].key >> 32), static_cast<std::uint32_t>(halves[i].key),
                       halves[i].triangle, end - i == 2 ? halves[i + 1].triangle : MeshEdge::kNone});
    }
    i = end;
  }
  return edges;
}

void EdgeCache::beginFrame() {
  ++frame_;
  std::erase_if(entries_, [&](const auto& entry) { return entry->lastUsed + kIdleFrames < frame_; });
}

const std::vector<MeshEdge>& EdgeCache::of(const Mesh& mesh) {
  for (const auto& entry : entries_) {
    if (entry->mesh != &mesh || entry->revision != mesh.revision) continue;
    entry->lastUsed = frame_;
    return entry->edges;
  }
  entries_.push_back(std::make_unique<Entry>(Entry{&mesh, mesh.revision, frame_, {}}));
  if (mesh.triangles.size() / 3 <= kMostTriangles) entries_.back()->edges = edgesOf(mesh);
  return entries_.back()->edges;
}

void outline(const Mesh& mesh, const std::vector<MeshEdge>& edges, const Projection3& projection,
             std::vector<std::pair<std::uint32_t, std::uint32_t>>& found) {
  // The visible side of every triangle: 1 or -1; 0: not yet known.
  std::vector<std::int8_t> side(mesh.triangles.size() / 3, 0);
  const auto faces = [&](std::uint32_t triangle) {
    std::int8_t& known = side[triangle];
    if (known != 0) return known;
    Point3 corner[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& at = mesh.positions[mesh.triangles[3 * triangle + k]];
      corner[k] = projection.eye({at[0], at[1], at[2]});
    }
    const Point3 u{corner[1].x - corner[0].x, corner[1].y - corner[0].y, corner[1].z - corner[0].z};
    const Point3 v{corner[2].x - corner[0].x, corner[2].y - corner[0].y, corner[2].z - corner[0].z};
    const Point3 n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    const double towards =
        projection.perspective() ? -(n.x * corner[0].x + n.y * corner[0].y + n.z * corner[0].z) : n.z;
    known = towards < 0 ? -1 : 1;
    return known;
  };
  // A neighbour with the opposite order of corners shows its other side, although the surface continues.
  const auto opposite = [&](const MeshEdge& edge) {
    const auto forward = [&](std::uint32_t triangle) {
      const std::uint32_t* corner = mesh.triangles.data() + 3 * triangle;
      for (std::size_t k = 0; k < 3; ++k) {
        if (corner[k] == edge.a && corner[(k + 1) % 3] == edge.b) return true;
      }
      return false;
    };
    return forward(edge.one) != forward(edge.other);
  };
  for (const MeshEdge& edge : edges) {
    if (edge.other == MeshEdge::kNone || (faces(edge.one) == faces(edge.other)) != opposite(edge))
      found.emplace_back(edge.a, edge.b);
  }
}

void forOutline(const Surface& surface, const std::vector<MeshEdge>& edges, const Projection3& projection,
                const Point3& light, const std::function<void(const Tube&)>& each) {
  const Mesh& mesh = *surface.mesh;
  const bool normals = mesh.normals.size() == mesh.positions.size();
  const bool mapped = surface.map && mesh.values.size() == mesh.positions.size();
  const ColorLaw law = colorLaw(surface.map.value_or(ColorMap::Gray), surface.low, surface.high);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rim;
  outline(mesh, edges, projection, rim);
  const auto place = [&](std::uint32_t i) {
    return Point3{mesh.positions[i][0], mesh.positions[i][1], mesh.positions[i][2]};
  };
  Tube line;
  line.clipped = surface.clipped;
  line.lit = false;
  line.width = 1;
  for (const auto& [a, b] : rim) {
    line.points = {place(a), place(b)};
    line.color = surface.color;
    if (mapped && std::isfinite(mesh.values[a])) {
      const Color color = colorAt(*surface.map, mesh.values[a] * law.scale + law.offset);
      line.color = {color.r, color.g, color.b, surface.color.a};
    }
    if (normals) {
      const Point3 towards = projection.towardsEye(projection.eye(line.points[0]));
      const auto& n = mesh.normals[a];
      line.color = lit(line.color, projection.eyeNormal({n[0], n[1], n[2]}), towards, light);
    }
    each(line);
  }
}

}  // namespace sepx::render

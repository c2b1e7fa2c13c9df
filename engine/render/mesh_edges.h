// SPDX-License-Identifier: Apache-2.0
// Finds the outlines of surfaces as the eye sees them: the edges of a mesh that belong to only one triangle, and those
// between a triangle that faces the eye and one that does not. They are drawn as thin lines, so that the outline of a
// surface is smooth. Frame thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/render/projection3.h"

namespace sepx::render {

struct MeshEdge {  ///< an edge and the triangles on both sides
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t a = 0, b = 0;            ///< vertices
  std::uint32_t one = 0, other = kNone;  ///< triangles; kNone: the mesh ends here
};

/// Returns every edge that belongs to one or two triangles. Invalid triangles are ignored.
std::vector<MeshEdge> edgesOf(const Mesh& mesh);

/// A cache of the edges of meshes, by address and revision.
class EdgeCache {
 public:
  static constexpr std::size_t kMostTriangles = 300'000;  ///< a larger mesh has no outline
  /// Drops the entries that were not requested for several frames.
  void beginFrame();
  const std::vector<MeshEdge>& of(const Mesh& mesh);

 private:
  struct Entry {
    const Mesh* mesh;
    std::uint64_t revision;
    std::uint64_t lastUsed;
    std::vector<MeshEdge> edges;
  };
  std::vector<std::unique_ptr<Entry>> entries_;
  std::uint64_t frame_ = 0;
};

/// Appends to `found` the pairs of vertices of those `edges` that are on the outline.
void outline(const Mesh& mesh, const std::vector<MeshEdge>& edges, const Projection3& projection,
             std::vector<std::pair<std::uint32_t, std::uint32_t>>& found);

/// Calls `each` with every edge of the outline as a line one point wide, in the surface's colour there. `edges` must be
/// those of the surface's mesh.
void forOutline(const Surface& surface, const std::vector<MeshEdge>& edges, const Projection3& projection,
                const Point3& light, const std::function<void(const Tube&)>& each);

}  // namespace sepx::render

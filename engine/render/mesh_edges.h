// SPDX-License-Identifier: Apache-2.0
// Where surfaces end for an eye: the edges of a mesh that belong to one triangle, and those between a triangle that
// faces the eye and one that does not. They are drawn as thin lines, so that the outline of a surface is smooth. Frame
// thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/render/projection3.h"

namespace sepx::render {

struct MeshEdge {  ///< and the triangles on both sides
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t a = 0, b = 0;            ///< vertices
  std::uint32_t one = 0, other = kNone;  ///< triangles; kNone: the mesh ends here
};

/// Every edge that belongs to one or two triangles. Triangles that are no triangles have none.
std::vector<MeshEdge> edgesOf(const Mesh& mesh);

/// Edges of meshes by their revision, made once.
class EdgeCache {
 public:
  static constexpr std::size_t kMostTriangles = 300'000;  ///< of a mesh whose outline is drawn
  /// Drops what no call has asked for in a while.
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

/// Pairs of vertices of `edges` on the outline.
void outline(const Mesh& mesh, const std::vector<MeshEdge>& edges, const Projection3& projection,
             std::vector<std::pair<std::uint32_t, std::uint32_t>>& found);

/// Calls `each` with every edge of the outline as a line one point wide, of the surface's colour there. `edges`: of the
/// surface's mesh.
void forOutline(const Surface& surface, const std::vector<MeshEdge>& edges, const Projection3& projection,
                const Point3& light, const std::function<void(const Tube&)>& each);

}  // namespace sepx::render

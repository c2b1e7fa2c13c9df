// SPDX-License-Identifier: Apache-2.0
// Reduces the number of triangles of a mesh. The shortest edges are collapsed first, onto one of their ends, so that
// the remaining vertices do not move. The rim of the mesh keeps its shape, no triangle is flipped, and edges of more
// than two triangles are left unchanged. Pure; any thread.
#pragma once

#include <memory>

#include "engine/render/scene3.h"

namespace sepx::render {

/// Returns a mesh of at most about `most` triangles, or more if no further edge can be collapsed. Invalid triangles are
/// dropped.
std::shared_ptr<Mesh> coarsened(const Mesh& mesh, std::size_t most);

}  // namespace sepx::render

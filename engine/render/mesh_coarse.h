// SPDX-License-Identifier: Apache-2.0
// A mesh with fewer triangles: the shortest edges are collapsed first, onto one of their ends, so that what stays lies
// where it lay. The mesh's rim keeps its shape, no triangle turns over, and places where more than two triangles meet
// are left alone. Pure; any thread.
#pragma once

#include <memory>

#include "engine/render/scene3.h"

namespace sepx::render {

/// At most about `most` triangles; more where nothing can be collapsed any more. Triangles that are none are dropped.
std::shared_ptr<Mesh> coarsened(const Mesh& mesh, std::size_t most);

}  // namespace sepx::render

// SPDX-License-Identifier: Apache-2.0
// Polygons and lines of a three-dimensional picture (painter3.h) as elements of an SVG document. Pure; any thread.
#pragma once

#include <string>

#include "engine/render/painter3.h"

namespace sepx::render::svg {

/// The element of an area or a line, for a group with shape-rendering="crispEdges". Markers are written like those of
/// flat pictures.
std::string element(const Painting& painting, const Painted& painted);

}  // namespace sepx::render::svg

// SPDX-License-Identifier: Apache-2.0
// The same Scene as an SVG document: lines as paths, text as text, heat maps and label maps as one embedded PNG each.
// Bytes depend on the scene alone. Any thread.
#pragma once

#include <string>

#include "engine/render/scene.h"

namespace sepx::render {

struct SvgOptions {
  std::string title;
  std::string recipe;  ///< JSON text for <metadata>, under the key Separatrix-Recipe; empty: none
};

std::string toSvg(const Scene& scene, const SvgOptions& options = {});

}  // namespace sepx::render

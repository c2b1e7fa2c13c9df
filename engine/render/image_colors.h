// SPDX-License-Identifier: Apache-2.0
// Converts heat maps and label maps to pictures with one pixel per value, which files embed. Uses the same colour
// tables as the shaders. Any thread.
#pragma once

#include "engine/gpu/frame_target.h"
#include "engine/render/scene.h"

namespace sepx::render {

/// Half-open range of the values of an image.
struct TexelRange {
  int left = 0, top = 0, right = 0, bottom = 0;
};

gpu::Pixels colored(const Heatmap& map, const TexelRange& range);   ///< one pixel per texel
gpu::Pixels colored(const LabelMap& map, const TexelRange& range);  ///< one pixel per texel

}  // namespace sepx::render

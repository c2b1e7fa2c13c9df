// SPDX-License-Identifier: Apache-2.0
// Heat maps and label maps as pictures of their own, one pixel a value: what files embed. The same tables as the
// shaders use. Any thread.
#pragma once

#include "engine/gpu/frame_target.h"
#include "engine/render/scene.h"

namespace sepx::render {

/// Half-open range of the values of an image.
struct TexelRange {
  int left = 0, top = 0, right = 0, bottom = 0;
};

gpu::Pixels colored(const Heatmap& map, const TexelRange& range);   ///< a pixel each texel
gpu::Pixels colored(const LabelMap& map, const TexelRange& range);  ///< a pixel each texel

}  // namespace sepx::render

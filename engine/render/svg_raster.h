// SPDX-License-Identifier: Apache-2.0
// An SVG document of ours as pixels, by librsvg on the CPU. Any thread.
#pragma once

#include <string>

#include "engine/core/result.h"
#include "engine/gpu/offscreen_target.h"

namespace sepx::render {

/// The whole document on that many pixels, transparent where it draws nothing. Internal with the reason.
Result<gpu::Pixels> rasterized(const std::string& svg, gpu::Extent extent);

}  // namespace sepx::render

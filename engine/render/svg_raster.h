// SPDX-License-Identifier: Apache-2.0
// Renders an SVG document of this program to pixels, with librsvg on the CPU. Any thread.
#pragma once

#include <string>

#include "engine/core/result.h"
#include "engine/gpu/offscreen_target.h"

namespace sepx::render {

/// The whole document, scaled to `extent` pixels, transparent where it draws nothing. Fails with Internal and the
/// reason.
Result<gpu::Pixels> rasterized(const std::string& svg, gpu::Extent extent);

}  // namespace sepx::render

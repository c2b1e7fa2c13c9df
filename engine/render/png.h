// SPDX-License-Identifier: Apache-2.0
// PNG through libpng. Deterministic bytes; no time stamp. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "engine/gpu/frame_target.h"

namespace sepx::render {

/// iTXt chunks: key, UTF-8 text.
using PngTexts = std::vector<std::pair<std::string, std::string>>;

std::string encodePng(const gpu::Pixels& pixels, const PngTexts& texts = {});
/// Written aside and renamed into place; OutputFailed with the path and the system's reason.
Result<void> writePng(const gpu::Pixels& pixels, const std::string& path, const PngTexts& texts = {});
Result<gpu::Pixels> readPng(const std::string& path);

}  // namespace sepx::render

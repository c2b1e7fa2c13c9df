// SPDX-License-Identifier: Apache-2.0
// Writes and reads PNG with libpng. The bytes are deterministic and contain no time stamp. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "engine/gpu/frame_target.h"

namespace sepx::render {

/// iTXt chunks: key, UTF-8 text.
using PngTexts = std::vector<std::pair<std::string, std::string>>;

std::string encodePng(const gpu::Pixels& pixels, const PngTexts& texts = {});  ///< file with texts; empty on failure
/// Writes a temporary file and renames it. OutputFailed, with the path and the system's reason.
Result<void> writePng(const gpu::Pixels& pixels, const std::string& path, const PngTexts& texts = {});
/// BadInput, with the path, if it is not a picture, has more than 64 M pixels, or claims more pixels than its bytes can
/// hold.
Result<gpu::Pixels> readPng(const std::string& path);
/// Returns a text that precedes the pixels in a PNG's bytes; an empty optional when there is none. BadInput, without a
/// file name, when that part is broken.
Result<std::optional<std::string>> textInPng(std::string_view bytes, std::string_view key);

}  // namespace sepx::render

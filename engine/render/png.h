// SPDX-License-Identifier: Apache-2.0
// PNG through libpng. Deterministic bytes; no time stamp. Any thread.
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

std::string encodePng(const gpu::Pixels& pixels, const PngTexts& texts = {});  ///< a whole file, with these texts
/// Written aside and renamed into place; OutputFailed with the path and the system's reason.
Result<void> writePng(const gpu::Pixels& pixels, const std::string& path, const PngTexts& texts = {});
/// BadInput with the path: not a picture, more than 64 M pixels, or more than the bytes of the file can hold.
Result<gpu::Pixels> readPng(const std::string& path);
/// A text that stands before the picture in a PNG's bytes; nothing when there is none. BadInput, without a file's name,
/// when that much of it is broken.
Result<std::optional<std::string>> textInPng(std::string_view bytes, std::string_view key);

}  // namespace sepx::render

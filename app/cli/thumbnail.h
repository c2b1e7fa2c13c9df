// SPDX-License-Identifier: Apache-2.0
// Thumbnails of files for file managers, made on the CPU alone: for a session what it shows, for weights their heads as
// tiles. Only a bounded part of a file is read, so that a large model takes no longer than a small one. One thread at a
// time; no Vulkan, no window.
#pragma once

#include <string>

#include "app/options.h"
#include "engine/core/result.h"
#include "engine/gpu/frame_target.h"

namespace sepx::app::cli {

inline constexpr int kLeastThumbnail = 16, kMostThumbnail = 1024;  // pixels of the longer side

/// The thumbnail of a safetensors, GGUF or session file, recognised by content; at most `side` pixels wide and high.
/// BadInput with one sentence for any other file, and for a file that has nothing to show.
Result<gpu::Pixels> thumbnailOf(const std::string& path, int side, const Options& common);

}  // namespace sepx::app::cli

// SPDX-License-Identifier: Apache-2.0
// Small pictures of files for file managers, by the CPU alone: of a session what it shows, of weights their heads as
// tiles. Both look at a bounded part of a file, so that a large model takes no longer than a small one. One thread at a
// time; no Vulkan, no window.
#pragma once

#include <string>

#include "app/options.h"
#include "engine/core/result.h"
#include "engine/gpu/frame_target.h"

namespace sepx::app::cli {

inline constexpr int kLeastThumbnail = 16, kMostThumbnail = 1024;  // pixels of the longer side

/// Of safetensors, GGUF, or a session, by content; at most `side` pixels wide and high. BadInput with one sentence for
/// another file, and for one that has nothing to show.
Result<gpu::Pixels> thumbnailOf(const std::string& path, int side, const Options& common);

}  // namespace sepx::app::cli

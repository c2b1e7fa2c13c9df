// SPDX-License-Identifier: Apache-2.0
// The Vulkan side of a frame being recorded: what renderers and painters draw into. Frame thread only.
#pragma once

#include <vulkan/vulkan.h>

#include "engine/gpu/frame_target.h"

namespace sepx::gpu {

/// All targets share this format, so every pipeline is made once.
inline constexpr VkFormat kTargetFormat = VK_FORMAT_B8G8R8A8_UNORM;

struct Frame {
  VkCommandBuffer commands = VK_NULL_HANDLE;   ///< recording, outside any render pass
  VkFramebuffer framebuffer = VK_NULL_HANDLE;  ///< compatible with Context::renderPass()
  Extent extent;
};

}  // namespace sepx::gpu

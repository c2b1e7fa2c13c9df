// SPDX-License-Identifier: Apache-2.0
// The Vulkan side of a frame being recorded: what renderers and painters draw into. Frame thread only.
#pragma once

#include <cstdint>

#include <vulkan/vulkan.h>

#include "engine/gpu/frame_target.h"

namespace sepx::gpu {

/// All targets share this format, so every pipeline is made once.
inline constexpr VkFormat kTargetFormat = VK_FORMAT_B8G8R8A8_UNORM;

/// Frames that may be on the device while the next is recorded, over all targets together.
inline constexpr std::uint32_t kFramesInFlight = 2;

struct Frame {
  VkCommandBuffer commands = VK_NULL_HANDLE;  ///< recording, outside any render pass
  /// Compatible with Context::renderPass() and Context::keepingRenderPass(). Every frame must begin one of the two
  /// once.
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  Extent extent;
  /// 0 to kFramesInFlight - 1. The previous frame with this index has finished, so data kept per index (upload rings)
  /// may be overwritten. All targets of a context share these indices.
  std::uint32_t index = 0;
  /// Image of the framebuffer, in COLOR_ATTACHMENT_OPTIMAL, for copies into it before the render pass. Null when it
  /// cannot be copied into.
  VkImage image = VK_NULL_HANDLE;
};

}  // namespace sepx::gpu

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
  /// For Context::renderPass() and Context::keepingRenderPass(), one of which every frame must begin once.
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  Extent extent;
  /// 0 to kFramesInFlight - 1. The frame that had this index before is finished: what is kept per index (upload rings)
  /// may be overwritten. Indices run over all targets of a context.
  std::uint32_t index = 0;
  /// Of the framebuffer, in COLOR_ATTACHMENT_OPTIMAL, for copies before the render pass; null: nothing can be copied.
  VkImage image = VK_NULL_HANDLE;
};

}  // namespace sepx::gpu

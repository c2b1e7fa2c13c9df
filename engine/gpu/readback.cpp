// SPDX-License-Identifier: Apache-2.0
// Copies an image to a mapped buffer and converts it to RGBA. The buffer grows to the largest picture and is kept.
// Frame thread.
#include "engine/gpu/readback.h"

namespace sepx::gpu {

void Readback::record(Context& context, VkCommandBuffer commands, VkImage image, Extent extent) {
  const VkDeviceSize bytes = VkDeviceSize{4} * extent.width * extent.height;
  if (buffer_.size() < bytes)
    buffer_ = Buffer(
        context,
        {.size = bytes, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT, .memory = MemoryUse::Readback, .name = "readback"});
  extent_ = extent;
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {extent.width, extent.height, 1};
  // The buffer may still be written by the copy before this one.
  memoryBarrier(commands, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT);
  vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer_.get(), 1, &region);
  memoryBarrier(commands, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT);
}

Pixels Readback::pixels() const {
  Pixels result{extent_, std::vector<std::uint8_t>(std::size_t{4} * extent_.width * extent_.height)};
  const auto* bgra = reinterpret_cast<const std::uint8_t*>(buffer_.mapped());
  for (std::size_t i = 0; i < result.rgba.size(); i += 4) {
    result.rgba[i] = bgra[i + 2];
    result.rgba[i + 1] = bgra[i + 1];
    result.rgba[i + 2] = bgra[i];
    result.rgba[i + 3] = 255;
  }
  return result;
}

}  // namespace sepx::gpu

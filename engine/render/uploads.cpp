// SPDX-License-Identifier: Apache-2.0
#include "engine/render/uploads.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sepx::render {
namespace {

constexpr VkDeviceSize kWord = 16;  // bytes: one uvec4
constexpr VkDeviceSize kLargeStaging = VkDeviceSize{8}
                                       << 20;  // larger uploads get a buffer of their own, freed afterwards

gpu::Buffer stagingBuffer(gpu::Context& context, VkDeviceSize size) {
  return gpu::Buffer(
      context,
      {.size = size, .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT, .memory = gpu::MemoryUse::Upload, .name = "texels"});
}

}  // namespace

Uploads::Uploads(gpu::Context& context, const Pipelines& pipelines, SharedPictures pictures)
    : context_(context), pipelines_(pipelines), pictures_(pictures) {}

void Uploads::begin(std::uint32_t slot) {
  slot_ = &slots_[slot];
  slot_->used = 0;
}

void Uploads::texels(VkCommandBuffer commands, const gpu::Image& image, std::span<const std::byte> bytes,
                     std::uint32_t top, std::uint32_t rows) {
  gpu::Buffer own;
  gpu::Buffer* buffer = &slot_->staging;
  VkDeviceSize at = 0;
  if (bytes.size() > kLargeStaging) {
    own = stagingBuffer(context_, bytes.size());
    buffer = &own;
  } else {
    if (!*buffer || slot_->used + bytes.size() > buffer->size()) {
      // The deletion queue keeps the old buffer alive for the copies of this frame.
      *buffer = stagingBuffer(context_, std::bit_ceil(std::max<VkDeviceSize>(VkDeviceSize{1} << 20, 2 * bytes.size())));
      slot_->used = 0;
    }
    at = slot_->used;
    slot_->used += (bytes.size() + kWord - 1) / kWord * kWord;
  }
  std::memcpy(buffer->mapped() + at, bytes.data(), bytes.size());
  VkBufferImageCopy region{};
  region.bufferOffset = at;
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageOffset = {0, static_cast<std::int32_t>(top), 0};
  region.imageExtent = {image.extent().width, rows, 1};
  vkCmdCopyBufferToImage(commands, buffer->get(), image.get(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
}

VkDescriptorSet Uploads::reserve(std::size_t words) {
  const VkDeviceSize size = std::max<VkDeviceSize>(1, words) * kWord;
  if (!slot_->words || size > slot_->words.size()) {
    slot_->words =
        gpu::Buffer(context_, {.size = std::bit_ceil(std::max<VkDeviceSize>(VkDeviceSize{1} << 16, size)),
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT,
                               .memory = gpu::MemoryUse::Upload,
                               .name = "records"});
    slot_->set = pipelines_.frameSets->make();
    slot_->set.writeBuffer(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, slot_->words.get());
    slot_->set.writeImage(1, pictures_.colorTables, pipelines_.sampler.get());
    slot_->set.writeImage(2, pictures_.atlas, pipelines_.sampler.get());
  }
  return slot_->set.get();
}

void Uploads::write(std::size_t at, std::span<const std::byte> bytes) {
  if (!bytes.empty()) std::memcpy(slot_->words.mapped() + at * kWord, bytes.data(), bytes.size());
}

}  // namespace sepx::render

// SPDX-License-Identifier: Apache-2.0
// Host memory that the device reads: per frame in flight one buffer of records and one of texels, mapped for ever,
// growing by doubling, so that a steady picture allocates nothing. Frame thread only.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/gpu/buffer.h"
#include "engine/gpu/frame.h"
#include "engine/gpu/image.h"
#include "engine/render/pipelines.h"

namespace sepx::render {

/// The fixed pictures of set 0.
struct SharedPictures {
  VkImageView colorTables = VK_NULL_HANDLE, atlas = VK_NULL_HANDLE;
};

class Uploads {
 public:
  Uploads(gpu::Context& context, const Pipelines& pipelines, SharedPictures pictures);

  /// The frame that had this slot is finished; its memory is free again.
  void begin(std::uint32_t slot);
  /// Copies into `image` from row `top` on; tightly packed rows of `texelSize` bytes a texel. The image must be in
  /// TRANSFER_DST_OPTIMAL.
  void texels(VkCommandBuffer commands, const gpu::Image& image, std::span<const std::byte> bytes, std::uint32_t top,
              std::uint32_t rows);
  /// Set 0 over a buffer that holds `words` (16 bytes each); the bytes are copied by write().
  VkDescriptorSet reserve(std::size_t words);
  /// The reserved buffer; indices may lie in it, too.
  VkBuffer buffer() const { return slot_->words.get(); }
  /// Copies at word `at` of the reserved buffer.
  void write(std::size_t at, std::span<const std::byte> bytes);

 private:
  struct Slot {
    gpu::Buffer words, staging;
    gpu::DescriptorSet set;
    VkDeviceSize used = 0;  // of staging
  };
  gpu::Context& context_;
  const Pipelines& pipelines_;
  SharedPictures pictures_;
  std::array<Slot, gpu::kFramesInFlight> slots_;
  Slot* slot_ = nullptr;
};

}  // namespace sepx::render

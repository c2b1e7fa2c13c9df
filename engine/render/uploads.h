// SPDX-License-Identifier: Apache-2.0
// Host memory that the device reads: for each frame in flight, one buffer of records and one of texels. They stay
// mapped and grow by doubling, so that a picture of constant size allocates nothing. Frame thread only.
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

  /// Begins a frame in `slot`. The previous frame in this slot must have finished; its memory is reused.
  void begin(std::uint32_t slot);
  /// Copies `rows` tightly packed rows into `image`, from row `top` on. The image must be in TRANSFER_DST_OPTIMAL.
  void texels(VkCommandBuffer commands, const gpu::Image& image, std::span<const std::byte> bytes, std::uint32_t top,
              std::uint32_t rows);
  /// Returns set 0 with a buffer for at least `words` words (16 bytes each). write() copies the bytes.
  VkDescriptorSet reserve(std::size_t words);
  /// The reserved buffer. It may also contain indices.
  VkBuffer buffer() const { return slot_->words.get(); }
  /// Copies `bytes` to word `at` of the reserved buffer.
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

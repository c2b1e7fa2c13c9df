// SPDX-License-Identifier: Apache-2.0
// Allocates device memory in blocks, because drivers allow few allocations (maxMemoryAllocationCount) and because
// lavapipe has one memory type for everything. Buffers and images live in different blocks (bufferImageGranularity).
// Host-visible blocks stay mapped and are coherent. Frame thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <vulkan/vulkan.h>

#include "engine/gpu/free_list.h"

namespace sepx::gpu {

/// Gpu: used only by the device. Upload: written by the host. Readback: read by the host (cached where there is such
/// memory).
enum class MemoryUse { Gpu, Upload, Readback };
enum class MemoryFor { Buffers, Images };  ///< kinds of resources that must not share a block

struct Allocation {  ///< a piece of a block
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkDeviceSize offset = 0, size = 0;
  std::byte* mapped = nullptr;  ///< start of the allocation; null for Gpu memory that the host cannot see
};

class Allocator {  ///< allocates pieces of large blocks; for one thread
 public:
  Allocator(VkPhysicalDevice physicalDevice, VkDevice device);
  /// Everything must have been freed.
  ~Allocator();
  Allocator(const Allocator&) = delete;
  Allocator& operator=(const Allocator&) = delete;

  /// Throws VulkanError when the device has no memory left.
  Allocation allocate(const VkMemoryRequirements& requirements, MemoryUse use, MemoryFor purpose);
  void free(const Allocation& allocation);

  std::size_t blocks() const { return blocks_.size(); }
  VkDeviceSize used() const { return used_; }

 private:
  struct Block {
    VkDeviceMemory memory;
    std::uint32_t type;
    MemoryFor purpose;
    std::byte* mapped;
    FreeList list;
  };
  std::uint32_t chooseType(std::uint32_t typeBits, MemoryUse use) const;
  Block& addBlock(std::uint32_t type, MemoryFor purpose, VkDeviceSize size);

  VkDevice device_;
  VkPhysicalDeviceMemoryProperties properties_{};
  std::vector<std::unique_ptr<Block>> blocks_;
  VkDeviceSize used_ = 0;
};

}  // namespace sepx::gpu

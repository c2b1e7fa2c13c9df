// SPDX-License-Identifier: Apache-2.0
// A Vulkan buffer together with its memory. Upload and Readback buffers are mapped for their whole life. Constructors
// throw VulkanError. Frame thread.
#pragma once

#include <string>

#include "engine/gpu/handle.h"
#include "engine/gpu/memory.h"

namespace sepx::gpu {

/// Owns one allocation of an Allocator. It is freed through the deletion queue.
class Memory {
 public:
  Memory() = default;
  Memory(Context& context, const VkMemoryRequirements& requirements, MemoryUse use, MemoryFor purpose);
  Memory(Memory&& other) noexcept
      : context_(other.context_), allocation_(std::exchange(other.allocation_, Allocation{})) {}
  Memory& operator=(Memory&& other) noexcept;
  ~Memory() { release(); }
  const Allocation& allocation() const { return allocation_; }

 private:
  void release();
  Context* context_ = nullptr;
  Allocation allocation_;
};

struct BufferOptions {    ///< options for a new buffer
  VkDeviceSize size = 0;  ///< bytes, at least 1
  VkBufferUsageFlags usage = 0;
  MemoryUse memory = MemoryUse::Gpu;
  std::string name;
};

class Buffer {
 public:
  Buffer() = default;
  Buffer(Context& context, const BufferOptions& options);

  VkBuffer get() const { return buffer_.get(); }
  VkDeviceSize size() const { return size_; }
  /// Null for Gpu memory that the host cannot see.
  std::byte* mapped() const { return memory_.allocation().mapped; }
  explicit operator bool() const { return static_cast<bool>(buffer_); }

 private:
  Memory memory_;  // first: freed after the buffer
  Handle<VkBuffer> buffer_;
  VkDeviceSize size_ = 0;
};

/// Records a global memory barrier between two uses inside one command buffer.
void memoryBarrier(VkCommandBuffer commands, VkPipelineStageFlags2 fromStage, VkAccessFlags2 fromAccess,
                   VkPipelineStageFlags2 toStage, VkAccessFlags2 toAccess);

}  // namespace sepx::gpu

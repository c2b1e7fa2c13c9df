// SPDX-License-Identifier: Apache-2.0
// Buffers with their memory, and the global memory barrier. Frame thread.
#include "engine/gpu/buffer.h"

#include "engine/gpu/check.h"

namespace sepx::gpu {

Memory::Memory(Context& context, const VkMemoryRequirements& requirements, MemoryUse use, MemoryFor purpose)
    : context_(&context), allocation_(context.memory().allocate(requirements, use, purpose)) {}

Memory& Memory::operator=(Memory&& other) noexcept {
  if (this == &other) return *this;
  release();
  context_ = other.context_;
  allocation_ = std::exchange(other.allocation_, Allocation{});
  return *this;
}

void Memory::release() {
  if (!allocation_.memory) return;
  context_->queue().retire([allocator = &context_->memory(), allocation = std::exchange(allocation_, Allocation{})] {
    allocator->free(allocation);
  });
}

Buffer::Buffer(Context& context, const BufferOptions& options) : size_(options.size) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = options.size;
  info.usage = options.usage;
  VkBuffer buffer = VK_NULL_HANDLE;
  VK_CHECK(vkCreateBuffer(context.device(), &info, nullptr, &buffer));
  buffer_ = Handle<VkBuffer>(context, buffer, vkDestroyBuffer);
  VkMemoryRequirements requirements{};
  vkGetBufferMemoryRequirements(context.device(), buffer, &requirements);
  memory_ = Memory(context, requirements, options.memory, MemoryFor::Buffers);
  VK_CHECK(vkBindBufferMemory(context.device(), buffer, memory_.allocation().memory, memory_.allocation().offset));
  context.name(VK_OBJECT_TYPE_BUFFER, objectNumber(buffer), options.name);
}

void memoryBarrier(VkCommandBuffer commands, VkPipelineStageFlags2 fromStage, VkAccessFlags2 fromAccess,
                   VkPipelineStageFlags2 toStage, VkAccessFlags2 toAccess) {
  VkMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  barrier.srcStageMask = fromStage;
  barrier.srcAccessMask = fromAccess;
  barrier.dstStageMask = toStage;
  barrier.dstAccessMask = toAccess;
  VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &barrier;
  vkCmdPipelineBarrier2(commands, &dependency);
}

}  // namespace sepx::gpu

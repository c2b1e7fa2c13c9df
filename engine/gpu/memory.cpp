// SPDX-License-Identifier: Apache-2.0
// Blocks of device memory and the choice of memory type. Frame thread.
#include "engine/gpu/memory.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "engine/gpu/check.h"

namespace sepx::gpu {

namespace {
constexpr VkDeviceSize kBlockSize = VkDeviceSize{16} << 20;
}  // namespace

Allocator::Allocator(VkPhysicalDevice physicalDevice, VkDevice device) : device_(device) {
  vkGetPhysicalDeviceMemoryProperties(physicalDevice, &properties_);
}

Allocator::~Allocator() {
  assert(used_ == 0 && "a resource outlived its Context");
  for (const auto& block : blocks_)
    vkFreeMemory(device_, block->memory, nullptr);
}

std::uint32_t Allocator::chooseType(std::uint32_t typeBits, MemoryUse use) const {
  constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  constexpr VkMemoryPropertyFlags kHost = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  std::array<VkMemoryPropertyFlags, 2> choices{};  // the second is what Vulkan guarantees to exist
  if (use == MemoryUse::Gpu) choices = {kLocal, 0};
  if (use == MemoryUse::Upload) choices = {kHost, kHost};
  if (use == MemoryUse::Readback) choices = {kHost | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, kHost};
  for (const VkMemoryPropertyFlags wanted : choices)
    for (std::uint32_t type = 0; type < properties_.memoryTypeCount; ++type)
      if ((typeBits >> type & 1) && (properties_.memoryTypes[type].propertyFlags & wanted) == wanted) return type;
  throw VulkanError(VK_ERROR_FEATURE_NOT_PRESENT, "Allocator::chooseType");
}

Allocator::Block& Allocator::addBlock(std::uint32_t type, MemoryFor purpose, VkDeviceSize size) {
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = size;
  info.memoryTypeIndex = type;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VK_CHECK(vkAllocateMemory(device_, &info, nullptr, &memory));
  void* mapped = nullptr;
  if (properties_.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) {
    const VkResult result = vkMapMemory(device_, memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    if (result < 0) vkFreeMemory(device_, memory, nullptr);
    check(result, "vkMapMemory");
  }
  blocks_.push_back(
      std::make_unique<Block>(Block{memory, type, purpose, static_cast<std::byte*>(mapped), FreeList(size)}));
  return *blocks_.back();
}

Allocation Allocator::allocate(const VkMemoryRequirements& requirements, MemoryUse use, MemoryFor purpose) {
  const std::uint32_t type = chooseType(requirements.memoryTypeBits, use);
  Block* home = nullptr;
  std::optional<std::uint64_t> offset;
  for (const auto& block : blocks_) {
    if (block->type != type || block->purpose != purpose) continue;
    offset = block->list.allocate(requirements.size, requirements.alignment);
    if (offset) {
      home = block.get();
      break;
    }
  }
  if (!home) {
    // A resource larger than half a block gets a block of exactly its size.
    home = &addBlock(type, purpose, requirements.size > kBlockSize / 2 ? requirements.size : kBlockSize);
    offset = home->list.allocate(requirements.size, requirements.alignment);
  }
  used_ += requirements.size;
  return {home->memory, *offset, requirements.size, home->mapped ? home->mapped + *offset : nullptr};
}

void Allocator::free(const Allocation& allocation) {
  const auto home = std::find_if(blocks_.begin(), blocks_.end(),
                                 [&](const auto& block) { return block->memory == allocation.memory; });
  assert(home != blocks_.end());
  (*home)->list.release(allocation.offset, allocation.size);
  used_ -= allocation.size;
  if (!(*home)->list.empty()) return;
  // One empty block of each type and purpose is kept, so that a picture resized back and forth does not allocate each
  // time.
  const Block& block = **home;
  const bool spare = std::any_of(blocks_.begin(), blocks_.end(), [&](const auto& other) {
    return other.get() != &block && other->type == block.type && other->purpose == block.purpose && other->list.empty();
  });
  if (!spare && block.list.free() == kBlockSize) return;
  vkFreeMemory(device_, block.memory, nullptr);
  blocks_.erase(home);
}

}  // namespace sepx::gpu

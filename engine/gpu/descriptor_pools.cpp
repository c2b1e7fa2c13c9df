// SPDX-License-Identifier: Apache-2.0
// Pools that count their sets. The limit of a pool is enforced here, because a driver need not report that a pool is
// full. Frame thread.
#include "engine/gpu/descriptor_pools.h"

#include <cassert>
#include <utility>

#include "engine/gpu/check.h"

namespace sepx::gpu {

CountedPool::CountedPool(Context& context, const std::vector<VkDescriptorPoolSize>& ofOne, std::uint32_t most)
    : device(context.device()), size(most) {
  std::vector<VkDescriptorPoolSize> sizes = ofOne;
  for (VkDescriptorPoolSize& one : sizes)
    one.descriptorCount *= most;
  handle = createDescriptorPool(context, most, sizes);
}

CountedPool::~CountedPool() {
  vkDestroyDescriptorPool(device, handle, nullptr);
}

DescriptorPools::DescriptorPools(Context& context, VkDescriptorSetLayout layout,
                                 std::vector<VkDescriptorPoolSize> ofOne, std::uint32_t setsPerPool)
    : context_(context), layout_(layout), ofOne_(std::move(ofOne)), setsPerPool_(setsPerPool) {
  assert(setsPerPool > 0);
}

/// Returns an empty set when the pool is full.
DescriptorSet DescriptorPools::makeIn(const std::shared_ptr<CountedPool>& pool) {
  VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = pool->handle;
  info.descriptorSetCount = 1;
  info.pSetLayouts = &layout_;
  VkDescriptorSet set = VK_NULL_HANDLE;
  const VkResult result = vkAllocateDescriptorSets(context_.device(), &info, &set);
  if (result == VK_ERROR_OUT_OF_POOL_MEMORY || result == VK_ERROR_FRAGMENTED_POOL) {
    pool->size = pool->sets;  // the driver fits fewer: the pool is full until one of its sets is freed
    return {};
  }
  check(result, "vkAllocateDescriptorSets");
  ++pool->sets;
  assert(pool->sets <= pool->size);
  return DescriptorSet(context_, pool, set);
}

DescriptorSet DescriptorPools::make() {
  for (const auto& pool : pools_) {
    if (pool->sets >= pool->size) continue;
    if (DescriptorSet set = makeIn(pool)) return set;
  }
  pools_.push_back(std::make_shared<CountedPool>(context_, ofOne_, setsPerPool_));
  if (DescriptorSet set = makeIn(pools_.back())) return set;
  throw VulkanError(VK_ERROR_OUT_OF_DEVICE_MEMORY, "vkAllocateDescriptorSets");
}

void DescriptorPools::trim() {
  bool kept = false;  // one empty pool is kept, so that a picture that comes and goes does not create a pool each time
  std::erase_if(pools_, [&kept](const std::shared_ptr<CountedPool>& pool) {
    return pool->sets == 0 && (pool->size == 0 || std::exchange(kept, true));
  });
}

DescriptorPools::Use DescriptorPools::use() const {
  Use use{.pools = pools_.size()};
  for (const auto& pool : pools_) {
    use.sets += pool->sets;
    use.room += pool->size;
  }
  return use;
}

}  // namespace sepx::gpu

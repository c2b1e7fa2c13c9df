// SPDX-License-Identifier: Apache-2.0
// Descriptor pools with a strict size: a pool has room for the number of sets for which it was created and returns
// VK_ERROR_OUT_OF_POOL_MEMORY beyond it, as the drivers of graphics cards do. The pools of Lavapipe have no limit. The
// functions below replace those of the loader: if one source file of a test program includes this header, all its tests
// use such pools.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>

#include <dlfcn.h>
#include <vulkan/vulkan.h>

namespace sepx::tests {

class StrictPools {
 public:
  static StrictPools& instance() {
    static StrictPools all;
    return all;
  }

  std::uint32_t most =
      std::numeric_limits<std::uint32_t>::max();  ///< maximum number of sets of any pool, in addition to its own size
  std::size_t refused = 0;                        ///< number of refused allocations so far

  void add(VkDescriptorPool pool, std::uint32_t size) {
    const std::lock_guard lock(mutex_);
    pools_[pool] = {size, 0};
  }
  void remove(VkDescriptorPool pool) {
    const std::lock_guard lock(mutex_);
    pools_.erase(pool);
  }
  bool take(VkDescriptorPool pool, std::uint32_t sets) {
    const std::lock_guard lock(mutex_);
    Pool& of = pools_[pool];
    if (of.sets + sets > of.size || of.sets + sets > most) {
      ++refused;
      return false;
    }
    of.sets += sets;
    return true;
  }
  void give(VkDescriptorPool pool, std::uint32_t sets) {
    const std::lock_guard lock(mutex_);
    pools_[pool].sets -= sets;
  }

 private:
  struct Pool {
    std::uint32_t size = 0, sets = 0;
  };
  std::mutex mutex_;  // contexts have threads of their own
  std::map<VkDescriptorPool, Pool> pools_;
};

template <class Function>
Function nextVulkan(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace sepx::tests

extern "C" {

VkResult vkCreateDescriptorPool(VkDevice device, const VkDescriptorPoolCreateInfo* info,
                                const VkAllocationCallbacks* callbacks, VkDescriptorPool* pool) {
  static const auto next = sepx::tests::nextVulkan<PFN_vkCreateDescriptorPool>("vkCreateDescriptorPool");
  const VkResult result = next(device, info, callbacks, pool);
  if (result == VK_SUCCESS) sepx::tests::StrictPools::instance().add(*pool, info->maxSets);
  return result;
}

void vkDestroyDescriptorPool(VkDevice device, VkDescriptorPool pool, const VkAllocationCallbacks* callbacks) {
  static const auto next = sepx::tests::nextVulkan<PFN_vkDestroyDescriptorPool>("vkDestroyDescriptorPool");
  sepx::tests::StrictPools::instance().remove(pool);
  next(device, pool, callbacks);
}

VkResult vkAllocateDescriptorSets(VkDevice device, const VkDescriptorSetAllocateInfo* info, VkDescriptorSet* sets) {
  static const auto next = sepx::tests::nextVulkan<PFN_vkAllocateDescriptorSets>("vkAllocateDescriptorSets");
  auto& pools = sepx::tests::StrictPools::instance();
  if (!pools.take(info->descriptorPool, info->descriptorSetCount)) return VK_ERROR_OUT_OF_POOL_MEMORY;
  const VkResult result = next(device, info, sets);
  if (result != VK_SUCCESS) pools.give(info->descriptorPool, info->descriptorSetCount);
  return result;
}

VkResult vkFreeDescriptorSets(VkDevice device, VkDescriptorPool pool, std::uint32_t count,
                              const VkDescriptorSet* sets) {
  static const auto next = sepx::tests::nextVulkan<PFN_vkFreeDescriptorSets>("vkFreeDescriptorSets");
  sepx::tests::StrictPools::instance().give(pool, count);
  return next(device, pool, count, sets);
}

}  // extern "C"

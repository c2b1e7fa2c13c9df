// SPDX-License-Identifier: Apache-2.0
// Allocates any number of descriptor sets of one layout: when all pools are full, another one is created, and trim()
// destroys pools without sets. A pool lives until the device is done with the last of its sets. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/gpu/pipeline.h"

namespace sepx::gpu {

/// A descriptor pool and the number of its sets. The sets share its ownership, so it is destroyed after the last of
/// them was freed.
struct CountedPool {
  /// `ofOne`: descriptors of one set, by type. Throws VulkanError.
  CountedPool(Context& context, const std::vector<VkDescriptorPoolSize>& ofOne, std::uint32_t sets);
  ~CountedPool();
  CountedPool(const CountedPool&) = delete;
  CountedPool& operator=(const CountedPool&) = delete;

  VkDevice device;
  VkDescriptorPool handle = VK_NULL_HANDLE;
  std::uint32_t size;      ///< sets that fit
  std::uint32_t sets = 0;  ///< allocated and not yet freed
};

class DescriptorPools {
 public:
  /// `ofOne`: descriptors of one set, by type. `setsPerPool`: at least 1. The layout must outlive this.
  DescriptorPools(Context& context, VkDescriptorSetLayout layout, std::vector<VkDescriptorPoolSize> ofOne,
                  std::uint32_t setsPerPool);

  /// Throws VulkanError: OUT_OF_DEVICE_MEMORY when a new pool has no room either, but never the error code of a full
  /// pool.
  DescriptorSet make();
  /// Destroys all pools without sets except one.
  void trim();

  /// Totals over all pools.
  struct Use {
    std::size_t pools = 0;
    std::size_t sets = 0;  ///< allocated and not yet freed
    std::size_t room = 0;  ///< sets that fit into the pools
  };
  Use use() const;  ///< current totals

 private:
  DescriptorSet makeIn(const std::shared_ptr<CountedPool>& pool);

  Context& context_;
  VkDescriptorSetLayout layout_;
  std::vector<VkDescriptorPoolSize> ofOne_;
  std::uint32_t setsPerPool_;
  std::vector<std::shared_ptr<CountedPool>> pools_;
};

}  // namespace sepx::gpu

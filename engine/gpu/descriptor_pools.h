// SPDX-License-Identifier: Apache-2.0
// Descriptor sets of one layout, however many are asked for: a pool that is full is followed by another one, and pools
// without sets are destroyed. A pool lives until the device is done with the last of its sets. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/gpu/pipeline.h"

namespace sepx::gpu {

/// One pool and the number of its sets. The sets share it: it is destroyed after the last of them was freed.
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

  /// Throws VulkanError: OUT_OF_DEVICE_MEMORY where a new pool has no room either, never an error of a full pool.
  DescriptorSet make();
  /// Destroys the pools that have no sets, all but one.
  void trim();

  /// Of all pools together.
  struct Use {
    std::size_t pools = 0;
    std::size_t sets = 0;  ///< allocated and not yet freed
    std::size_t room = 0;  ///< sets that fit into the pools
  };
  Use use() const;  ///< now

 private:
  DescriptorSet makeIn(const std::shared_ptr<CountedPool>& pool);

  Context& context_;
  VkDescriptorSetLayout layout_;
  std::vector<VkDescriptorPoolSize> ofOne_;
  std::uint32_t setsPerPool_;
  std::vector<std::shared_ptr<CountedPool>> pools_;
};

}  // namespace sepx::gpu

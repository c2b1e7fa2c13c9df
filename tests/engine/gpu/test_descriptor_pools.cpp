// SPDX-License-Identifier: Apache-2.0
// Descriptor sets beyond the size of one pool. In this test program pools reject allocations beyond their size
// (strict_pools.h).
#include "engine/gpu/descriptor_pools.h"

#include <limits>
#include <optional>
#include <vector>

#include "engine/gpu/buffer.h"
#include "engine/gpu/check.h"
#include "tests/engine/gpu/gpu_test.h"
#include "tests/engine/gpu/strict_pools.h"

namespace sepx::gpu {

namespace {

struct PoolsOfFour {
  std::unique_ptr<Context> context = makeContext();
  Handle<VkDescriptorSetLayout> layout =
      makeDescriptorSetLayout(*context, {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT}});
  DescriptorPools pools{*context, layout.get(), {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}}, 4};

  std::vector<DescriptorSet> make(int count) {
    std::vector<DescriptorSet> sets;
    for (int i = 0; i < count; ++i)
      sets.push_back(pools.make());
    return sets;
  }
};

/// Limits every pool to `most` sets during its lifetime.
struct FewSets {
  explicit FewSets(std::uint32_t most) { tests::StrictPools::instance().most = most; }
  ~FewSets() { tests::StrictPools::instance().most = std::numeric_limits<std::uint32_t>::max(); }
};

}  // namespace

TEST_CASE("New descriptor pools are created as needed and removed when their sets are freed") {
  PoolsOfFour of;
  std::vector<DescriptorSet> sets = of.make(10);
  CHECK(of.pools.use().pools == 3);
  CHECK(of.pools.use().sets == 10);
  CHECK(of.pools.use().room == 12);
  for (const DescriptorSet& set : sets)
    CHECK(set);

  sets.erase(sets.begin(), sets.begin() + 4);
  CHECK(of.pools.use().sets == 10);  // the device may still use them
  of.context->waitIdle();
  CHECK(of.pools.use().sets == 6);
  std::vector<DescriptorSet> again = of.make(4);
  CHECK(of.pools.use().pools == 3);

  again.clear();
  sets.clear();
  of.context->waitIdle();
  CHECK(of.pools.use().sets == 0);
  of.pools.trim();
  CHECK(of.pools.use().pools == 1);
  CHECK(of.pools.use().room == 4);
  sets = of.make(4);
  CHECK(of.pools.use().pools == 1);
  sets.clear();
  of.context->waitIdle();
  requireClean(*of.context);
}

TEST_CASE("A set outlives the pools from which it was allocated") {
  const auto context = makeContext();
  const auto layout =
      makeDescriptorSetLayout(*context, {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT}});
  const Buffer buffer(*context, {.size = 256, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT});
  DescriptorSet set;
  {
    DescriptorPools pools(*context, layout.get(), {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}}, 2);
    set = pools.make();
  }
  context->waitIdle();
  set.writeBuffer(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer.get());
  set = {};
  context->waitIdle();
  requireClean(*context);
}

TEST_CASE("A pool that the driver reports full before its size is reached is followed by another pool") {
  PoolsOfFour of;
  const std::size_t before = tests::StrictPools::instance().refused;
  std::vector<DescriptorSet> sets;
  {
    const FewSets few(2);
    sets = of.make(5);
    CHECK(of.pools.use().pools == 3);
    CHECK(of.pools.use().sets == 5);
    CHECK(tests::StrictPools::instance().refused == before + 2);
  }
  const FewSets none(0);
  std::optional<VkResult> result;
  try {
    sets.push_back(of.pools.make());
  } catch (const VulkanError& error) {
    result = error.result();
  }
  CHECK(result == VK_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_FALSE(of.context->lost());
  of.pools.trim();
  CHECK(of.pools.use().pools == 3);
  sets.clear();
  of.context->waitIdle();
  requireClean(*of.context);
}

}  // namespace sepx::gpu

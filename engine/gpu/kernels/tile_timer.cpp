// SPDX-License-Identifier: Apache-2.0
#include "engine/gpu/kernels/tile_timer.h"

#include <array>
#include <cstdint>

#include "engine/gpu/check.h"

namespace sepx::gpu {

namespace {

std::uint32_t firstOf(std::size_t slot) {
  return static_cast<std::uint32_t>(2 * slot);
}

}  // namespace

TileTimer::TileTimer(Context& context, std::size_t slots) : context_(context) {
  VkPhysicalDeviceProperties properties{};
  vkGetPhysicalDeviceProperties(context.physicalDevice(), &properties);
  if (!properties.limits.timestampComputeAndGraphics) return;
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = firstOf(slots);
  VkQueryPool pool = VK_NULL_HANDLE;
  VK_CHECK(vkCreateQueryPool(context.device(), &info, nullptr, &pool));
  queries_ = Handle<VkQueryPool>(context, pool, vkDestroyQueryPool);
  tickMs_ = properties.limits.timestampPeriod * 1e-6;
}

void TileTimer::begin(VkCommandBuffer commands, std::size_t slot) const {
  if (!queries_) return;
  vkCmdResetQueryPool(commands, queries_.get(), firstOf(slot), 2);
  vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, queries_.get(), firstOf(slot));
}

void TileTimer::end(VkCommandBuffer commands, std::size_t slot) const {
  if (queries_)
    vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, queries_.get(), firstOf(slot) + 1);
}

std::optional<double> TileTimer::milliseconds(std::size_t slot) const {
  std::array<std::uint64_t, 2> ticks{};
  if (!queries_ || vkGetQueryPoolResults(context_.device(), queries_.get(), firstOf(slot), 2, sizeof ticks,
                                         ticks.data(), sizeof ticks[0], VK_QUERY_RESULT_64_BIT) != VK_SUCCESS)
    return std::nullopt;
  return static_cast<double>(ticks[1] - ticks[0]) * tickMs_;
}

}  // namespace sepx::gpu

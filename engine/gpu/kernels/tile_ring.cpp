// SPDX-License-Identifier: Apache-2.0
#include "engine/gpu/kernels/tile_ring.h"

#include <algorithm>
#include <array>

#include "engine/core/clock.h"
#include "engine/gpu/check.h"

namespace sepx::gpu {

namespace {

constexpr double kMostBelow = 1e-6, kMostAbove = 1e3;  // limits of the unit time, relative to the initial one

std::uint32_t firstQuery(std::size_t slot) {
  return static_cast<std::uint32_t>(2 * slot);
}

}  // namespace

TileRing::TileRing(Context& context, const char* kernel, std::size_t slots, std::vector<double> unitMs)
    : context_(context), kernel_(kernel), slots_(slots) {
  for (const double first : unitMs)
    unitMs_.push_back({first, first});
  VkPhysicalDeviceProperties properties{};
  vkGetPhysicalDeviceProperties(context.physicalDevice(), &properties);
  if (!properties.limits.timestampComputeAndGraphics) return;
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = firstQuery(slots);
  VkQueryPool pool = VK_NULL_HANDLE;
  VK_CHECK(vkCreateQueryPool(context.device(), &info, nullptr, &pool));
  queries_ = Handle<VkQueryPool>(context, pool, vkDestroyQueryPool);
  tickMs_ = properties.limits.timestampPeriod * 1e-6;
}

void TileRing::forget() {
  for (Slot& slot : slots_)
    slot.value = 0;
}

std::size_t TileRing::count(bool present) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      slots_, [&](const Slot& slot) { return slot.value != 0 && (slot.generation == generation_) == present; }));
}

std::optional<std::size_t> TileRing::freeSlot() const {
  const auto slot = std::ranges::find(slots_, std::uint64_t{0}, &Slot::value);
  if (slot == slots_.end()) return std::nullopt;
  return static_cast<std::size_t>(slot - slots_.begin());
}

/// Includes cancelled tiles, because they also occupy the device.
double TileRing::inFlightMs() const {
  double sum = 0;
  for (const Slot& slot : slots_)
    if (slot.value != 0) sum += slot.cost.units * unitMs_[slot.cost.kind].now;
  return sum;
}

std::optional<double> TileRing::timestampedMs(std::size_t slot) const {
  std::array<std::uint64_t, 2> ticks{};
  if (!queries_ || vkGetQueryPoolResults(context_.device(), queries_.get(), firstQuery(slot), 2, sizeof ticks,
                                         ticks.data(), sizeof ticks[0], VK_QUERY_RESULT_64_BIT) != VK_SUCCESS)
    return std::nullopt;
  return static_cast<double>(ticks[1] - ticks[0]) * tickMs_;
}

/// Updates the estimated time per unit from a finished tile of that kind.
void TileRing::measure(std::size_t index) {
  const Slot& slot = slots_[index];
  lastMs_ = timestampedMs(index).value_or(steadyMilliseconds() - slot.submittedAt);
  UnitMs& unit = unitMs_[slot.cost.kind];
  const double measured =
      std::clamp(lastMs_ / std::max(slot.cost.units, 1.0), kMostBelow * unit.first, kMostAbove * unit.first);
  unit.now = unit.now == unit.first ? measured : 0.5 * (unit.now + measured);
}

void TileRing::collect(TileWork& work) {
  if (context_.lost()) return;
  const std::uint64_t completed = context_.queue().completed();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].value == 0 || slots_[i].value > completed) continue;
    slots_[i].value = 0;
    measure(i);
    if (slots_[i].generation == generation_) work.take(i);
  }
}

void TileRing::submit(std::size_t index, const std::function<TileCost(VkCommandBuffer)>& record) {
  Slot& slot = slots_[index];
  Queue& queue = context_.queue();
  const VkCommandBuffer commands = queue.begin();
  const auto stamp = [&](std::uint32_t query) {
    if (queries_) vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, queries_.get(), query);
  };
  if (queries_) vkCmdResetQueryPool(commands, queries_.get(), firstQuery(index), 2);
  stamp(firstQuery(index));
  try {
    slot.cost = record(commands);
  } catch (...) {  // an open recording would keep all retired objects alive
    queue.discard(commands);
    throw;
  }
  stamp(firstQuery(index) + 1);
  slot.submittedAt = steadyMilliseconds();
  slot.generation = generation_;
  slot.value = queue.submit(commands);
}

void TileRing::wait(std::size_t slot) {
  context_.queue().wait(slots_[slot].value);
  if (context_.lost()) throw VulkanError(VK_ERROR_DEVICE_LOST, kernel_);
  slots_[slot].value = 0;
}

bool TileRing::mayBegin(const TileWork& work) const {
  return work.workLeft() && !(work.sharesBuffers() && staleInFlight());
}

KernelState TileRing::advance(TileWork& work, double budgetMs) {
  if (context_.lost()) return KernelState::Lost;
  try {
    collect(work);
    // Several tiles share a budget, so that a tile that takes longer than estimated delays a frame only by its share.
    while (!context_.lost() && mayBegin(work) && inFlightMs() < budgetMs) {
      const std::optional<std::size_t> slot = freeSlot();
      if (!slot) break;
      submit(*slot, [&](VkCommandBuffer commands) { return work.record(commands, *slot, 0.5 * budgetMs); });
    }
  } catch (const VulkanError&) {
    context_.markLost();
  }
  // Lost even if no work is left, because a tile that was not submitted is missing from the result.
  if (context_.lost()) return KernelState::Lost;
  return work.workLeft() || inFlight() ? KernelState::Working : KernelState::Done;
}

Result<void> TileRing::finish(TileWork& work, const std::function<bool()>& cancelled) {
  constexpr double kBudgetMs = 50;  // far below the time per tile that makes a desktop stutter or triggers a watchdog
  try {
    while (advance(work, kBudgetMs) == KernelState::Working) {
      if (cancelled && cancelled()) break;
      std::uint64_t oldest = UINT64_MAX;
      for (const Slot& slot : slots_)
        if (slot.value != 0) oldest = std::min(oldest, slot.value);
      if (oldest != UINT64_MAX) context_.queue().wait(oldest);
    }
    if (context_.lost()) throw VulkanError(VK_ERROR_DEVICE_LOST, kernel_);
  } catch (const VulkanError& error) {
    return tl::unexpected(toError(error));
  }
  return {};
}

}  // namespace sepx::gpu

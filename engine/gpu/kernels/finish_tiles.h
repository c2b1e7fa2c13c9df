// SPDX-License-Identifier: Apache-2.0
// Works a kernel's tiles off to the end, waiting for the device in between: command line, tests, exports. Never in a
// frame. Frame thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "engine/core/result.h"
#include "engine/gpu/check.h"
#include "engine/gpu/context.h"

namespace sepx::gpu {

/// `advance(ms)` submits what fits the budget and answers whether work is left; `slots` have a member `value`, the
/// submission that a slot waits for, 0 for none. The error of a lost device names the kernel.
template <typename Slots>
Result<void> finishTiles(Context& context, const Slots& slots, const std::function<bool(double ms)>& advance,
                         const char* kernel) {
  constexpr double kBudgetMs = 50;  // a tile stays far below what makes a desktop stutter or a watchdog bite
  try {
    while (advance(kBudgetMs)) {
      std::uint64_t oldest = UINT64_MAX;
      for (const auto& slot : slots)
        if (slot.value != 0) oldest = std::min(oldest, slot.value);
      if (oldest != UINT64_MAX) context.queue().wait(oldest);
    }
    if (context.lost()) throw VulkanError(VK_ERROR_DEVICE_LOST, kernel);
  } catch (const VulkanError& error) {
    return tl::unexpected(toError(error));
  }
  return {};
}

}  // namespace sepx::gpu

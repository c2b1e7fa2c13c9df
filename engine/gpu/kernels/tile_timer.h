// SPDX-License-Identifier: Apache-2.0
// How long the device worked on each of a kernel's tiles in flight: two timestamps a slot. The constructor throws
// VulkanError. Frame thread.
#pragma once

#include <cstddef>
#include <optional>

#include "engine/gpu/context.h"
#include "engine/gpu/handle.h"

namespace sepx::gpu {

class TileTimer {
 public:
  TileTimer(Context& context, std::size_t slots);

  /// Recorded before and after the work of a slot. Nothing where the queue has no timestamps.
  void begin(VkCommandBuffer commands, std::size_t slot) const;
  void end(VkCommandBuffer commands, std::size_t slot) const;
  /// Between the two, milliseconds, once the submission is finished; nothing where it is not known.
  std::optional<double> milliseconds(std::size_t slot) const;

 private:
  Context& context_;
  Handle<VkQueryPool> queries_;  ///< empty: the queue has no timestamps
  double tickMs_ = 0;            ///< milliseconds a tick
};

}  // namespace sepx::gpu

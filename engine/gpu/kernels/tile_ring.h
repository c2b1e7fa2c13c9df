// SPDX-License-Identifier: Apache-2.0
// Schedules the tiles of a kernel on the device. Tiles are submitted while their estimated time fits the budget, and
// collected when the timeline shows that they have finished. Each of a few slots has at most one tile in flight. The
// kernel keeps the resources of its slots (buffers, descriptor sets) in an array of its own. Tiles of cancelled work
// finish, but their results are not read. The time of a tile comes from timestamps if the queue has them, otherwise
// from the host's clock (an upper bound: the time until the end was noticed). Frame thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/core/result.h"
#include "engine/gpu/context.h"
#include "engine/gpu/handle.h"
#include "engine/gpu/kernels/kernel_state.h"

namespace sepx::gpu {

/// The cost of a tile, to which its time is proportional, in units such as points, pixels or terms. The time per unit
/// differs between kinds of tiles.
struct TileCost {
  double units = 1;
  std::size_t kind = 0;
};

/// The interface of a kernel that its ring calls.
class TileWork {
 public:
  /// Whether there are tiles that were not yet recorded.
  virtual bool workLeft() const = 0;
  /// Whether all tiles use the same buffers. If so, no tile begins after a restart before the tiles of earlier work
  /// have finished.
  virtual bool sharesBuffers() const { return false; }
  /// Records the next tile, of about `ms` of device time, into `slot`, which is free. Throws VulkanError.
  virtual TileCost record(VkCommandBuffer commands, std::size_t slot, double ms) = 0;
  /// Called when the tile of `slot` has finished and was recorded since the last restart.
  virtual void take(std::size_t slot) = 0;

 protected:
  ~TileWork() = default;
};

class TileRing {
 public:
  /// `kernel`: name for the error message of a lost device. `unitMs`: initial estimate of the milliseconds per unit of
  /// each kind of tile. Throws VulkanError.
  TileRing(Context& context, const char* kernel, std::size_t slots, std::vector<double> unitMs = {1});

  /// Begins new work. Tiles in flight finish, but their results are not read.
  void restart() { ++generation_; }
  /// Marks all slots as free. The device must be idle, or the resources of the slots must have been replaced.
  void forget();
  /// Whether tiles from after (inFlight) or before (staleInFlight) the last restart are in flight.
  bool inFlight() const { return count(true) > 0; }
  bool staleInFlight() const { return count(false) > 0; }
  std::optional<std::size_t> freeSlot() const;
  double unitMs(std::size_t kind = 0) const { return unitMs_[kind].now; }
  double lastMs() const { return lastMs_; }  ///< time of the last collected tile; 0 before the first

  /// Takes the finished tiles. Never waits.
  void collect(TileWork& work);
  /// Records and submits one tile. Throws VulkanError.
  void submit(std::size_t slot, const std::function<TileCost(VkCommandBuffer)>& record);
  /// Waits for the tile of a slot and frees it. Throws VulkanError.
  void wait(std::size_t slot);
  /// Collects finished tiles, then submits more until those in flight need about `budgetMs`. Never waits.
  KernelState advance(TileWork& work, double budgetMs);
  /// Completes the work, waiting for the device. For the command line, tests and exports. Stops early when `cancelled`
  /// returns true.
  Result<void> finish(TileWork& work, const std::function<bool()>& cancelled = {});

 private:
  struct Slot {
    std::uint64_t value = 0;  // of the submission; 0: free
    std::uint64_t generation = 0;
    TileCost cost;
    double submittedAt = 0;
  };
  struct UnitMs {
    double first = 1, now = 1;
  };

  std::size_t count(bool present) const;
  double inFlightMs() const;
  bool mayBegin(const TileWork& work) const;
  void measure(std::size_t slot);
  std::optional<double> timestampedMs(std::size_t slot) const;

  Context& context_;
  const char* kernel_;
  std::vector<Slot> slots_;
  std::vector<UnitMs> unitMs_;
  Handle<VkQueryPool> queries_;  ///< two per slot; empty: the queue has no timestamps
  double tickMs_ = 0;            ///< milliseconds per tick
  std::uint64_t generation_ = 0;
  double lastMs_ = 0;
};

}  // namespace sepx::gpu

// SPDX-License-Identifier: Apache-2.0
// The tiles of a kernel on the device: they go to the queue while their estimated time fits the budget and are
// collected when the timeline says so. Each of a few slots has one tile in flight; what a kernel's slots own (buffers,
// descriptor sets) it keeps in an array beside. Tiles of cancelled work finish unread. A tile's time comes from
// timestamps where the queue has them, else from the host's clock (an upper bound: until it was noticed). Frame thread.
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

/// What a tile's time is proportional to: points, pixels, terms. Kinds of tiles have units of different cost.
struct TileCost {
  double units = 1;
  std::size_t kind = 0;
};

/// A kernel as its ring sees it.
class TileWork {
 public:
  /// Tiles that were not yet recorded.
  virtual bool workLeft() const = 0;
  /// All tiles use the same buffers: after a restart none begins before those of earlier work are finished.
  virtual bool sharesBuffers() const { return false; }
  /// Records the next tile, of about `ms` of device time, into `slot`, which is free. Throws VulkanError.
  virtual TileCost record(VkCommandBuffer commands, std::size_t slot, double ms) = 0;
  /// The tile of `slot` is finished and was recorded since the last restart.
  virtual void take(std::size_t slot) = 0;

 protected:
  ~TileWork() = default;
};

class TileRing {
 public:
  /// `kernel`: for the sentence of a lost device. `unitMs`: of each kind of tile, before anything was measured. Throws
  /// VulkanError.
  TileRing(Context& context, const char* kernel, std::size_t slots, std::vector<double> unitMs = {1});

  /// What is in flight finishes unread.
  void restart() { ++generation_; }
  /// All slots are free: the device is idle, or what the slots owned is replaced.
  void forget();
  /// Tiles since the last restart; of before it.
  bool inFlight() const { return count(true) > 0; }
  bool staleInFlight() const { return count(false) > 0; }
  std::optional<std::size_t> freeSlot() const;
  double unitMs(std::size_t kind = 0) const { return unitMs_[kind].now; }
  double lastMs() const { return lastMs_; }  ///< of the tile collected last; 0 before

  /// Takes what is finished. Never waits.
  void collect(TileWork& work);
  /// Records and submits one tile. Throws VulkanError.
  void submit(std::size_t slot, const std::function<TileCost(VkCommandBuffer)>& record);
  /// Waits for the tile of a slot and frees it. Throws VulkanError.
  void wait(std::size_t slot);
  /// Collects, then submits tiles of about `budgetMs` together with those in flight. Never waits.
  KernelState advance(TileWork& work, double budgetMs);
  /// Works off to the end, waiting for the device: command line, tests, exports; ends early when `cancelled` says so.
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
  Handle<VkQueryPool> queries_;  ///< two a slot; empty: the queue has no timestamps
  double tickMs_ = 0;            ///< milliseconds a tick
  std::uint64_t generation_ = 0;
  double lastMs_ = 0;
};

}  // namespace sepx::gpu

// SPDX-License-Identifier: Apache-2.0
// The current report of a trainer, for a window of another process that shows the same run (the stage). Runs::live()
// returns it, Runs::follow() accepts it. Plain data; copies share the numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/train/snapshot.h"

namespace sepx::ui {

inline constexpr std::size_t kMostLiveRuns = 8;  ///< in one window
/// Limit on the numbers in the matrices of all live runs, 0.5 MB. Larger matrices are not passed on; the other window
/// reads what is stored.
inline constexpr std::size_t kMostLiveNumbers = std::size_t{1} << 17;

struct LiveRun {
  std::string folder;                          ///< absolute: the identity of the run
  std::uint64_t trainer = 0;                   ///< number of the trainer; a new one may have gone back to a checkpoint
  std::shared_ptr<const train::Snapshot> now;  ///< never null
  bool operator==(const LiveRun&) const = default;
};

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// What a trainer reports now, for a window of another process that shows the same run (the stage): Runs::live() gives
// it, Runs::follow() takes it. Plain data; copies share the numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/train/snapshot.h"

namespace sepx::ui {

inline constexpr std::size_t kMostLiveRuns = 8;  ///< of one window
/// Numbers of the matrices of all of them, 0.5 MB. Larger ones are not handed on: who follows reads what is stored.
inline constexpr std::size_t kMostLiveNumbers = std::size_t{1} << 17;

struct LiveRun {
  std::string folder;         ///< absolute: the identity of the run
  std::uint64_t trainer = 0;  ///< another number: another trainer began, which may have gone back to a checkpoint
  std::shared_ptr<const train::Snapshot> now;  ///< never null
  bool operator==(const LiveRun&) const = default;
};

}  // namespace sepx::ui

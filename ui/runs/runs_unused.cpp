// SPDX-License-Identifier: Apache-2.0
// Frees the memory of runs that no page holds any more. A window may train hundreds of runs in a day. Each has
// thousands of numbers, which are also in its folder.
#include "ui/runs/runs_impl.h"

namespace sepx::ui {

bool Runs::Impl::Entry::isUnused() const {
  constexpr long kOwnPointers = 2;  // this entry's and that of the list of all runs
  const bool trains = trainer || ending || resumeTo || followed.now || run->elsewhere();
  return !trains && !offered && reading == 0 && run->loaded() && run.use_count() == kOwnPointers;
}

void Runs::Impl::dropUnused() {
  const auto now = std::chrono::steady_clock::now();
  for (const auto& entry : entries) {
    if (!entry->isUnused()) {
      entry->unusedSince.reset();
    } else if (!entry->unusedSince) {
      entry->unusedSince = now;
    } else if (now - *entry->unusedSince >= options.unused) {
      drop(*entry);
    }
  }
}

/// Drops the numbers of a run. Its folder is not followed until it is opened again (Impl::open).
void Runs::Impl::drop(Entry& entry) {
  Run& run = *entry.run;
  entry.dropped = true;
  entry.unusedSince.reset();
  entry.index = {};
  entry.lastStep = kFromTheStart;
  entry.handed.reset();
  run.loaded_ = false;
  run.series_ = {};
  run.live_.matrices = {};
  run.saved_ = {};
  run.stored_ = {};
  entry.storedSeen = -1;
  RunRequest leave;
  leave.folder = run.folder_;
  leave.lists = leave.record = false;
  leave.follow = false;
  ask(std::move(leave));
}

}  // namespace sepx::ui

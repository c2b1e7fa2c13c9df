// SPDX-License-Identifier: Apache-2.0
// Live values of runs between two windows: what trainers here report is handed out, and what those of another window
// report is taken over as if they trained here. What was missed is read from the store, where it was before it was
// shown.
#include <algorithm>
#include <utility>

#include "ui/runs/runs_impl.h"

namespace sepx::ui {
namespace {

/// What goes to another window of a snapshot; its matrices while there is room for them in `room` numbers.
std::shared_ptr<const train::Snapshot> handedOn(const train::Snapshot& now, std::size_t& room) {
  std::size_t numbers = 0;
  for (const train::MatrixSnapshot& matrix : now.matrices)
    numbers += matrix.values.size();
  auto made = std::make_shared<train::Snapshot>(now);
  if (numbers > room) made->matrices.clear();
  room -= numbers > room ? 0 : numbers;
  return made;
}

}  // namespace

void Runs::see(const Run& run) {
  if (std::ranges::find(impl_->inSight, run.folder()) == impl_->inSight.end()) impl_->inSight.push_back(run.folder());
}

std::vector<LiveRun> Runs::live() {
  std::vector<LiveRun> all;
  std::size_t room = kMostLiveNumbers;
  for (const std::string& folder : impl_->inSight) {
    Impl::Entry* const entry = impl_->entryOf(folder);
    if (!entry || !entry->trainer || all.size() == kMostLiveRuns) continue;
    if (!entry->handed) {
      entry->handed = handedOn(entry->trainer->latest(), room);
    } else {
      for (const train::MatrixSnapshot& matrix : entry->handed->matrices)
        room -= std::min(room, matrix.values.size());
    }
    all.push_back({folder, entry->trainerNumber, entry->handed});
  }
  return all;
}

void Runs::follow(const std::vector<LiveRun>& live) {
  for (const LiveRun& one : live) {
    Impl::Entry* entry = impl_->entryOf(one.folder);
    if (!entry) entry = &impl_->open(one.folder, false);
    if (!entry->trainer && entry->followed != one) impl_->takeFollowed(*entry, one);
  }
  for (const auto& entry : impl_->entries) {
    const bool still = std::ranges::any_of(live, [&](const LiveRun& one) { return one.folder == entry->run->folder_; });
    if (entry->followed.now && !still) impl_->endFollowing(*entry);
  }
}

/// Metrics after a step, and all else that the folder says where `record`.
std::uint64_t Runs::Impl::askAfter(const Entry& entry, std::int64_t step, bool record) {
  RunRequest wanted;
  wanted.folder = entry.run->folder_;
  wanted.after = step;
  wanted.record = wanted.lists = record;
  if (record) wanted.follow = true;
  return ask(std::move(wanted));
}

void Runs::Impl::takeFollowed(Entry& entry, const LiveRun& live) {
  Run& run = *entry.run;
  const bool began = !entry.followed.now, another = !began && entry.followed.trainer != live.trainer;
  const std::int64_t saved = entry.followed.now ? entry.followed.now->savedStep : -1;
  entry.followed = live;
  run.followed_ = true;
  run.elsewhere_ = true;
  takeNumbers(entry, *live.now);
  if (began || another) {
    entry.nextMetric = 0;
    entry.begun = false;
  }
  // One that was being made when it was opened had nothing to read; another trainer has cut what it went back behind.
  const bool begins = live.now->state != train::RunState::Preparing && !std::exchange(entry.begun, true);
  if (another || (begins && entry.reading == 0 && !run.config_)) entry.reading = askAfter(entry, kFromTheStart, true);
  takeMetrics(entry, *live.now);
  if (run.config_) takeStored(entry, *live.now);
  if (began || another || saved == live.now->savedStep) return;
  RunRequest lists;
  lists.folder = run.folder_;
  lists.record = false;
  ask(std::move(lists));
}

void Runs::Impl::endFollowing(Entry& entry) {
  entry.followed = {};
  entry.begun = false;
  entry.run->followed_ = false;
  entry.run->live_.matrices.clear();
  entry.reading = askAfter(entry, entry.lastStep, true);
  changed(*entry.run);
}

}  // namespace sepx::ui

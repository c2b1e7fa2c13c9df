// SPDX-License-Identifier: Apache-2.0
// Live values of runs on the link between studio and stage. For each visible run, only what is new since the previous
// message is sent, so that a frame of training costs a few hundred bytes and its matrices. Sizes are limited on both
// sides. Pure; one thread per object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ui/document/document.h"
#include "ui/runs/live_run.h"

namespace sepx::app {

/// One run in one message.
struct LiveUpdate {
  std::string folder;
  std::uint64_t trainer = 0;
  /// Null if nothing is new since the previous message. The metrics from index `from` on are new.
  std::shared_ptr<const train::Snapshot> now{};
  std::size_t from = 0;
};

/// Limit on the number of different metric names in one snapshot.
inline constexpr std::size_t kMostLiveNames = 1024;

ui::Json toJson(const LiveUpdate& news);
/// Empty optional if a field is missing, wrong or beyond its limit.
std::optional<LiveUpdate> liveFromJson(const ui::Json& json);

/// The sending side.
class LiveSender {
 public:
  /// What is new for a receiver that has everything that was passed to sent().
  std::vector<LiveUpdate> news(const std::vector<ui::LiveRun>& live) const;
  void sent(const std::vector<ui::LiveRun>& live) { sent_ = live; }
  /// Starts over for a new receiver.
  void begin() { sent_.clear(); }

 private:
  std::vector<ui::LiveRun> sent_;
};

/// The receiving side. It keeps as many metrics of a run as a snapshot can hold, so that a caller that reads rarely
/// misses none.
class LiveReceiver {
 public:
  /// Empty optional if a run that was not received before is reported as unchanged.
  std::optional<std::vector<ui::LiveRun>> take(const std::vector<LiveUpdate>& news);

 private:
  std::vector<ui::LiveRun> known_;
};

}  // namespace sepx::app

// SPDX-License-Identifier: Apache-2.0
// Live values of runs on the link of two screens: of each run in sight what is new since the message before, so that a
// frame of training costs some hundred bytes and its matrices. Sizes are bounded on both sides. Pure; one thread an
// object.
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
struct LiveNews {
  std::string folder;
  std::uint64_t trainer = 0;
  /// Null: nothing is new since the message before. Its metrics from `from` on are new.
  std::shared_ptr<const train::Snapshot> now{};
  std::size_t from = 0;
};

/// Metrics of a run whose names are these at most.
inline constexpr std::size_t kMostLiveNames = 1024;

ui::Json toJson(const LiveNews& news);
/// Nothing where a field is missing, wrong or beyond its bound.
std::optional<LiveNews> liveFromJson(const ui::Json& json);

/// The end that tells.
class LiveSender {
 public:
  /// What is new to somebody who has got all that sent() was told.
  std::vector<LiveNews> news(const std::vector<ui::LiveRun>& live) const;
  void sent(const std::vector<ui::LiveRun>& live) { sent_ = live; }
  /// Somebody else listens.
  void begin() { sent_.clear(); }

 private:
  std::vector<ui::LiveRun> sent_;
};

/// The end that is told. It keeps as many metrics of a run as a snapshot has, so that who looks rarely misses none.
class LiveReceiver {
 public:
  /// Nothing where the news are of a run of which nothing was said before.
  std::optional<std::vector<ui::LiveRun>> take(const std::vector<LiveNews>& news);

 private:
  std::vector<ui::LiveRun> known_;
};

}  // namespace sepx::app

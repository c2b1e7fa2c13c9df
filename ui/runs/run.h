// SPDX-License-Identifier: Apache-2.0
// A run as a window sees it: what its folder says and, while it trains here, what its trainer reports. All metrics are
// kept as series, each number once. Exhibits, panes, figures and thumbnails hold a RunPointer; Runs (runs.h) brings it
// up to date once a frame. Frame thread only; nothing here waits.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/train/run_config.h"
#include "engine/train/run_store.h"
#include "engine/train/snapshot.h"

namespace sepx::ui {

/// One metric over the steps. NaN where a value is none.
struct RunSeries {
  std::string name;
  int layer = -1, head = -1;          ///< -1: of the whole model, of the sum over the heads
  std::vector<double> steps, values;  ///< of one length, steps ascending
};

/// By name, layer and head, also by a name that is not copied.
struct SeriesOrder {
  using is_transparent = void;
  using Place = std::tuple<std::string_view, int, int>;
  template <class A, class B>
  bool operator()(const A& a, const B& b) const {
    return Place(a) < Place(b);
  }
};
using SeriesMap = std::map<std::tuple<std::string, int, int>, RunSeries, SeriesOrder>;

class Run {
 public:
  /// Where its folder is, absolute; the identity of the run. Never empty.
  const std::string& folder() const { return folder_; }
  /// What its config calls it, or the folder's name.
  const std::string& name() const { return record_.name; }
  const train::RunRecord& record() const { return record_; }
  /// Null while it is read, and where it cannot be (failure()).
  const std::optional<train::RunConfig>& config() const { return config_; }
  /// Folders that data of its config may lie in (data_reach.h), where a lesson brought or began it; empty: anywhere.
  const std::vector<std::string>& reach() const { return reach_; }
  /// It trains, or trained, in this window: Runs::send() reaches it.
  bool here() const { return here_; }
  /// Another process trains it now.
  bool elsewhere() const { return elsewhere_; }
  /// Another window of this user's trains it, and this one shows what that one shows (Runs::follow).
  bool followed() const { return followed_; }
  /// live() has what its trainer reports.
  bool reported() const { return here_ || followed_; }
  /// Everything that was stored when it was opened has arrived. Until then a long run (more than 50,000 numbers) has
  /// evenly spaced steps of each series, some 500, and nothing between them.
  bool loaded() const { return loaded_; }

  train::RunState state() const { return record_.state; }
  bool trains() const { return state() == train::RunState::Running || state() == train::RunState::Preparing; }
  std::int64_t step() const { return record_.step; }
  std::int64_t steps() const { return record_.steps; }
  /// Of a run that is reported(), without its metrics (series() has them): loss, rate, seconds left, bounds, matrices.
  const train::Snapshot& live() const { return live_; }
  /// One sentence: why it cannot be read, why it stopped; empty: all is well.
  const std::string& failure() const { return failure_; }
  /// Lines that its loss can be compared with; empty until the data were read once.
  const std::vector<data::Bound>& bounds() const { return live_.bounds; }

  /// Changes with everything above and below.
  std::uint64_t revision() const { return revision_; }
  /// Null: it has no such number.
  const RunSeries* series(std::string_view name, int layer = -1, int head = -1) const;
  /// Of all layers and heads, in their order.
  std::vector<const RunSeries*> seriesOf(std::string_view name) const;
  std::vector<std::string> metricNames() const;
  /// Checkpoints on the disk, ascending.
  const std::vector<std::int64_t>& savedSteps() const { return saved_; }
  /// Steps whose matrices can be shown (RunReader::stored), ascending.
  const std::vector<std::int64_t>& storedSteps() const { return stored_; }

 private:
  friend class Runs;

  std::string folder_;
  std::vector<std::string> reach_;
  train::RunRecord record_;
  std::optional<train::RunConfig> config_;
  bool here_ = false, elsewhere_ = false, followed_ = false, loaded_ = false;
  train::Snapshot live_;
  std::string failure_;
  std::uint64_t revision_ = 0;
  SeriesMap series_;
  std::vector<std::int64_t> saved_, stored_;
};
using RunPointer = std::shared_ptr<const Run>;

}  // namespace sepx::ui

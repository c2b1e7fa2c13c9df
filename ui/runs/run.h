// SPDX-License-Identifier: Apache-2.0
// A run as a window shows it: the contents of its folder and, while it trains here, the reports of its trainer. All
// metrics are kept as series, each number once. Exhibits, panes, figures and thumbnails hold a RunPointer; Runs
// (runs.h) updates it once per frame. Frame thread only; nothing here blocks.
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

/// One metric over the steps. NaN where there is no value.
struct RunSeries {
  std::string name;
  int layer = -1, head = -1;          ///< -1: of the whole model, of the sum over the heads
  std::vector<double> steps, values;  ///< of the same length, steps ascending
};

/// Orders series by name, layer and head. Transparent, so that a lookup does not copy the name.
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
  /// Absolute path of its folder, which identifies the run. Never empty.
  const std::string& folder() const { return folder_; }
  /// The name in its config, or the name of the folder.
  const std::string& name() const { return record_.name; }
  const train::RunRecord& record() const { return record_; }
  /// Empty while it is being read, and if it cannot be read (failure()).
  const std::optional<train::RunConfig>& config() const { return config_; }
  /// Folders that may contain the data of its config (allowed_data.h), for a run that a lesson brought or started.
  /// Empty: anywhere.
  const std::vector<std::string>& dataFolders() const { return dataFolders_; }
  /// Whether it trains, or trained, in this window, so that Runs::send() reaches it.
  bool here() const { return here_; }
  /// Whether another process trains it now.
  bool elsewhere() const { return elsewhere_; }
  /// Whether another window of this user trains it and this window shows that window's reports (Runs::follow).
  bool followed() const { return followed_; }
  /// Whether live() has the reports of its trainer.
  bool reported() const { return here_ || followed_; }
  /// Whether everything that was stored when it was opened has been read. Until then a long run (more than 50,000
  /// numbers) has only about 500 evenly spaced steps of each series.
  bool loaded() const { return loaded_; }

  train::RunState state() const { return record_.state; }
  bool trains() const { return state() == train::RunState::Running || state() == train::RunState::Preparing; }
  std::int64_t step() const { return record_.step; }
  std::int64_t steps() const { return record_.steps; }
  /// The latest report of a run that is reported(): loss, rate, seconds left, bounds, matrices. Its metrics are in
  /// series().
  const train::Snapshot& live() const { return live_; }
  /// One sentence that says why it cannot be read or why it stopped; empty: no failure.
  const std::string& failure() const { return failure_; }
  /// Bounds that its loss can be compared with; empty until the data have been read once.
  const std::vector<data::Bound>& bounds() const { return live_.bounds; }

  /// Changes when anything above or below changes.
  std::uint64_t revision() const { return revision_; }
  /// Null if there is no such series.
  const RunSeries* series(std::string_view name, int layer = -1, int head = -1) const;
  /// The series of all layers and heads, in ascending order.
  std::vector<const RunSeries*> seriesOf(std::string_view name) const;
  std::vector<std::string> metricNames() const;
  /// Steps of the checkpoints on disk, ascending.
  const std::vector<std::int64_t>& savedSteps() const { return saved_; }
  /// Steps whose matrices can be shown (RunReader::stored), ascending.
  const std::vector<std::int64_t>& storedSteps() const { return stored_; }

 private:
  friend class Runs;

  std::string folder_;
  std::vector<std::string> dataFolders_;
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

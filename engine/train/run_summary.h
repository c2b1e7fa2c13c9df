// SPDX-License-Identifier: Apache-2.0
// The summary of a run that a library shows without opening the run: its record, every field of its config, its final
// metrics, a sketch of its loss, and the person's tags and notes. Plain data; any thread.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/train/run_store.h"

namespace sepx::train {

/// A value to filter and sort by; monostate: the run has none.
using RunValue = std::variant<std::monostate, double, std::string>;

struct RunNotes {                 ///< written by a person
  std::vector<std::string> tags;  ///< without duplicates, in the person's order
  std::string notes;
  bool operator==(const RunNotes&) const = default;
};

struct RunSummary {
  std::string folder;
  std::string stamp;  ///< of the files that it was read from; changes when somebody writes to them
  RunRecord record;
  std::string used;              ///< when it was last trained, opened or branched: ISO 8601, UTC; empty: unknown
  bool alive = false;            ///< a program trains it now
  bool killed = false;           ///< isInterrupted()
  std::vector<RunValue> config;  ///< in the order of configFields(); empty where the config cannot be read
  /// The last value of every metric of the whole model, and the median over the layers of metrics of layers; by name.
  std::vector<std::pair<std::string, double>> metrics;
  std::vector<float> curveSteps, curve;  ///< the loss at a few steps; of equal length
  RunNotes own;
  std::string failure;  ///< why it cannot be read; most of the rest is then empty

  /// NaN if the run does not have this metric.
  double metric(std::string_view name) const {
    for (const auto& [known, value] : metrics)
      if (known == name) return value;
    return std::numeric_limits<double>::quiet_NaN();
  }
  /// The name of the folder.
  std::string_view place() const { return std::string_view(folder).substr(folder.find_last_of('/') + 1); }
};

/// Whether the record says that the run is training but no program trains it, because its program was killed or
/// crashed. A run that a person paused is not interrupted.
bool isInterrupted(const RunRecord& record, bool alive);

using RunList = std::vector<std::shared_ptr<const RunSummary>>;  ///< never null

}  // namespace sepx::train

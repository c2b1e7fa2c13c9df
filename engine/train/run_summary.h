// SPDX-License-Identifier: Apache-2.0
// What a library shows of a run without opening it: its record, every field of its config, its final metrics, a sketch
// of its loss, tags and notes of the person. Plain data; any thread.
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

struct RunNotes {                 ///< of a person
  std::vector<std::string> tags;  ///< each once, in the person's order
  std::string notes;
  bool operator==(const RunNotes&) const = default;
};

struct RunSummary {
  std::string folder;
  std::string stamp;  ///< of the files that it was read from: another one when somebody wrote
  RunRecord record;
  std::string used;              ///< when it was trained, opened or branched last: ISO 8601, UTC; empty: unknown
  bool alive = false;            ///< a program trains in it now
  bool killed = false;           ///< isInterrupted()
  std::vector<RunValue> config;  ///< in the order of configFields(); empty where the config cannot be read
  /// The last value of every metric of the whole model, and of those of W_qk the median over the layers; by name.
  std::vector<std::pair<std::string, double>> metrics;
  std::vector<float> curveSteps, curve;  ///< the loss at a few steps; of one length
  RunNotes own;
  std::string failure;  ///< why it cannot be read; most of the rest is then empty

  /// NaN: it has none.
  double metric(std::string_view name) const {
    for (const auto& [known, value] : metrics)
      if (known == name) return value;
    return std::numeric_limits<double>::quiet_NaN();
  }
  /// The name of the folder.
  std::string_view place() const { return std::string_view(folder).substr(folder.find_last_of('/') + 1); }
};

/// The record says that it trains, and nobody does: its program ended. A run that a person paused is none of these.
bool isInterrupted(const RunRecord& record, bool alive);

using RunList = std::vector<std::shared_ptr<const RunSummary>>;  ///< never null

}  // namespace sepx::train

// SPDX-License-Identifier: Apache-2.0
// What `sepx runs` takes from a run: its metrics as CSV or as an event file of TensorBoard, a curve in one line of
// text, and a checkpoint's folder without the state that only this program reads. Any thread.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/table.h"
#include "engine/train/event_file.h"
#include "engine/train/run_store.h"

namespace sepx::app::cli {

/// "loss", "symmetry of layer 3", "symmetry of layer 3, head 0": heads of columns and rows.
std::string seriesName(const train::Series& series);

/// CSV: a row a step, a column a series, an empty field where a series has no value at a step. In pieces, until `write`
/// refuses one.
void metricsCsv(std::span<const train::Series> series, const std::function<bool(std::string_view)>& write);

/// The last part of each folder's path: what TensorBoard calls the run. Usage when two are called the same.
Result<std::vector<std::string>> namesOfRuns(const std::vector<std::string>& folders);

struct WrittenEvents {
  std::string file;
  std::vector<std::string> tags;
  train::EventCount count;
};
/// Writes `series` of the run in `folder` into `target`, a folder that is made where it is missing. The file's name
/// depends on the run alone: a second export replaces the first. Usage when it would replace a file of one of `inputs`
/// (keep_inputs.h); OutputFailed.
Result<WrittenEvents> writeEventFile(const std::string& folder, std::span<const train::Series> series,
                                     const std::string& target, const std::vector<std::string>& inputs);

/// The values in `width` characters, eight heights from the least finite value to the greatest; a blank where a part
/// has none. Empty for fewer than two finite values.
std::string sparkLine(std::span<const double> values, std::size_t width);

/// Copies the model of a checkpoint (config, weights, words) into a new folder `target`, aside first. BadInput when the
/// checkpoint does not open; Usage when the target is there; OutputFailed.
Result<void> copyModel(const std::string& checkpoint, const std::string& target);

}  // namespace sepx::app::cli

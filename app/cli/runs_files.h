// SPDX-License-Identifier: Apache-2.0
// Exports of `sepx runs`: the metrics of a run as CSV or as a TensorBoard event file, a curve in one line of text, and
// a copy of a checkpoint's folder without the state that only this program reads. Any thread.
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

/// "loss", "symmetry of layer 3", "symmetry of layer 3, head 0": headers of columns and rows.
std::string seriesName(const train::Series& series);

/// CSV with one row per step and one column per series. A field is empty if a series has no value at a step. Written in
/// pieces until `write` returns false.
void metricsCsv(std::span<const train::Series> series, const std::function<bool(std::string_view)>& write);

/// The last part of each folder's path, which is the name of the run in TensorBoard. Usage if two names are equal.
Result<std::vector<std::string>> namesOfRuns(const std::vector<std::string>& folders);

struct WrittenEvents {
  std::string file;
  std::vector<std::string> tags;
  train::EventCount count;
};
/// Writes `series` of the run in `folder` into `target`, a folder that is created if it is missing. The name of the
/// file depends on the run alone, so a second export replaces the first. Usage if it would replace a file of one of
/// `inputs` (protect_inputs.h); OutputFailed if it cannot be written.
Result<WrittenEvents> writeEventFile(const std::string& folder, std::span<const train::Series> series,
                                     const std::string& target, const std::vector<std::string>& inputs);

/// The values in `width` characters, eight heights from the smallest finite value to the largest; a blank where a part
/// has no finite value. Empty for fewer than two finite values.
std::string sparkLine(std::span<const double> values, std::size_t width);

/// Copies the model of a checkpoint (config, weights, vocabulary) into a new folder `target`, which has a temporary
/// name until it is complete. BadInput if the checkpoint cannot be opened, Usage if the target exists, OutputFailed if
/// it cannot be written.
Result<void> copyModel(const std::string& checkpoint, const std::string& target);

}  // namespace sepx::app::cli

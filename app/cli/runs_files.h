// SPDX-License-Identifier: Apache-2.0
// What `sepx runs` takes from a run: its metrics as one table, a curve in one line of text, and a checkpoint's folder
// without the state that only this program reads. Any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/table.h"
#include "engine/train/run_store.h"

namespace sepx::app::cli {

/// "loss", "symmetry of layer 3", "symmetry of layer 3, head 0": heads of columns and rows.
std::string seriesName(const train::Series& series);

/// A row a step, a column a series; NaN where a series has no value at a step.
Table metricsTable(std::span<const train::Series> series);

/// The values in `width` characters, eight heights from the least finite value to the greatest; a blank where a part
/// has none. Empty for fewer than two finite values.
std::string sparkLine(std::span<const double> values, std::size_t width);

/// Copies the model of a checkpoint (config, weights, words) into a new folder `target`, aside first. BadInput when the
/// checkpoint does not open; Usage when the target is there; OutputFailed.
Result<void> copyModel(const std::string& checkpoint, const std::string& target);

}  // namespace sepx::app::cli

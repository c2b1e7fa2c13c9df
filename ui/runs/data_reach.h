// SPDX-License-Identifier: Apache-2.0
// Where the data of a run may lie. The config of a run names a text or images; a run that came with a lesson is a
// stranger's, and may name those of the lesson's folder and those that ship, and no others. Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/data/source_config.h"

namespace sepx::ui {

/// BadInput with one sentence where data.path, or what lies in that folder, is in none of `folders`, links followed.
/// Holds without `folders`, and for data that are made or are named by no path.
Result<void> checkDataReach(const data::SourceConfig& config, const std::vector<std::string>& folders);

}  // namespace sepx::ui

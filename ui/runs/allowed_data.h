// SPDX-License-Identifier: Apache-2.0
// Restricts where the data of a run may be located. The config of a run names a text or images. A run that came with a
// lesson is not trusted: it may name only data in the lesson's folder and data that ship with the program. Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/data/source_config.h"

namespace sepx::ui {

/// BadInput with one sentence if data.path, or anything in that folder, is outside all of `folders` after symbolic
/// links are resolved. Succeeds without `folders`, and for data without a path, such as generated data.
Result<void> checkDataAllowed(const data::SourceConfig& config, const std::vector<std::string>& folders);

}  // namespace sepx::ui

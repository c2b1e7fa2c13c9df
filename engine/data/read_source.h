// SPDX-License-Identifier: Apache-2.0
// A source whose files may be large: the same as makeSource() of source_config.h, and who waits for it is told how far
// the reading is and may end it. Any thread.
#pragma once

#include "engine/data/gzip_file.h"
#include "engine/data/source_config.h"

namespace sepx::data {

/// Interrupted where `whileReading` ended it.
Result<std::unique_ptr<Source>> makeSource(const SourceConfig& config, const WhileReading& whileReading);

}  // namespace sepx::data

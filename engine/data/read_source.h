// SPDX-License-Identifier: Apache-2.0
// makeSource() of source_config.h with a callback, for files that may be large: the callback receives the progress of
// the reading and can cancel it. Any thread.
#pragma once

#include "engine/data/gzip_file.h"
#include "engine/data/source_config.h"

namespace sepx::data {

/// Interrupted if `whileReading` cancelled the reading.
Result<std::unique_ptr<Source>> makeSource(const SourceConfig& config, const WhileReading& whileReading);

}  // namespace sepx::data

// SPDX-License-Identifier: Apache-2.0
// Where the program's own files are (lessons, icons): SEPX_DATA_DIR, else the source tree the binary was built in, else the
// installation beside the binary (../share/separatrix). Any thread; reads the file system only.
#pragma once

#include <string>

#include "engine/core/result.h"

namespace sepx::app {

/// Path of "lessons/01-….md" below the data folder; BadInput naming every place that was searched.
Result<std::string> dataFile(const std::string& name);
/// The lesson that opens when nothing else is asked for.
Result<std::string> openingLesson();

}  // namespace sepx::app

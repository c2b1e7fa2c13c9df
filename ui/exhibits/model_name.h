// SPDX-License-Identifier: Apache-2.0
// The name of a checkpoint as the program shows it. Queries the file system but opens no file; any thread.
#pragma once

#include <string>

namespace sepx::ui {

/// A plain name for a model that ships in the folder `assets`; checkpoint::titleOf() for every other.
std::string modelName(const std::string& path, const std::string& assets);

}  // namespace sepx::ui

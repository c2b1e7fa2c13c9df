// SPDX-License-Identifier: Apache-2.0
// The files that a walk opens: checkpoints of several widths, depths and forms, data, and other files.
#pragma once

#include <string>
#include <vector>

namespace sepx::monkey {

/// Their paths relative to the folder in which a walk is played.
std::vector<std::string> fileNames();
/// Creates them in `folder`, together with a link to the folder `assets` of the sources.
void writeFiles(const std::string& folder);

}  // namespace sepx::monkey

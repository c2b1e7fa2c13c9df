// SPDX-License-Identifier: Apache-2.0
// What a walk opens: checkpoints of several widths, depths and forms, data, and files that are none of these.
#pragma once

#include <string>
#include <vector>

namespace sepx::monkey {

/// Their paths below the folder that a walk is played in.
std::vector<std::string> fileNames();
/// Makes them there. The folder `assets` of the sources is beside them.
void writeFiles(const std::string& folder);

}  // namespace sepx::monkey

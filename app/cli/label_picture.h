// SPDX-License-Identifier: Apache-2.0
// A basin map as a picture: one pixel a label, in the theme's colours of the kinds. Any thread.
#pragma once

#include <string>

#include "engine/core/result.h"
#include "engine/dynamics/basin_map.h"

namespace sepx::app::cli {

/// `theme`: a theme's key, empty: dark. `recipe`: JSON, kept in the file under Separatrix-Recipe.
Result<void> writeLabelPicture(const dynamics::BasinMap& map, const std::string& theme, const std::string& path,
                               const std::string& recipe);

}  // namespace sepx::app::cli

// SPDX-License-Identifier: Apache-2.0
// The contents of the space page, (e, w, a), as numbers for export, and as the text of a caption. Frame thread.
#pragma once

#include <string>

#include "engine/core/table.h"
#include "ui/exhibits/flow/space/space_read_outs.h"

namespace sepx::ui {

Numbers spaceNumbers(const SpaceReadings& readings);
/// `section`: whether it is drawn.
std::string spaceCaption(const SpaceReadings& readings, bool section = true);

}  // namespace sepx::ui

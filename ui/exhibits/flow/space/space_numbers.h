// SPDX-License-Identifier: Apache-2.0
// What the space of (e, w, a) shows as numbers, and in the words of a caption. Frame thread.
#pragma once

#include <string>

#include "engine/core/table.h"
#include "ui/exhibits/flow/space/space_read_outs.h"

namespace sepx::ui {

Numbers spaceNumbers(const SpaceReadings& readings);
/// `section`: whether it is drawn.
std::string spaceCaption(const SpaceReadings& readings, bool section = true);

}  // namespace sepx::ui

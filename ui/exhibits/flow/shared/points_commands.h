// SPDX-License-Identifier: Apache-2.0
// Commands over the initial points that every page with points has: a grid, a ring or a Gaussian cloud of them, a
// duplicate, all of them gone. Each is one step to undo. Frame thread.
#pragma once

#include <string_view>
#include <vector>

#include "ui/exhibit/exhibit.h"
#include "ui/exhibits/flow/shared/flow_state.h"

namespace sepx::ui {

/// `here`: the page in sight has points.
std::vector<Exhibit::Command> pointCommands(const Document& document, bool here);

/// False: not one of them. `threeD`: the page in sight has a third coordinate. What cannot be done is said by the
/// editor.
bool runPointCommand(ExhibitContext& context, const FlowState& state, std::string_view command, bool threeD);

}  // namespace sepx::ui

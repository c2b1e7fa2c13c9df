// SPDX-License-Identifier: Apache-2.0
// The contents of the plane as numbers for export, and as the text of a caption. Pure.
#pragma once

#include <string>

#include "engine/core/table.h"
#include "ui/exhibits/flow/shared/flow_results.h"
#include "ui/exhibits/flow/shared/flow_state.h"

namespace sepx::ui {

/// Tables points, paths, ways_back, critical, separatrix, cloud, overlays, labels; grids of the axes, the loss and the
/// basins. What is not shown is left out, except for the points.
Numbers flowNumbers(const FlowState& state, const FlowResults& results);
/// What the picture shows, with the parameters and where the points end. Translated, no markup.
std::string flowCaption(const FlowState& state, const FlowResults& results);

}  // namespace sepx::ui

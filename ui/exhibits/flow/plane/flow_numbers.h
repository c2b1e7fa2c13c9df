// SPDX-License-Identifier: Apache-2.0
// What the Flow picture shows, as tables, grids and a caption: for people who take the numbers away. Reads state and
// results only; on the frame thread, when a person asks.
#pragma once

#include <string>

#include "engine/core/table.h"
#include "ui/exhibits/flow/shared/flow_results.h"
#include "ui/exhibits/flow/shared/flow_state.h"

namespace sepx::ui {

/// Tables points, paths, ways_back, critical, separatrix, cloud, overlays, labels; grids of the axes, the loss and the
/// basins. What is not shown is left out, but for the points.
Numbers flowNumbers(const FlowState& state, const FlowResults& results);

/// What the picture shows, with the parameters and where the points end. Translated, no markup.
std::string flowCaption(const FlowState& state, const FlowResults& results);

}  // namespace sepx::ui

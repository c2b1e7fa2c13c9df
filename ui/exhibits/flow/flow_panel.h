// SPDX-License-Identifier: Apache-2.0
// The instrument panel of the Flow exhibit in Dear ImGui: parameters, layers, points, transport. Its only way to change
// anything is the Editor and the exhibit's commands. Frame thread, inside an ImGui frame.
#pragma once

#include <functional>

#include "ui/exhibits/exhibit.h"
#include "ui/exhibits/flow/flow_play.h"
#include "ui/exhibits/flow/flow_results.h"
#include "ui/exhibits/flow/flow_state.h"

namespace sepx::ui {

struct FlowPanelInput {
  const FlowState& state;
  const FlowResults& results;
  const FlowPlay& play;
  const render::Rect& plot;  ///< page
  std::function<void(std::string_view command)> run;
};

/// The column at right of the picture, or, when a native inspector shows the parameters, a small transport bar below
/// the plot, beside the axis.
void drawFlowPanel(const FlowPanelInput& input, ExhibitContext& context, bool inspectorShown);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The instrument panel of the Flow exhibit in Dear ImGui: parameters, layers, points, transport. Its only way to change
// anything is the Editor and the exhibit's commands. Frame thread, inside an ImGui frame.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/exhibit/exhibit.h"
#include "ui/exhibits/flow/shared/flow_page.h"

namespace sepx::ui {

struct FlowPanelInput {
  const FlowShared& shared;
  FlowPage& page;
  const FlowPageFrame& frame;
  std::function<void(std::string_view command)> run;
  const FlowState& state() const { return shared.state; }
};

/// The column at right of the picture, or, when a native inspector shows the parameters, a small transport bar below
/// the plot, beside the axis.
void drawFlowPanel(const FlowPanelInput& input, ExhibitContext& context, bool inspectorShown);

}  // namespace sepx::ui

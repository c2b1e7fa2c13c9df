// SPDX-License-Identifier: Apache-2.0
// The panel of the Flow exhibit in Dear ImGui: parameters, layers, points, transport. It changes things only through
// the Editor and the commands of the exhibit. Frame thread, inside an ImGui frame.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/page/exhibit_context.h"

namespace sepx::ui {

struct FlowPanelInput {
  const FlowShared& shared;
  FlowPage& page;
  const FlowMoves& moves;  ///< of the page, for the current document
  const FlowPageFrame& frame;
  std::function<void(std::string_view command)> run;
  const FlowState& state() const { return shared.state; }
};

/// Draws the column at the right of the picture, or, when a native inspector shows the parameters, a small transport
/// bar below the plot, beside the title of the axis.
void drawFlowPanel(const FlowPanelInput& input, ExhibitContext& context, bool inspectorShown);

using RunCommand = std::function<void(std::string_view command)>;

/// Draws name, colour and the read-outs of the selected point that apply to this page.
void drawSelectedPoint(const FlowState& state, ExhibitContext& context);
/// Draws the controls for placing many points at once: shape, number and spread.
void drawSampling(ExhibitContext& context, const RunCommand& run);

/// The context menu of the point under the pointer: delete, duplicate, colour.
class PointMenu {
 public:
  /// `asked`: the point that was clicked with the right button since the last frame; it is the selected one.
  void draw(std::optional<int> asked, const FlowState& state, ExhibitContext& context, const RunCommand& run);

 private:
  int point_ = -1;
  bool open_ = false;
};

}  // namespace sepx::ui

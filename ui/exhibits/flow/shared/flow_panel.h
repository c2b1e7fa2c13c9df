// SPDX-License-Identifier: Apache-2.0
// The instrument panel of the Flow exhibit in Dear ImGui: parameters, layers, points, transport. Its only way to change
// anything is the Editor and the exhibit's commands. Frame thread, inside an ImGui frame.
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
  const FlowMoves& moves;  ///< of the page, for the present document
  const FlowPageFrame& frame;
  std::function<void(std::string_view command)> run;
  const FlowState& state() const { return shared.state; }
};

/// The column at right of the picture, or, when a native inspector shows the parameters, a small transport bar below
/// the plot, beside the axis.
void drawFlowPanel(const FlowPanelInput& input, ExhibitContext& context, bool inspectorShown);

using RunCommand = std::function<void(std::string_view command)>;

/// Name, colour and what the declarations say of the selected point on this page.
void drawSelectedPoint(const FlowState& state, ExhibitContext& context);
/// Shape, number and spread of points that are placed at once.
void drawSampling(ExhibitContext& context, const RunCommand& run);

/// Delete, duplicate, colour: of the point under the pointer.
class PointMenu {
 public:
  /// `asked`: the point that was clicked with the right button since the last frame; it is the selected one.
  void draw(std::optional<int> asked, const FlowState& state, ExhibitContext& context, const RunCommand& run);

 private:
  int point_ = -1;
  bool open_ = false;
};

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The points' part of the ImGui panel beyond their list: what is known of the selected one, many at once, and the menu
// that a right click on a point opens. Changes go through the Editor and the exhibit's commands. Frame thread, inside
// an ImGui frame.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "ui/exhibit/exhibit.h"
#include "ui/exhibits/flow/shared/flow_state.h"

namespace sepx::ui {

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

// SPDX-License-Identifier: Apache-2.0
// The one place that writes neutral events into ImGui. ImGui 1.86 samples keys and buttons once a frame, so what goes
// down and up between two frames would be lost: events wait here, and a frame takes them in order up to the first that
// would change a key or button for the second time. Frame thread only.
#pragma once

#include <deque>
#include <vector>

#include <imgui/imgui.h>

#include "ui/canvas/input.h"

namespace sepx::ui {

class ImguiInput {
 public:
  /// Sets the key map of the current ImGui context.
  static void setKeyMap(ImGuiIO& io);

  void push(const std::vector<InputEvent>& events);
  /// Writes this frame's share into `io`; answers these events with positions in points. Call before ImGui::NewFrame().
  std::vector<InputEvent> feed(ImGuiIO& io, float pixelsPerPoint);
  /// Events that wait for the next frame.
  bool pending() const { return !queue_.empty(); }

 private:
  std::deque<InputEvent> queue_;
};

}  // namespace sepx::ui

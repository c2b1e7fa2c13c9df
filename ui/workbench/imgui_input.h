// SPDX-License-Identifier: Apache-2.0
// The only place that passes toolkit-independent events to ImGui. ImGui 1.86 samples keys and buttons once per frame,
// so a press and release between two frames would be lost. Events are therefore queued, and a frame takes them in order
// up to the first that would change a key or button for the second time. Frame thread only.
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
  /// Writes the events of this frame to `io`; returns them with positions in points. Call before ImGui::NewFrame().
  std::vector<InputEvent> feed(ImGuiIO& io, float pixelsPerPoint);
  /// Events that wait for the next frame.
  bool pending() const { return !queue_.empty(); }

 private:
  std::deque<InputEvent> queue_;
};

}  // namespace sepx::ui

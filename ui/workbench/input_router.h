// SPDX-License-Identifier: Apache-2.0
// Whose an event is: what ImGui did not take goes to the pane under the pointer, keys to the active one, and a gesture
// to the pane where its button went down. Frame thread.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ui/workbench/panes.h"

namespace sepx::ui {

class InputRouter {
 public:
  InputRouter(WindowState& window, Panes& panes) : window_(window), panes_(panes) {}

  /// The events of a frame, positions in points; `window` and `panes` are laid out. `key`: what the window itself does
  /// with a key while a text field is edited or not; true: it is done with.
  void route(std::vector<InputEvent> events, const std::function<bool(const KeyPressed&, bool textActive)>& key);
  /// The left button went down at `pressed`, before there were panes to tell it, is still down, and is at `now`:
  /// points.
  void begin(render::Point pressed, render::Point now);
  /// A pane that lost its place has no pointer over it and no gesture.
  void forgetHidden();

  /// Over whose picture the pointer is; 0: over none.
  int pointerPane() const { return pointerPane_; }
  /// A button that went down on a picture is still down.
  bool gesturing() const { return button_.has_value(); }
  Cursor cursor();

 private:
  void press(const PointerPressed& press, bool forCanvas);
  void pointer(const InputEvent& event, bool forCanvas);
  void leave();

  WindowState& window_;
  Panes& panes_;
  std::optional<Button> button_;  ///< that went down on a canvas and is still down
  int gesturePane_ = 0;           ///< in which pane it went down
  int pointerPane_ = 0;
  render::Point at_;  ///< the pointer, points
};

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Routes input events. Events that ImGui did not take go to the pane under the pointer, keys to the active pane, and a
// gesture to the pane where its button went down. The second press of a double click and the repeats of a held key
// belong to the receiver of the first: they do not reach a page that has opened since, or the picture behind a field
// that has closed. A press on a picture while a value is being typed is delivered after the value: "Start" uses the
// value in the field. Frame thread.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/workbench/panes.h"

namespace sepx::ui {

class InputRouter {
 public:
  InputRouter(WindowState& window, Panes& panes) : window_(window), panes_(panes) {}

  /// Routes the events of a frame, positions in points; `window` and `panes` are laid out. `key`: handles a key for the
  /// window itself, with whether a text field is being edited; true: the key needs no more handling.
  void route(std::vector<InputEvent> events, const std::function<bool(const KeyPressed&, bool textActive)>& key);
  /// Begins a gesture of the left button, which went down at `pressed`, before the panes were shown, is still down, and
  /// is now at `now`: points.
  void begin(render::Point pressed, render::Point now);
  /// Call it when the panes have their places in this frame. A pane that lost its place has no pointer over it and no
  /// gesture. A pane that moved below a resting pointer gets its position.
  void followPlaces();

  /// The pane whose picture is under the pointer; 0: none.
  int pointerPane() const { return pointerPane_; }
  /// A button that went down on a picture is still down.
  bool gesturing() const { return button_.has_value(); }
  Cursor cursor();

 private:
  void press(const PointerPressed& press, bool forCanvas);
  void pointer(const InputEvent& event, bool forCanvas);
  void leave();
  void pass(InputEvent event, bool forCanvas, const std::function<bool(const KeyPressed&, bool textActive)>& key);
  bool belongsToPreviousView(const PointerPressed& press, const std::string& view);
  bool isForTextField(const KeyPressed& stroke, bool textActive);

  WindowState& window_;
  Panes& panes_;
  std::optional<Button> button_;  ///< the button that went down on a canvas and is still down
  int gesturePane_ = 0;           ///< the pane in which it went down
  int pointerPane_ = 0;
  render::Point at_;                  ///< the pointer, points
  std::vector<render::Rect> places_;  ///< of the panes' pictures, in the last frame
  /// The previous press.
  struct Pressed {
    double seconds = 0;
    render::Point at;
    std::string view;  ///< what was there: Pane::view(); empty: no picture
  };
  std::optional<Pressed> last_;
  std::optional<Button> ignored_;  ///< a button that is down and belongs to the previous view
  std::array<bool, static_cast<std::size_t>(Key::Count)> textFieldKeys_{};  ///< keys that went down in a text field
  /// Events from a press on a picture that ended the editing of a text. They wait until a page has read what was typed.
  std::vector<InputEvent> waiting_;
  int framesToWait_ = 0;
};

}  // namespace sepx::ui

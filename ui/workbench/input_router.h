// SPDX-License-Identifier: Apache-2.0
// Whose an event is: what ImGui did not take goes to the pane under the pointer, keys to the active one, and a gesture
// to the pane where its button went down. The second press of a double click and the repeats of a held key belong to
// what had the first: they do not reach the page that opened, or the picture behind the field that closed. A press
// on a picture while a value is typed reaches it after the value: "Start" starts what stands in the field. Frame
// thread.
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

  /// The events of a frame, positions in points; `window` and `panes` are laid out. `key`: what the window itself does
  /// with a key while a text field is edited or not; true: it is done with.
  void route(std::vector<InputEvent> events, const std::function<bool(const KeyPressed&, bool textActive)>& key);
  /// The left button went down at `pressed`, before there were panes to tell it, is still down, and is at `now`:
  /// points.
  void begin(render::Point pressed, render::Point now);
  /// The panes have their places in this frame: one that lost its place has no pointer over it and no gesture, one that
  /// moved below a resting pointer is told where that is.
  void followPlaces();

  /// Over whose picture the pointer is; 0: over none.
  int pointerPane() const { return pointerPane_; }
  /// A button that went down on a picture is still down.
  bool gesturing() const { return button_.has_value(); }
  Cursor cursor();

 private:
  void press(const PointerPressed& press, bool forCanvas);
  void pointer(const InputEvent& event, bool forCanvas);
  void leave();
  void pass(InputEvent event, bool forCanvas, const std::function<bool(const KeyPressed&, bool textActive)>& key);
  bool belongsToBefore(const PointerPressed& press, const std::string& view);
  bool isOfText(const KeyPressed& stroke, bool textActive);

  WindowState& window_;
  Panes& panes_;
  std::optional<Button> button_;  ///< that went down on a canvas and is still down
  int gesturePane_ = 0;           ///< in which pane it went down
  int pointerPane_ = 0;
  render::Point at_;                  ///< the pointer, points
  std::vector<render::Rect> places_;  ///< of the panes' pictures, in the last frame
  /// The press before.
  struct Pressed {
    double seconds = 0;
    render::Point at;
    std::string view;  ///< what was there: Pane::view(); empty: no picture
  };
  std::optional<Pressed> last_;
  std::optional<Button> ignored_;  ///< a button that is down and belongs to what was there before
  std::array<bool, static_cast<std::size_t>(Key::Count)> ofText_{};  ///< went down while a text was edited
  /// A press on a picture ends the editing of a text; it and what follows wait until a page has read what was typed.
  std::vector<InputEvent> waiting_;
  int framesToWait_ = 0;
};

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Converts GLFW's events to the neutral events of ui/canvas/input.h. Letters follow the keyboard layout, not the
// position of the key. Main thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/canvas/input.h"

struct GLFWwindow;

namespace sepx::app {

/// Neutral key of a GLFW key and scan code.
ui::Key translateKey(int key, int scancode, int modifiers);
ui::Modifiers translateModifiers(int glfwModifiers);
/// One code point as UTF-8.
std::string utf8(unsigned codePoint);

/// Callbacks for the events of a window, and what is needed to interpret them. `changed`: the picture must be drawn
/// again (exposed, resized, restored).
struct InputSink {
  std::function<void(ui::InputEvent)> event;
  std::function<void()> changed;
  std::function<void(const std::vector<std::string>& paths)> dropped;
  double pixelsPerUnit = 1;  ///< framebuffer pixels per GLFW screen coordinate
  /// Position of the pointer in the last event, window units. The window system returns the current position instead,
  /// which would be wrong for a press that waited behind other work.
  std::optional<std::pair<double, double>> pointer;

  /// Times of the last query for events. The window system does not report when a button went down. A press that is
  /// available as soon as the window asks happened while a frame was drawn, at any time since the previous events. The
  /// earliest possible time counts, so that a slow frame does not turn a double click into two clicks.
  struct Turn {
    double asked = 0, ended = 0;  ///< seconds of GLFW: start of this query, end of the previous one
  } turn;
  struct Press {
    int button = 0;
    double seconds = 0, x = 0, y = 0;  ///< window units
  };
  std::optional<Press> lastPress;
};

/// Whether `press`, the newest one, is the second press of a double click. It is stored in `sink` for the next call.
bool isDoubleClick(InputSink& sink, const InputSink::Press& press);

/// Sets all callbacks of `window`. `sink` must outlive it.
void connectInput(GLFWwindow* window, InputSink& sink);

}  // namespace sepx::app

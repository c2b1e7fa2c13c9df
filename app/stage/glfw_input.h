// SPDX-License-Identifier: Apache-2.0
// GLFW's events as the neutral events of ui/canvas/input.h. Letters follow the person's keyboard layout, not the key's
// place. Main thread.
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

/// What the window tells. `changed`: the picture must be drawn again (exposed, resized, restored).
struct InputSink {
  std::function<void(ui::InputEvent)> event;
  std::function<void()> changed;
  std::function<void(const std::vector<std::string>& paths)> dropped;
  double pixelsPerUnit = 1;  ///< framebuffer pixels per GLFW screen coordinate
  /// Where the pointer was in the last event, window units. What the window system says on asking is where it is by
  /// now, and a press that waited behind other work would be a press beside its place.
  std::optional<std::pair<double, double>> pointer;

  /// The window system does not say when a button went down. What is there as soon as the window asks came while a
  /// frame was drawn: at any time since the events before, so that a slow frame makes no two clicks of a double click.
  struct Turn {
    double asked = 0, ended = 0;  ///< GLFW's seconds: when the window asked for events, and had those of before
  } turn;
  struct Press {
    int button = 0;
    double seconds = 0, x = 0, y = 0;  ///< window units
  };
  std::optional<Press> lastPress;
};

/// Whether `press`, the newest one, is the second of a double click; `sink` remembers it for the next.
bool isDoubleClick(InputSink& sink, const InputSink::Press& press);

/// Sets all callbacks of `window`; `sink` outlives it.
void connectInput(GLFWwindow* window, InputSink& sink);

}  // namespace sepx::app

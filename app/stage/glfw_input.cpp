// SPDX-License-Identifier: Apache-2.0
// See glfw_input.h. GLFW_INCLUDE_NONE: this file needs neither OpenGL nor Vulkan.
#include "app/stage/glfw_input.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace sepx::app {

namespace {

constexpr std::array<std::pair<int, ui::Key>, 24> kKeys{
    {{GLFW_KEY_SPACE, ui::Key::Space},    {GLFW_KEY_ENTER, ui::Key::Enter},
     {GLFW_KEY_KP_ENTER, ui::Key::Enter}, {GLFW_KEY_ESCAPE, ui::Key::Escape},
     {GLFW_KEY_TAB, ui::Key::Tab},        {GLFW_KEY_BACKSPACE, ui::Key::Backspace},
     {GLFW_KEY_DELETE, ui::Key::Delete},  {GLFW_KEY_INSERT, ui::Key::Insert},
     {GLFW_KEY_HOME, ui::Key::Home},      {GLFW_KEY_END, ui::Key::End},
     {GLFW_KEY_PAGE_UP, ui::Key::PageUp}, {GLFW_KEY_PAGE_DOWN, ui::Key::PageDown},
     {GLFW_KEY_LEFT, ui::Key::Left},      {GLFW_KEY_RIGHT, ui::Key::Right},
     {GLFW_KEY_UP, ui::Key::Up},          {GLFW_KEY_DOWN, ui::Key::Down},
     {GLFW_KEY_EQUAL, ui::Key::Plus},     {GLFW_KEY_KP_ADD, ui::Key::Plus},
     {GLFW_KEY_MINUS, ui::Key::Minus},    {GLFW_KEY_KP_SUBTRACT, ui::Key::Minus},
     {GLFW_KEY_PERIOD, ui::Key::Period},  {GLFW_KEY_COMMA, ui::Key::Comma},
     {GLFW_KEY_SLASH, ui::Key::Slash},    {GLFW_KEY_KP_DIVIDE, ui::Key::Slash}}};

ui::Key offset(ui::Key first, int by) {
  return static_cast<ui::Key>(static_cast<int>(first) + by);
}

/// The key that prints `character` on this layout.
ui::Key keyOfCharacter(char character, bool shift) {
  if (character >= 'a' && character <= 'z') return offset(ui::Key::A, character - 'a');
  if (character >= '0' && character <= '9') return offset(ui::Key::Num0, character - '0');
  switch (character) {
    case '+':
    case '=':
      return ui::Key::Plus;
    case '-':
      return ui::Key::Minus;
    case '.':
      return ui::Key::Period;
    case ',':
      return ui::Key::Comma;
    case '/':
      return shift ? ui::Key::Question : ui::Key::Slash;
    case '?':
      return ui::Key::Question;
    default:
      return ui::Key::None;
  }
}

std::optional<ui::Button> translateButton(int button) {
  switch (button) {
    case GLFW_MOUSE_BUTTON_LEFT:
      return ui::Button::Left;
    case GLFW_MOUSE_BUTTON_RIGHT:
      return ui::Button::Right;
    case GLFW_MOUSE_BUTTON_MIDDLE:
      return ui::Button::Middle;
    default:
      return std::nullopt;
  }
}

InputSink& sinkOf(GLFWwindow* window) {
  return *static_cast<InputSink*>(glfwGetWindowUserPointer(window));
}

/// The modifier keys that are held down now. GLFW passes modifiers with key and button events only.
ui::Modifiers modifiersNow(GLFWwindow* window) {
  const auto down = [window](int left, int right) {
    return glfwGetKey(window, left) == GLFW_PRESS || glfwGetKey(window, right) == GLFW_PRESS;
  };
  return {.ctrl = down(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL),
          .shift = down(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT),
          .alt = down(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT),
          .super = down(GLFW_KEY_LEFT_SUPER, GLFW_KEY_RIGHT_SUPER)};
}

int clicksOf(InputSink& sink, int button, double x, double y) {
  return isDoubleClick(sink, {button, glfwGetTime(), x, y}) ? 2 : 1;
}

void onButton(GLFWwindow* window, int button, int action, int modifiers) {
  InputSink& sink = sinkOf(window);
  const auto which = translateButton(button);
  if (!which) return;
  double x = 0, y = 0;
  if (sink.pointer) {
    std::tie(x, y) = *sink.pointer;
  } else {
    glfwGetCursorPos(window, &x, &y);
  }
  const int clicks = action == GLFW_PRESS ? clicksOf(sink, button, x, y) : 0;
  sink.event(ui::PointerPressed{*which, action == GLFW_PRESS, x * sink.pixelsPerUnit, y * sink.pixelsPerUnit,
                                translateModifiers(modifiers), clicks});
}

void onKey(GLFWwindow* window, int key, int scancode, int action, int modifiers) {
  const ui::Key neutral = translateKey(key, scancode, modifiers);
  if (neutral == ui::Key::None) return;
  sinkOf(window).event(ui::KeyPressed{neutral, action != GLFW_RELEASE, translateModifiers(modifiers)});
}

}  // namespace

bool isDoubleClick(InputSink& sink, const InputSink::Press& press) {
  constexpr double kDoubleClick = 0.4, kAtOnce = 0.005;  // seconds
  constexpr double kNear = 5;                            // window units
  const bool waited = press.seconds - sink.turn.asked < kAtOnce;
  const double earliest = waited ? std::min(sink.turn.ended, press.seconds) : press.seconds;
  const bool twice = sink.lastPress && sink.lastPress->button == press.button &&
                     earliest - sink.lastPress->seconds <= kDoubleClick &&
                     std::hypot(press.x - sink.lastPress->x, press.y - sink.lastPress->y) <= kNear;
  sink.lastPress = twice ? std::nullopt : std::optional(press);
  return twice;
}

ui::Key translateKey(int key, int scancode, int modifiers) {
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) return offset(ui::Key::F1, key - GLFW_KEY_F1);
  if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) return offset(ui::Key::Num0, key - GLFW_KEY_KP_0);
  const bool shift = (modifiers & GLFW_MOD_SHIFT) != 0;
  const char* name = key == GLFW_KEY_SPACE ? nullptr : glfwGetKeyName(key, scancode);
  if (name && std::string_view(name).size() == 1) {
    const ui::Key printed = keyOfCharacter(name[0], shift);
    if (printed != ui::Key::None) return printed;
  }
  for (const auto& [glfw, neutral] : kKeys) {
    if (glfw == key) return neutral;
  }
  return ui::Key::None;
}

ui::Modifiers translateModifiers(int glfwModifiers) {
  return {.ctrl = (glfwModifiers & GLFW_MOD_CONTROL) != 0,
          .shift = (glfwModifiers & GLFW_MOD_SHIFT) != 0,
          .alt = (glfwModifiers & GLFW_MOD_ALT) != 0,
          .super = (glfwModifiers & GLFW_MOD_SUPER) != 0};
}

std::string utf8(unsigned codePoint) {
  const auto byte = [](unsigned value) { return static_cast<char>(value); };
  std::string out;
  if (codePoint < 0x80) {
    out = {byte(codePoint)};
  } else if (codePoint < 0x800) {
    out = {byte(0xC0 | codePoint >> 6), byte(0x80 | (codePoint & 0x3F))};
  } else if (codePoint < 0x10000) {
    out = {byte(0xE0 | codePoint >> 12), byte(0x80 | (codePoint >> 6 & 0x3F)), byte(0x80 | (codePoint & 0x3F))};
  } else {
    out = {byte(0xF0 | codePoint >> 18), byte(0x80 | (codePoint >> 12 & 0x3F)), byte(0x80 | (codePoint >> 6 & 0x3F)),
           byte(0x80 | (codePoint & 0x3F))};
  }
  return out;
}

void connectInput(GLFWwindow* window, InputSink& sink) {
  glfwSetWindowUserPointer(window, &sink);
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
    InputSink& to = sinkOf(w);
    to.pointer = {x, y};
    to.event(ui::PointerMoved{x * to.pixelsPerUnit, y * to.pixelsPerUnit, modifiersNow(w)});
  });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
    if (!entered) sinkOf(w).event(ui::PointerLeft{});
  });
  glfwSetMouseButtonCallback(window, onButton);
  glfwSetScrollCallback(window, [](GLFWwindow* w, double dx, double dy) {
    sinkOf(w).event(ui::Scrolled{dx, dy, modifiersNow(w)});
  });
  glfwSetKeyCallback(window, onKey);
  glfwSetCharCallback(window,
                      [](GLFWwindow* w, unsigned codePoint) { sinkOf(w).event(ui::TextTyped{utf8(codePoint)}); });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    if (count > 0 && sinkOf(w).dropped) sinkOf(w).dropped({paths, paths + count});
  });
  glfwSetWindowFocusCallback(window,
                             [](GLFWwindow* w, int focused) { sinkOf(w).event(ui::FocusChanged{focused != 0}); });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { sinkOf(w).changed(); });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { sinkOf(w).changed(); });
  glfwSetWindowIconifyCallback(window, [](GLFWwindow* w, int) { sinkOf(w).changed(); });
}

}  // namespace sepx::app

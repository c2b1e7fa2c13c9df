// SPDX-License-Identifier: Apache-2.0
// Writes toolkit-independent events to ImGui's arrays, with at most one change of a key or button per frame.
#include "ui/workbench/imgui_input.h"

#include <array>
#include <cfloat>
#include <utility>

namespace sepx::ui {
namespace {

constexpr int kKeys = static_cast<int>(Key::Count);

/// Keys whose press edits text: characters typed after them belong to the next frame, or ImGui would apply them first.
bool editsText(const KeyPressed& press) {
  return press.modifiers.ctrl || (press.key >= Key::Enter && press.key <= Key::Down);
}

/// ImGui detects double clicks by the time between frames. If the host counts clicks, the limit is so long or so short
/// that the count of the host decides.
float doubleClickTime(const PointerPressed& press) {
  constexpr float kUsual = 0.3f, kAlways = 1e9f;  // seconds
  return press.clicks == 0 ? kUsual : press.clicks == 2 ? kAlways : 0;
}

void setModifiers(ImGuiIO& io, Modifiers modifiers) {
  io.KeyCtrl = modifiers.ctrl;
  io.KeyShift = modifiers.shift;
  io.KeyAlt = modifiers.alt;
  io.KeySuper = modifiers.super;
}

/// The changes that one frame has taken so far.
struct Share {
  std::array<bool, kKeys> keys{};
  std::array<bool, 3> buttons{};
  bool anyButton = false, anyScroll = false, textEdited = false, modifiersUsed = false;
  Modifiers modifiers;

  bool sameModifiers(Modifiers other) const { return !modifiersUsed || modifiers == other; }
};

struct EventFeeder {
  ImGuiIO& io;
  float scale;
  Share& share;

  void modifiers(Modifiers value) {
    share.modifiers = value;
    share.modifiersUsed = true;
    setModifiers(io, value);
  }

  // Each returns whether the event was taken. False: it and all events after it wait.
  bool operator()(PointerMoved& event) {
    if (share.anyButton || share.anyScroll) return false;  // the press belongs to the earlier position
    event.x /= scale;
    event.y /= scale;
    io.MousePos = ImVec2(static_cast<float>(event.x), static_cast<float>(event.y));
    return true;
  }
  bool operator()(PointerLeft&) {
    if (share.anyButton || share.anyScroll) return false;
    io.MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
    return true;
  }
  bool operator()(PointerPressed& event) {
    const auto index = static_cast<std::size_t>(event.button);  // left, right, middle, as ImGui counts them
    if (share.anyButton || share.anyScroll || share.buttons[index] || !share.sameModifiers(event.modifiers))
      return false;
    share.anyButton = share.buttons[index] = true;
    event.x /= scale;
    event.y /= scale;
    io.MousePos = ImVec2(static_cast<float>(event.x), static_cast<float>(event.y));
    io.MouseDown[index] = event.down;
    io.MouseDoubleClickTime = doubleClickTime(event);
    modifiers(event.modifiers);
    return true;
  }
  bool operator()(Scrolled& event) {
    if (share.anyButton || !share.sameModifiers(event.modifiers)) return false;
    share.anyScroll = true;
    io.MouseWheel += static_cast<float>(event.dy);
    io.MouseWheelH += static_cast<float>(event.dx);
    modifiers(event.modifiers);
    return true;
  }
  bool operator()(KeyPressed& event) {
    const int index = static_cast<int>(event.key);
    if (index <= 0 || index >= kKeys) return true;
    const auto at = static_cast<std::size_t>(index);
    if (share.keys[at] || !share.sameModifiers(event.modifiers)) return false;
    share.keys[at] = true;
    if (event.down && editsText(event)) share.textEdited = true;
    io.KeysDown[at] = event.down;
    modifiers(event.modifiers);
    return true;
  }
  bool operator()(TextTyped& event) {
    if (share.textEdited) return false;
    io.AddInputCharactersUTF8(event.utf8.c_str());
    return true;
  }
  bool operator()(FocusChanged& event) {
    if (!event.focused) {
      for (bool& key : io.KeysDown)
        key = false;
      for (bool& button : io.MouseDown)
        button = false;
      setModifiers(io, {});
    }
    return true;
  }
};

}  // namespace

void ImguiInput::setKeyMap(ImGuiIO& io) {
  static constexpr std::pair<ImGuiKey, Key> kMap[] = {{ImGuiKey_Tab, Key::Tab},
                                                      {ImGuiKey_LeftArrow, Key::Left},
                                                      {ImGuiKey_RightArrow, Key::Right},
                                                      {ImGuiKey_UpArrow, Key::Up},
                                                      {ImGuiKey_DownArrow, Key::Down},
                                                      {ImGuiKey_PageUp, Key::PageUp},
                                                      {ImGuiKey_PageDown, Key::PageDown},
                                                      {ImGuiKey_Home, Key::Home},
                                                      {ImGuiKey_End, Key::End},
                                                      {ImGuiKey_Insert, Key::Insert},
                                                      {ImGuiKey_Delete, Key::Delete},
                                                      {ImGuiKey_Backspace, Key::Backspace},
                                                      {ImGuiKey_Space, Key::Space},
                                                      {ImGuiKey_Enter, Key::Enter},
                                                      {ImGuiKey_Escape, Key::Escape},
                                                      {ImGuiKey_A, Key::A},
                                                      {ImGuiKey_C, Key::C},
                                                      {ImGuiKey_V, Key::V},
                                                      {ImGuiKey_X, Key::X},
                                                      {ImGuiKey_Y, Key::Y},
                                                      {ImGuiKey_Z, Key::Z}};
  for (const auto& [name, key] : kMap)
    io.KeyMap[name] = static_cast<int>(key);
}

void ImguiInput::push(const std::vector<InputEvent>& events) {
  queue_.insert(queue_.end(), events.begin(), events.end());
}

std::vector<InputEvent> ImguiInput::feed(ImGuiIO& io, float pixelsPerPoint) {
  io.MouseWheel = 0;
  io.MouseWheelH = 0;
  Share share;
  std::vector<InputEvent> taken;
  while (!queue_.empty()) {
    InputEvent event = queue_.front();
    if (!std::visit(EventFeeder{io, pixelsPerPoint, share}, event)) break;
    queue_.pop_front();
    taken.push_back(std::move(event));
  }
  return taken;
}

}  // namespace sepx::ui

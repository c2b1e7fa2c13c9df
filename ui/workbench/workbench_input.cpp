// SPDX-License-Identifier: Apache-2.0
// Where the parts of the window stand in this frame, and whose an event is: what ImGui did not take goes to the pane
// under the pointer, keys to the active one, and a gesture to the pane where its button went down. Frame thread.
#include <algorithm>
#include <utility>

#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {
namespace {

constexpr float kStageEnlargement = 2;
constexpr double kStageLeast = 960;  // points that a stage keeps in its width, however large its type

Cursor cursorOf(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_TextInput:
      return Cursor::Text;
    case ImGuiMouseCursor_ResizeAll:
      return Cursor::Move;
    case ImGuiMouseCursor_ResizeEW:
      return Cursor::ResizeHorizontal;
    case ImGuiMouseCursor_ResizeNS:
      return Cursor::ResizeVertical;
    case ImGuiMouseCursor_Hand:
      return Cursor::Hand;
    default:
      return Cursor::Arrow;
  }
}

}  // namespace

float Workbench::Impl::pixelsPerPoint(gpu::Extent extent, float hostScale) const {
  const float wanted = hostScale > 0 ? hostScale : 1;
  if (!options.stage) return wanted;
  const float room = static_cast<float>(extent.width / kStageLeast);
  return std::clamp(room, wanted, wanted * kStageEnlargement);
}

void Workbench::Impl::arrange(const HostFrame& host) {
  const bool bars = !figure && chromeShown && !host.inspectorShown;
  LayoutWishes wishes;
  wishes.window = window;
  wishes.statusLine = bars;
  wishes.panel = bars && !startPage.shown();
  wishes.panelWidth = theme->panelWidth;
  wishes.statusHeight = theme->statusHeight;
  wishes.panes = shown();
  if (!figure) {
    if (!startPage.shown()) wishes.lessonHeight = lessonPanel.height(lesson, window, *theme, options.stage);
    wishes.messageHeight = chrome.messageHeight(window.x, *theme);
  }
  layout = layOut(wishes);
  const double titles = !figure && chromeShown ? theme->statusHeight : 0;
  places = layOutPanes(layout.picture, shown(), titles);
  if (startPage.shown() && !figure) places.clear();
  for (std::size_t i = places.size(); i < panes.size(); ++i) {
    if (panes[i]) panes[i]->hide();
  }
  if (static_cast<std::size_t>(pointerPane) > places.size()) pointerPane = 0;
  if (static_cast<std::size_t>(gesturePane) > places.size()) {
    gesturePane = 0;
    canvasOwns.reset();
  }
}

int Workbench::Impl::paneAt(render::Point at) const {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].picture.contains(at)) return static_cast<int>(i) + 1;
  }
  return 0;
}

void Workbench::Impl::leavePane() {
  if (const int left = std::exchange(pointerPane, 0)) pane(left).canvas.events.emplace_back(PointerLeft{});
}

/// To the pane whose gesture it is, or over which the pointer is; the one that it came from hears that it left.
void Workbench::Impl::routePointer(const InputEvent& event, bool forCanvas) {
  const int target = canvasOwns ? gesturePane : forCanvas ? paneAt(pointerAt) : 0;
  if (pointerPane != target) leavePane();
  pointerPane = target;
  if (target > 0) pane(target).canvas.events.push_back(event);
}

void Workbench::Impl::routePress(const PointerPressed& press, bool forCanvas) {
  pointerAt = {press.x, press.y};
  const int over = paneAt(pointerAt);
  if (!forCanvas || (press.down && !canvasOwns && over == 0)) return;
  // The gesture belongs to the button that began it; another that goes down or up does not end it.
  if (press.down && !canvasOwns) {
    canvasOwns = press.button;
    gesturePane = over;
    activate(over);
  }
  if (press.down) ImGui::SetWindowFocus(nullptr);  // a text field gives up the keyboard
  routePointer(press, forCanvas);
  if (!press.down && canvasOwns == press.button) canvasOwns.reset();
}

/// What ImGui did not take, for the exhibits; shortcuts become commands.
void Workbench::Impl::route(std::vector<InputEvent> events) {
  const ImGuiIO& io = ImGui::GetIO();
  for (InputEvent& event : events) {
    const bool forCanvas = canvasOwns.has_value() || !io.WantCaptureMouse;
    // Whoever works on in the window has closed the dialog that was to bring a file.
    if (std::holds_alternative<PointerPressed>(event) || std::holds_alternative<KeyPressed>(event)) fileFor.clear();
    if (const auto* press = std::get_if<PointerPressed>(&event)) {
      routePress(*press, forCanvas);
    } else if (const auto* moved = std::get_if<PointerMoved>(&event)) {
      pointerAt = {moved->x, moved->y};
      routePointer(event, forCanvas);
    } else if (std::holds_alternative<PointerLeft>(event)) {
      if (!canvasOwns) leavePane();
    } else if (std::holds_alternative<Scrolled>(event)) {
      if (forCanvas) routePointer(event, forCanvas);
    } else if (const auto* key = std::get_if<KeyPressed>(&event)) {
      if (startKey(*key, io.WantTextInput)) continue;
      if (key->down && runShortcut(*key, io.WantTextInput)) continue;
      if (!io.WantTextInput) active().canvas.events.push_back(std::move(event));
    } else if (const auto* focus = std::get_if<FocusChanged>(&event)) {
      if (!focus->focused) canvasOwns.reset();
      eachShown([&](Pane& one) { one.canvas.events.push_back(event); });
    }
  }
}

Cursor Workbench::Impl::cursor() {
  if (!canvasOwns && ImGui::GetIO().WantCaptureMouse) return cursorOf(ImGui::GetMouseCursor());
  const int number = canvasOwns ? gesturePane : pointerPane;
  return number > 0 ? pane(number).cursor : Cursor::Arrow;
}

}  // namespace sepx::ui

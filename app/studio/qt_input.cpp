// SPDX-License-Identifier: Apache-2.0
// See qt_input.h.
#include "app/studio/qt_input.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

namespace sepx::app {

namespace {

constexpr double kWheelNotch = 120.0;  // Qt: eighths of a degree, 15 degrees per notch

constexpr std::array<std::pair<int, ui::Key>, 24> kKeys{{{Qt::Key_Space, ui::Key::Space},
                                                         {Qt::Key_Return, ui::Key::Enter},
                                                         {Qt::Key_Enter, ui::Key::Enter},
                                                         {Qt::Key_Escape, ui::Key::Escape},
                                                         {Qt::Key_Tab, ui::Key::Tab},
                                                         {Qt::Key_Backtab, ui::Key::Tab},
                                                         {Qt::Key_Backspace, ui::Key::Backspace},
                                                         {Qt::Key_Delete, ui::Key::Delete},
                                                         {Qt::Key_Insert, ui::Key::Insert},
                                                         {Qt::Key_Home, ui::Key::Home},
                                                         {Qt::Key_End, ui::Key::End},
                                                         {Qt::Key_PageUp, ui::Key::PageUp},
                                                         {Qt::Key_PageDown, ui::Key::PageDown},
                                                         {Qt::Key_Left, ui::Key::Left},
                                                         {Qt::Key_Right, ui::Key::Right},
                                                         {Qt::Key_Up, ui::Key::Up},
                                                         {Qt::Key_Down, ui::Key::Down},
                                                         {Qt::Key_Plus, ui::Key::Plus},
                                                         {Qt::Key_Equal, ui::Key::Plus},
                                                         {Qt::Key_Minus, ui::Key::Minus},
                                                         {Qt::Key_Period, ui::Key::Period},
                                                         {Qt::Key_Comma, ui::Key::Comma},
                                                         {Qt::Key_Slash, ui::Key::Slash},
                                                         {Qt::Key_Question, ui::Key::Question}}};

/// Keys that edit text together with Ctrl.
constexpr std::array kEditing{Qt::Key_A,         Qt::Key_C,      Qt::Key_V,    Qt::Key_X,     Qt::Key_Y,
                              Qt::Key_Z,         Qt::Key_Left,   Qt::Key_Up,   Qt::Key_Right, Qt::Key_Down,
                              Qt::Key_Backspace, Qt::Key_Delete, Qt::Key_Home, Qt::Key_End,   Qt::Key_Enter,
                              Qt::Key_Return,    Qt::Key_Insert};

std::optional<ui::Button> translateButton(Qt::MouseButton button) {
  switch (button) {
    case Qt::LeftButton:
      return ui::Button::Left;
    case Qt::RightButton:
      return ui::Button::Right;
    case Qt::MiddleButton:
      return ui::Button::Middle;
    default:
      return std::nullopt;
  }
}

void translatePointer(const QMouseEvent& event, double ratio, std::vector<ui::InputEvent>& out) {
  const double x = event.position().x() * ratio, y = event.position().y() * ratio;
  if (event.type() == QEvent::MouseMove) {
    out.emplace_back(ui::PointerMoved{x, y, translateModifiers(event.modifiers())});
    return;
  }
  const auto button = translateButton(event.button());
  // A widget gets a double click instead of the second press. A window gets both: its viewport ignores the double
  // click, and a flag of the press identifies it as the second one.
  const bool down = event.type() != QEvent::MouseButtonRelease;
  const bool second =
      event.type() == QEvent::MouseButtonDblClick || event.flags().testFlag(Qt::MouseEventCreatedDoubleClick);
  const int clicks = !down ? 0 : second ? 2 : 1;
  if (button) out.emplace_back(ui::PointerPressed{*button, down, x, y, translateModifiers(event.modifiers()), clicks});
}

void translateKeyEvent(const QKeyEvent& event, std::vector<ui::InputEvent>& out) {
  const ui::Modifiers modifiers = translateModifiers(event.modifiers());
  const bool down = event.type() == QEvent::KeyPress;
  if (!down && event.isAutoRepeat()) return;  // a held key is released once
  const ui::Key key = translateKey(event.key());
  if (key != ui::Key::None) out.emplace_back(ui::KeyPressed{key, down, modifiers});
  const QString text = event.text();
  if (down && !text.isEmpty() && !modifiers.ctrl && !modifiers.alt && text.front().isPrint()) {
    out.emplace_back(ui::TextTyped{text.toStdString()});
  }
}

}  // namespace

bool editsText(const QKeyEvent& event) {
  const int key = event.key();
  if (key == Qt::Key_Escape || (key >= Qt::Key_F1 && key <= Qt::Key_F35) || key == Qt::Key_Menu) return false;
  const Qt::KeyboardModifiers held = event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier);
  if (held == Qt::NoModifier) return true;
  return held == Qt::ControlModifier && std::find(kEditing.begin(), kEditing.end(), key) != kEditing.end();
}

ui::Key translateKey(int qtKey) {
  const auto offset = [](ui::Key first, int by) { return static_cast<ui::Key>(static_cast<int>(first) + by); };
  if (qtKey >= Qt::Key_A && qtKey <= Qt::Key_Z) return offset(ui::Key::A, qtKey - Qt::Key_A);
  if (qtKey >= Qt::Key_0 && qtKey <= Qt::Key_9) return offset(ui::Key::Num0, qtKey - Qt::Key_0);
  if (qtKey >= Qt::Key_F1 && qtKey <= Qt::Key_F12) return offset(ui::Key::F1, qtKey - Qt::Key_F1);
  for (const auto& [qt, key] : kKeys) {
    if (qt == qtKey) return key;
  }
  return ui::Key::None;
}

ui::Modifiers translateModifiers(Qt::KeyboardModifiers modifiers) {
  return {.ctrl = modifiers.testFlag(Qt::ControlModifier),
          .shift = modifiers.testFlag(Qt::ShiftModifier),
          .alt = modifiers.testFlag(Qt::AltModifier),
          .super = modifiers.testFlag(Qt::MetaModifier)};
}

Qt::CursorShape translateCursor(ui::Cursor cursor) {
  switch (cursor) {
    case ui::Cursor::Arrow:
      return Qt::ArrowCursor;
    case ui::Cursor::Hand:
      return Qt::PointingHandCursor;
    case ui::Cursor::Move:
      return Qt::SizeAllCursor;
    case ui::Cursor::Cross:
      return Qt::CrossCursor;
    case ui::Cursor::Text:
      return Qt::IBeamCursor;
    case ui::Cursor::ResizeHorizontal:
      return Qt::SizeHorCursor;
    case ui::Cursor::ResizeVertical:
      return Qt::SizeVerCursor;
  }
  return Qt::ArrowCursor;
}

std::vector<ui::InputEvent> translate(const QEvent& event, double pixelRatio) {
  std::vector<ui::InputEvent> out;
  switch (event.type()) {
    case QEvent::MouseMove:
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseButtonRelease:
      translatePointer(static_cast<const QMouseEvent&>(event), pixelRatio, out);
      break;
    case QEvent::Wheel: {
      const auto& wheel = static_cast<const QWheelEvent&>(event);
      const double x = wheel.position().x() * pixelRatio, y = wheel.position().y() * pixelRatio;
      out.emplace_back(ui::PointerMoved{x, y, translateModifiers(wheel.modifiers())});
      out.emplace_back(ui::Scrolled{wheel.angleDelta().x() / kWheelNotch, wheel.angleDelta().y() / kWheelNotch,
                                    translateModifiers(wheel.modifiers())});
      break;
    }
    case QEvent::KeyPress:
    case QEvent::KeyRelease:
      translateKeyEvent(static_cast<const QKeyEvent&>(event), out);
      break;
    case QEvent::Leave:
      out.emplace_back(ui::PointerLeft{});
      break;
    case QEvent::FocusOut:
      out.emplace_back(ui::FocusChanged{false});
      break;
    default:
      break;
  }
  return out;
}

}  // namespace sepx::app

// SPDX-License-Identifier: Apache-2.0
// What pages with something to drag have in common: which event is what, where the pointer is, double clicks, the way
// an arrow key points. A page says what a press takes hold of and what a move does to it. Frame thread; no ImGui.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <variant>

#include "ui/canvas/handles.h"
#include "ui/page/exhibit_context.h"

namespace sepx::ui {

inline constexpr double kPointerTolerance = 3;  ///< points that the pointer may move during a click
inline constexpr double kDoubleClick = 0.4;     ///< seconds

/// Whether a press is the second of a double click.
class ClickTimer {
 public:
  bool pressed(render::Point at, double seconds, double tolerance = kPointerTolerance) {
    const bool twice = seconds_ >= 0 && seconds - seconds_ <= kDoubleClick && near(at, tolerance);
    at_ = at;
    seconds_ = twice ? -1 : seconds;
    return twice;
  }
  bool near(render::Point at, double tolerance = kPointerTolerance) const {
    return std::hypot(at.x - at_.x, at.y - at_.y) <= tolerance;
  }
  render::Point at() const { return at_; }  ///< of the last press
  void forget() { seconds_ = -1; }

 private:
  render::Point at_;
  double seconds_ = -1;
};

/// Right, up and towards the reader (PageUp); nothing for another key.
inline std::optional<std::array<int, 3>> directionOf(Key key) {
  switch (key) {
    case Key::Left:
      return {{-1, 0, 0}};
    case Key::Right:
      return {{1, 0, 0}};
    case Key::Up:
      return {{0, 1, 0}};
    case Key::Down:
      return {{0, -1, 0}};
    case Key::PageUp:
      return {{0, 0, 1}};
    case Key::PageDown:
      return {{0, 0, -1}};
    default:
      return std::nullopt;
  }
}

/// `Place`: what the page needs to know of the present document and layout.
template <class... Place>
class DragInput {
 public:
  virtual ~DragInput() = default;

 protected:
  void dispatch(const InputEvent& event, const Place&... place, ExhibitContext& context) {
    if (const auto* move = std::get_if<PointerMoved>(&event)) {
      moved({move->x, move->y}, move->modifiers, place..., context);
    } else if (const auto* press = std::get_if<PointerPressed>(&event)) {
      at_ = render::Point{press->x, press->y};
      if (press->down) {
        if (holds()) return;
        const bool twice = clicks_.pressed(*at_, context.seconds) && press->button == Button::Left;
        dragging_ = changed_ = false;
        button_ = press->button;
        before_ = context.editor.document();
        pressed(*press, *at_, twice, place..., context);
      } else if (press->button == button_) {
        released(place..., context);
      }
    } else if (const auto* scroll = std::get_if<Scrolled>(&event)) {
      scrolled(*scroll, place..., context);
    } else if (const auto* typed = std::get_if<KeyPressed>(&event)) {
      key(*typed, place..., context);
    } else if (std::holds_alternative<PointerLeft>(event)) {
      left_ = holds();
      if (!left_) at_.reset();
    } else if (const auto* focus = std::get_if<FocusChanged>(&event)) {
      if (!focus->focused) interrupted(place..., context);
    }
  }

  virtual bool holds() const = 0;  ///< something between a press and its release
  virtual void moved(render::Point at, Modifiers modifiers, const Place&... place, ExhibitContext& context) = 0;
  virtual void pressed(const PointerPressed& event, render::Point at, bool twice, const Place&... place,
                       ExhibitContext& context) = 0;
  /// The button that took hold.
  virtual void released(const Place&... place, ExhibitContext& context) = 0;
  /// The focus went away.
  virtual void interrupted(const Place&... place, ExhibitContext& context) { released(place..., context); }
  virtual void scrolled(const Scrolled& event, const Place&... place, ExhibitContext& context) = 0;
  virtual void key(const KeyPressed& event, const Place&... place, ExhibitContext& context) = 0;

  std::optional<render::Point> at_;  ///< page, where the pointer is
  bool left_ = false;                ///< the pointer went away while it held something
  Button button_ = Button::Left;     ///< which one took hold
  std::optional<HandleDrag> drag_;
  bool dragging_ = false;  ///< the pointer has moved further than in a click
  bool changed_ = false;   ///< the drag has changed the document
  Document before_;        ///< when it began
  ClickTimer clicks_;
};

}  // namespace sepx::ui

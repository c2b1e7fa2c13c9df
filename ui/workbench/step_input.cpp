// SPDX-License-Identifier: Apache-2.0
// Turns pointer and key steps into the events that a user would cause: what is pressed in one frame is released in the
// next.
#include <algorithm>
#include <cmath>

#include "engine/core/terminal_text.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/chord.h"
#include "ui/workbench/step_machine.h"

namespace sepx::ui {

namespace {

/// Limits a point to a range far outside every window, because its receivers use single precision.
render::Point nearWindow(render::Point at) {
  constexpr double kFar = 1e6;
  const auto near = [](double place) { return std::abs(place) <= kFar ? place : std::copysign(kFar, place); };
  return {near(at.x), near(at.y)};
}

}  // namespace

Result<render::Point> StepMachine::pixels(const ScriptStep& step, const ScriptPoint& point) const {
  if (point.pixels) return nearWindow({point.x, point.y});
  const Workbench& workbench = surroundings_.workbench;
  const std::string canvas =
      step.canvas.empty() ? workbench.inPane(workbench.exhibitKey(), workbench.activePane()) : step.canvas;
  const auto at = workbench.toPixels(canvas, {point.x, point.y});
  if (!at) return fail(ErrorKind::Usage, trFormat("there is no canvas \"{}\" on screen", excerpt(canvas, kQuotedName)));
  return nearWindow(*at);
}

Result<render::Point> StepMachine::control(const std::string& key) const {
  if (const auto at = surroundings_.workbench.controlAt(key)) return *at;
  return fail(ErrorKind::Usage, trFormat("there is no control \"{}\" on screen", excerpt(key, kQuotedName)));
}

/// Scrolls a control that is out of view into its panel first, as a user would do.
Result<void> StepMachine::useControl(const ScriptStep& step) {
  if (surroundings_.workbench.bringIntoView(step.text)) return actOn(step);
  frames(2);
  scrolled_ = &step;
  return {};
}

Result<void> StepMachine::actOn(const ScriptStep& step) {
  if (step.kind == StepKind::SetControl) return setControl(step);
  const auto at = control(step.text);
  if (!at) return tl::unexpected(at.error());
  click(*at);
  return {};
}

Result<void> StepMachine::startPointer(const ScriptStep& step) {
  const auto from = pixels(step, step.from);
  if (!from) return tl::unexpected(from.error());
  switch (step.kind) {
    case StepKind::Drag: {
      const auto to = pixels(step, step.to);
      if (!to) return tl::unexpected(to.error());
      // The lesson strip may have changed its height with the step, so the picture moves in the next frame.
      gesture_ = Gesture{*from, *to, step.seconds, -1, surroundings_.live ? 2 : 0};
      return {};
    }
    case StepKind::Click:
      click(*from);
      return {};
    case StepKind::Press:
    case StepKind::Release:
      buttonDown_ = step.kind == StepKind::Press;
      frame({PointerMoved{from->x, from->y}});
      frame({PointerPressed{Button::Left, buttonDown_, from->x, from->y, {}}});
      frames(1);
      break;
    case StepKind::Scroll:
      frame({PointerMoved{from->x, from->y}});
      frame({Scrolled{0, step.numbers[0], {}}});
      frames(1);
      break;
    default:
      frame({PointerMoved{from->x, from->y}});
      frames(1);
      break;
  }
  pointer_ = *from;
  return {};
}

void StepMachine::click(render::Point at) {
  pointer_ = at;
  frame({PointerMoved{at.x, at.y}});
  frame({PointerPressed{Button::Left, true, at.x, at.y, {}}});
  frame({PointerPressed{Button::Left, false, at.x, at.y, {}}});
  frames(1);
}

void StepMachine::press(Key which, Modifiers modifiers, const std::string& text) {
  std::vector<InputEvent> down{KeyPressed{which, true, modifiers}};
  if (!text.empty()) down.push_back(TextTyped{text});
  frame(std::move(down));
  frame({KeyPressed{which, false, {}}});
}

Result<void> StepMachine::typeText(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    // One UTF-8 character: a lead byte and its continuation bytes.
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
      ++end;
    const std::string character = text.substr(at, end - at);
    const auto chord = character.size() == 1 ? keyFor(character[0]) : std::nullopt;
    if (chord) {
      press(chord->key, chord->modifiers, character);
    } else {
      frame({TextTyped{character}});
    }
    at = end;
  }
  frames(1);
  return {};
}

Result<void> StepMachine::pressChord(const std::string& text) {
  const auto chord = parseChord(text);
  if (!chord) {
    return fail(ErrorKind::Usage, trFormat("\"{}\" is not a key; write for example Ctrl+Z, Delete or PageDown",
                                           excerpt(text, kQuotedName)));
  }
  const Modifiers& held = chord->modifiers;
  const bool types = !held.ctrl && !held.alt && !held.super;
  press(chord->key, held, types ? typedBy(chord->key, held.shift) : std::string{});
  frames(1);
  return {};
}

Result<void> StepMachine::setControl(const ScriptStep& step) {
  const auto target = surroundings_.workbench.find(step.text);
  if (!target || !target->property) {
    return fail(ErrorKind::Usage, trFormat("\"{}\" is not a parameter", excerpt(step.text, kQuotedName)));
  }
  const auto at = control(step.text);
  if (!at) return tl::unexpected(at.error());
  switch (target->property->kind) {
    case Kind::Toggle: {
      const auto now = surroundings_.workbench.get(step.text);
      if (!now) return tl::unexpected(now.error());
      const auto wanted = accept(*target->property, step.value, step.text);
      if (!wanted) return tl::unexpected(wanted.error());
      if (isTrue(*now) != isTrue(*wanted)) click(*at);
      return {};
    }
    case Kind::Choice:
      click(*at);
      frames(2);
      waiting_ = [this, key = step.text, choice = step.value]() -> Result<bool> {
        if (auto chosen = chooseEntry(key, choice); !chosen) return tl::unexpected(chosen.error());
        return true;
      };
      return {};
    default: {
      const auto entry = surroundings_.workbench.controlAt(step.text + "#entry");
      click(entry ? *entry : *at);
      press(Key::A, {.ctrl = true});
      if (auto typed = typeText(step.value); !typed) return typed;
      press(Key::Enter, {});
      frames(2);
      return {};
    }
  }
}

Result<void> StepMachine::chooseEntry(const std::string& key, const std::string& choice) {
  const auto at = control(key + "#" + choice);
  if (!at)
    return fail(ErrorKind::Usage,
                trFormat("\"{}\" does not offer \"{}\"", excerpt(key, kQuotedName), excerpt(choice, kQuotedName)));
  click(*at);
  return {};
}

}  // namespace sepx::ui

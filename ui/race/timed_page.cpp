// SPDX-License-Identifier: Apache-2.0
// See timed_page.h.
#include "ui/race/timed_page.h"

#include <algorithm>

#include "ui/race/race_page_kit.h"

namespace sepx::ui {

RaceFrame TimedPage::content(const RaceFrame& frame) const {
  render::Rect area = frame.area;
  area.min.y += failuresHeight(frame, failuresOf(frame.shared, showsRuns()));
  area.max.y = std::max(area.min.y + 1, area.max.y - transport_.height());
  RaceFrame made(frame.shared, frame.theme, area, std::nullopt, frame.figure, frame.compact);
  if (frame.pointer && area.contains(*frame.pointer)) made.pointer = frame.pointer;
  return made;
}

void TimedPage::update(const RaceFrame& frame, ExhibitContext& context) {
  transport_.place(frame, showsSteps() && !ownTitle(frame.shared));
  replays_ = frame.shared.replays;
  updateContent(content(frame), context);
}

void TimedPage::scene(const RaceFrame& frame, std::vector<render::Layer>& into) {
  transport_.place(frame, showsSteps() && !ownTitle(frame.shared));
  drawContent(content(frame), into);
  addFailures(failures_, into, frame, frame.shared.key("failures"), failuresOf(frame.shared, showsRuns()));
  transport_.scene(frame, into);
}

Cursor TimedPage::input(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) {
  transport_.place(frame, showsSteps() && !ownTitle(frame.shared));
  if (transport_.input(frame, context, event)) return transport_.cursor(frame).value_or(Cursor::Arrow);
  return inputContent(content(frame), context, event);
}

Cursor TimedPage::cursor(const RaceFrame& frame, Cursor last) const {
  return transport_.cursor(frame).value_or(last);
}

void TimedPage::report(const RaceFrame& frame, const ExhibitContext& context) const {
  transport_.report(frame, context);
  reportStrip(controls(content(frame)), context);
}

std::vector<RacePage::Command> TimedPage::commands(const RaceShared& shared, const Document&) {
  const char *const menu = tr("Run"), *const exhibit = tr("Exhibit");
  const RaceState& state = shared.state;
  const auto seek = [&shared](bool forward) {
    return [&shared, forward](ExhibitContext& context) { shared.seek(context, forward); };
  };
  const auto walk = [&shared](int layers) {
    return [&shared, layers](ExhibitContext& context) { shared.walk(context, layers, 0); };
  };
  return {{shared.key("earlier"), tr("Previous recorded step"), "Left", menu, shared.step > 0, seek(false)},
          {shared.key("later"), tr("Next recorded step"), "Right", menu, !shared.live, seek(true)},
          {shared.key("next-layer"), tr("Next layer"), "Down", exhibit, state.layer + 1 < shared.layers, walk(1)},
          {shared.key("previous-layer"), tr("Previous layer"), "Up", exhibit, state.layer > 0, walk(-1)}};
}

LayerKey TimedPage::keyOf(const RaceFrame& frame) const {
  return keyWith(frameKey(frame), documents_, frame.shared.revision, frame.shared.end);
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// See timed_page.h.
#include "ui/exhibits/training/shared/timed_page.h"

#include <algorithm>

namespace sepx::ui {

TrainingFrame TimedPage::content(const TrainingFrame& frame) const {
  render::Rect area = frame.area;
  area.max.y = std::max(area.min.y + 1, area.max.y - transport_.height());
  TrainingFrame made(frame.shared, frame.theme, area, std::nullopt, frame.figure, frame.compact);
  if (frame.pointer && area.contains(*frame.pointer)) made.pointer = frame.pointer;
  return made;
}

void TimedPage::update(const TrainingFrame& frame, ExhibitContext& context) {
  transport_.place(frame);
  replays_ = frame.shared.replays;
  updateContent(content(frame), context);
}

void TimedPage::scene(const TrainingFrame& frame, std::vector<render::Layer>& into) {
  transport_.place(frame);
  drawContent(content(frame), into);
  transport_.scene(frame, into);
}

Cursor TimedPage::input(const TrainingFrame& frame, ExhibitContext& context, const InputEvent& event) {
  transport_.place(frame);
  if (transport_.input(frame, context, event)) return transport_.cursor(frame).value_or(Cursor::Arrow);
  return inputContent(content(frame), context, event);
}

Cursor TimedPage::cursor(const TrainingFrame& frame, Cursor last) const {
  return transport_.cursor(frame).value_or(last);
}

void TimedPage::report(const TrainingFrame& frame, const ExhibitContext& context) const {
  transport_.report(context);
  reportStrip(controls(content(frame)), context);
}

std::vector<ExhibitCommand> TimedPage::commands(const TrainingShared& shared, const Document&) const {
  const char *const menu = tr("Run"), *const exhibit = tr("Exhibit");
  const TrainingState& state = shared.state;
  return {{"training.earlier", tr("The step recorded before"), "Left", menu, shared.step > 0},
          {"training.later", tr("The step recorded after"), "Right", menu, !shared.live},
          {"training.next-layer", tr("Next layer"), "Down", exhibit, state.layer + 1 < shared.layers},
          {"training.previous-layer", tr("Previous layer"), "Up", exhibit, state.layer > 0}};
}

LayerKey TimedPage::keyOf(const TrainingFrame& frame) const {
  return keyWith(frameKey(frame), documents_, frame.shared.revision, frame.shared.end);
}

}  // namespace sepx::ui

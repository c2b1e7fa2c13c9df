// SPDX-License-Identifier: Apache-2.0
// See transport.h.
#include "ui/race/transport.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_commands.h"
#include "ui/race/race_page_kit.h"
#include "ui/views/digest.h"

namespace sepx::ui {

namespace {

constexpr double kLeastPage = 18;  // in sizes of the text; a page of less height has no transport
constexpr double kHandle = 7;      // points, radius of the handle of the slider

/// The training run of the race with the most time left; null: none is training.
const RacingRun* lastToEnd(const RaceShared& shared) {
  const RacingRun* last = nullptr;
  for (const RacingRun& racing : shared.runs) {
    if (!racing.run || !racing.run->reported() || !racing.run->trains()) continue;
    const auto left = [](const RacingRun& of) { return of.run->live().secondsLeft.value_or(0); };
    if (!last || left(racing) > left(*last)) last = &racing;
  }
  return last;
}

/// "Small encoder: step 1,240 of 3,000 · 12 ms per step · 40 s left" of the run with the most time left, with its name
/// if there are others. If none is training, the newest step. The longest variant that fits; empty: none does.
std::string progressText(const RaceShared& shared, float size, double room) {
  if (shared.runs.empty()) return {};
  const RacingRun* const trains = lastToEnd(shared);
  const std::string step = trFormat("step {} of {}", stepText(trains ? trains->run->step() : shared.newest),
                                    stepText(trains ? trains->run->steps() : shared.end));
  const std::string name = trains && shared.runs.size() > 1 ? trains->name() + ": " : std::string();
  std::string pace, rest;
  if (trains && trains->run->live().secondsPerStep > 0)
    pace = " · " + trFormat("{} ms per step", formatReading(1000 * trains->run->live().secondsPerStep));
  if (trains && trains->run->live().secondsLeft.value_or(0) > 0)
    rest = " · " + trFormat("{} left", durationWords(*trains->run->live().secondsLeft));
  const auto converged = [](const RacingRun& one) {
    return one.run && one.run->state() == train::RunState::Finished && !one.run->record().sentence.empty();
  };
  const auto ended = std::count_if(shared.runs.begin(), shared.runs.end(), converged);
  if (ended > 0 && shared.runs.size() == 1) rest += std::string(" · ") + tr("converged");
  if (ended > 0 && shared.runs.size() > 1) rest += " · " + trFormat("{} of {} converged", ended, shared.runs.size());
  for (const std::string& text : {name + step + pace + rest, name + step + rest, name + step, step})
    if (textWidth(text, size) <= room) return text;
  return {};
}

bool paused(const RaceShared& shared) {
  return std::any_of(shared.runs.begin(), shared.runs.end(), [](const RacingRun& one) {
    return one.run && one.run->reported() && one.run->state() == train::RunState::Paused;
  });
}

}  // namespace

void showStep(Editor& editor, const RaceShared& shared, std::int64_t step) {
  const Document& document = editor.document();
  if (step >= shared.newest) {
    if (document.has(shared.key("step"))) editor.replace(document.without(shared.key("step")));
    return;
  }
  editor.replace(document.with(shared.key("step"), std::max<std::int64_t>(0, step)));
}

void Transport::place(const RaceFrame& frame, bool wanted) {
  const Theme& theme = frame.theme;
  const double row = stripRow(theme);
  box_ = track_ = {};
  strip_ = {};
  if (frame.figure || !wanted || frame.area.height() < kLeastPage * theme.textSize) return;
  const RaceShared& shared = frame.shared;
  if (frame.audience) return placeForRoom(frame);
  box_ = {{frame.area.min.x, frame.area.max.y - 2 * row}, frame.area.max};
  StripLine line(strip_, box_.min.y, row, box_.min.x + theme.space, box_.max.x - theme.space);
  const bool trains = shared.trains(), any = !shared.runs.empty();
  const auto button = [&](const std::string& key, const char* label, bool enabled, bool on) {
    line.button({.key = key, .label = label, .on = on, .enabled = enabled}, theme.textSize, 9);
    line.skip(4);
  };
  button(shared.key("start"), paused(shared) ? tr("Continue") : tr("Start"), !trains, !trains);
  button(shared.key("pause"), tr("Pause"), trains, false);
  button(shared.key("step-once"), tr("Step"), trains || paused(shared), false);
  button(shared.key("rewind"), tr("Rewind"), any && !shared.shipped, false);
  line.skip(theme.space);
  const std::string branch = branchLabel(shared);
  const bool branches = any && branch != tr("Branch");
  if (any && !frame.compact) {
    button(shared.key("save"), tr("Save"), trains || paused(shared), false);
    button(shared.key("branch"), branch.c_str(), branches, false);
  }
  line.skip(2 * theme.space);
  line.textRight(progressText(shared, theme.smallSize, line.room()), theme.smallSize, theme.textMuted);
  const std::string rate = trFormat("learning rate × {}", formatShortest(shared.state.rate));
  if (line.room() > textWidth(rate, theme.smallSize) + 60) {
    line.button({.key = shared.key("rate-half"), .label = "÷2"}, theme.smallSize, 5);
    line.skip(4);
    line.text(rate, theme.smallSize, theme.textMuted);
    line.skip(4);
    line.button({.key = shared.key("rate-double"), .label = "×2"}, theme.smallSize, 5);
  }
  StripLine below(strip_, box_.min.y + row, row, box_.min.x + theme.space, box_.max.x - theme.space);
  below.button({.key = shared.key("live"), .label = tr("latest"), .on = any && shared.live, .enabled = any},
               theme.smallSize, 6, true);
  below.skipRight(theme.space);
  const std::string shown = stepText(shared.step);
  below.text(shown, theme.textSize, theme.text, true);
  const double left =
      box_.min.x + theme.space + std::max(textWidth("1,000,000", theme.textSize), textWidth(shown, theme.textSize));
  track_ = {{left + 2 * theme.space, box_.min.y + row}, {below.right() - theme.space, box_.max.y}};
  if (track_.width() < 40) track_ = {};
}

/// Layout for an audience: the slider and the progress, only while the slider moves or is not at the live end.
void Transport::placeForRoom(const RaceFrame& frame) {
  const RaceShared& shared = frame.shared;
  const Theme& theme = frame.theme;
  const bool moves = shared.replays || (shared.live && lastToEnd(shared));
  if (shared.runs.empty() || (!moves && shared.live)) return;
  const double row = stripRow(theme);
  box_ = {{frame.area.min.x, frame.area.max.y - row}, frame.area.max};
  StripLine line(strip_, box_.min.y, row, box_.min.x + theme.space, box_.max.x - theme.space);
  const std::string words = shared.live ? progressText(shared, theme.smallSize, line.room() / 2)
                                        : trFormat("step {} of {}", stepText(shared.step), stepText(shared.end));
  line.textRight(words, theme.smallSize, theme.text);
  track_ = {{box_.min.x + 2 * theme.space, box_.min.y},
            {box_.max.x - textWidth(words, theme.smallSize) - 4 * theme.space, box_.max.y}};
  if (track_.width() < 40) track_ = {};
}

double Transport::placeOf(const RaceShared& shared, std::int64_t step) const {
  const double share = shared.end > 0 ? static_cast<double>(step) / static_cast<double>(shared.end) : 0;
  return track_.min.x + std::clamp(share, 0.0, 1.0) * track_.width();
}

std::int64_t Transport::stepAt(const RaceShared& shared, double x) const {
  const double share = std::clamp((x - track_.min.x) / std::max(1.0, track_.width()), 0.0, 1.0);
  return static_cast<std::int64_t>(std::llround(share * static_cast<double>(shared.end)));
}

void Transport::seek(const RaceFrame& frame, ExhibitContext& context, double x) const {
  showStep(context.editor, frame.shared, stepAt(frame.shared, x));
}

std::vector<render::Item> Transport::items(const RaceFrame& frame) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const RaceShared& shared = frame.shared;
  items.emplace_back(pageFill(box_, theme.surface));
  items.emplace_back(pageLine(box_.min, {box_.max.x, box_.min.y}, theme.border));
  addButtons(items, strip_, theme, frame.pointer);
  if (track_.width() <= 0) return items;
  const double y = (track_.min.y + track_.max.y) / 2;
  items.emplace_back(pageLine({track_.min.x, y}, {track_.max.x, y}, theme.border, 4));
  if (shared.runs.empty()) return items;
  const double newest = placeOf(shared, shared.newest), shown = placeOf(shared, shared.step);
  items.emplace_back(pageLine({track_.min.x, y}, {newest, y}, theme.accentMuted, 4));
  for (const RacingRun& racing : shared.runs) {  // ticks at saved steps, which can be shown exactly
    if (!racing.run) continue;
    double last = -10;
    for (const std::int64_t step : racing.run->savedSteps()) {
      const double x = placeOf(shared, step);
      if (x - last < 3) continue;
      last = x;
      items.emplace_back(pageLine({x, y + 4}, {x, y + 8}, theme.textMuted, 1));
    }
  }
  items.emplace_back(render::Marker{{shown, y},
                                    render::Shape::Circle,
                                    static_cast<float>(2 * kHandle),
                                    theme.accent,
                                    theme.text,
                                    1.5f,
                                    render::Space::Page});
  return items;
}

void Transport::scene(const RaceFrame& frame, std::vector<render::Layer>& into) {
  if (height() <= 0) return;
  const RaceShared& shared = frame.shared;
  const StripButton* const over = frame.pointer ? strip_.at(*frame.pointer) : nullptr;
  Digest of;
  of.add(frameKey(frame), box_, shared.revision, shared.step, shared.live, shared.state.rate, over ? over->key : "");
  for (const StripText& text : strip_.texts)
    of.add(text.text);
  for (const StripButton& button : strip_.buttons)
    of.add(button.label, button.enabled, button.on);
  layers_.add(
      into, shared.key("transport"), {of.value()}, [&] { return items(frame); }, false, false);
}

bool Transport::input(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) {
  const bool was = held_;
  if (height() <= 0) return held_ = false;
  if (const auto* press = std::get_if<PointerPressed>(&event)) {
    const render::Point at{press->x, press->y};
    if (press->button != Button::Left) return box_.contains(at);
    held_ = press->down && track_.contains(at);
    if (held_) seek(frame, context, press->x);
    if (press->down && box_.contains(at) && !held_) {
      if (const StripButton* const button = strip_.at(at)) frame.shared.run(context, std::string(button->key));
      return true;
    }
    return was || held_;
  }
  if (const auto* move = std::get_if<PointerMoved>(&event); move && held_) seek(frame, context, move->x);
  if (const auto* focus = std::get_if<FocusChanged>(&event); focus && !focus->focused) held_ = false;
  return was;
}

std::optional<Cursor> Transport::cursor(const RaceFrame& frame) const {
  if (held_) return Cursor::ResizeHorizontal;
  if (!frame.pointer || !box_.contains(*frame.pointer)) return std::nullopt;
  if (track_.contains(*frame.pointer) && !frame.shared.runs.empty()) return Cursor::ResizeHorizontal;
  return strip_.at(*frame.pointer) ? Cursor::Hand : Cursor::Arrow;
}

void Transport::report(const RaceFrame& frame, const ExhibitContext& context) const {
  Strip all = strip_;
  if (track_.width() > 0) all.buttons.push_back({.key = frame.shared.key("step"), .label = {}, .box = track_});
  reportStrip(all, context);
}

}  // namespace sepx::ui

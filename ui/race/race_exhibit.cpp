// SPDX-License-Identifier: Apache-2.0
// See race_exhibit.h.
#include "ui/race/race_exhibit.h"

#include <algorithm>
#include <cmath>

#include "ui/race/race.h"
#include "ui/race/race_commands.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

namespace {

constexpr double kReplaySeconds = 10;  // from the first step to the live end
constexpr double kLeastRate = 1e-3, kMostRate = 1e3;

}  // namespace

RaceExhibit::RaceExhibit(const RaceKind& kind) : PagedExhibit(kind.exhibit), kind_(kind), store_(kind, state_) {
  RaceShared& shared = store_.filled();
  shared.traits = [this](const Document& document) { return pageIn(document).traits(); };
  shared.seek = [this](ExhibitContext& context, bool forward) { show(context, neighbour(forward)); };
  shared.walk = [this](ExhibitContext& context, int layers, int heads) { walk(context, layers, heads); };
  shared.run = [this](ExhibitContext& context, std::string_view command) {
    for (const Command& one : sharedCommands(context.editor.document()))
      if (one.key == command) return one.act(context), true;
    return false;
  };
}

std::string RaceExhibit::title() const {
  if (store_.shared().runs.empty()) return name();
  return name() + " · " + tr(store_.shared().experiment->title);
}

std::vector<std::pair<std::string, std::string>> RaceExhibit::gestures() const {
  std::vector<std::pair<std::string, std::string>> all = PagedExhibit::gestures();
  all.insert(all.end(), {{tr("drag the slider, or in a chart"), tr("show an earlier step on every page")},
                         {tr("arrow keys"), tr("previous or next recorded step")}});
  if (kind_.matrices) all.emplace_back(tr("hover over a matrix"), tr("the entry under the pointer"));
  return all;
}

std::vector<std::string> RaceExhibit::pictureCommands() const {
  const std::vector<std::string>& ofPage = page().traits().menu;
  return ofPage.empty() ? std::vector<std::string>{of("start"), of("pause"), of("rewind"), of("live")} : ofPage;
}

std::optional<bool> RaceExhibit::playing() const {
  return store_.shared().runs.empty() ? std::nullopt : std::optional(store_.shared().replays);
}

double RaceExhibit::playSeconds() const {
  return store_.shared().newest > 0 ? kReplaySeconds : 0;
}

void RaceExhibit::declareShared(PropertyRegistry& registry, Property page) {
  declareRaceShared(registry, store_.shared(), std::move(page));
}

void RaceExhibit::readShared(const Document& document, const PropertyRegistry& registry) {
  read_ = readRaceState(kind_, document, registry);
}

/// The layer and head may have been chosen in another race, so they are limited to those of these runs.
void RaceExhibit::refreshShared() {
  state_ = read_;
  const RaceShared& shared = store_.shared();
  if (shared.layers > 0) state_.layer = std::min(state_.layer, shared.layers - 1);
  if (shared.heads > 0) state_.head = std::min(state_.head, shared.heads - 1);
}

void RaceExhibit::updateShared(ExhibitContext& context) {
  store_.update(context);
  advanceReplay(context);
}

std::vector<PropertyGroup> RaceExhibit::sharedGroups() const {
  std::vector<PropertyGroup> all{
      {"",
       N_("Runs"),
       {},
       false,
       {{of("save"), N_("Save a checkpoint now")}, {of("branch"), N_("Branch…")}, {of("copy"), N_("Edit a copy…")}}}};
  if (kind_.matrices) all.push_back({"show", N_("Charts")});
  all.push_back({"log", kind_.matrices ? "" : N_("Charts"), kind_.matrices ? "show" : ""});
  if (kind_.matrices) all.push_back({"colors", N_("Colour scale")});
  all.push_back({"compare",
                 N_("Compare in Weights"),
                 {},
                 false,
                 {{of("compare-runs"), N_("Two runs")}, {of("compare-steps"), N_("Two steps")}}});
  all.push_back({"runs", N_("Each run")});
  for (const char* const plain : {"shown", "newest", "branch", "same", "speedup"})
    all.push_back({plain, "", ""});
  return all;
}

/// The step recorded before or after the one that is shown.
std::int64_t RaceExhibit::neighbour(bool forward) const {
  const RaceShared& shared = store_.shared();
  std::vector<double> steps;
  for (const RacingRun& racing : shared.runs) {
    if (!racing.run) continue;
    const RunSeries* series = racing.run->series("symmetry", 0);
    if (!series || series->steps.empty()) series = racing.run->series("validation");
    if (series) steps.insert(steps.end(), series->steps.begin(), series->steps.end());
  }
  const auto now = static_cast<double>(shared.step);
  double best = forward ? static_cast<double>(shared.newest) : 0;
  for (const double step : steps) {
    if (forward && step > now) best = std::min(best, step);
    if (!forward && step < now) best = std::max(best, step);
  }
  return static_cast<std::int64_t>(best);
}

void RaceExhibit::advanceReplay(ExhibitContext& context) {
  const RaceShared& shared = store_.shared();
  const double passed = context.seconds - std::exchange(since_, context.seconds);
  if (!shared.replays) return;
  head_ += passed / kReplaySeconds * static_cast<double>(shared.newest);
  if (head_ >= static_cast<double>(shared.newest)) store_.setReplays(false);
  showStep(context.editor, shared, static_cast<std::int64_t>(head_));
}

void RaceExhibit::drawRuns(PagePanel& panel) const {
  const RaceShared& shared = store_.shared();
  for (std::size_t i = 0; i < shared.runs.size(); ++i) {
    panel.heading(shared.runs[i].name());
    const std::string prefix = of("runs[") + std::to_string(i) + "].";
    for (const std::string& name : columnReadOuts())
      panel.row(prefix + name);
    const Run* const run = shared.runs[i].run.get();
    if (run && originOf(*run)) panel.sentence(originWords(shared, *run));
    if (run && run->state() == train::RunState::Finished && !run->record().sentence.empty())
      panel.sentence(sentenceCase(run->record().sentence));
  }
  if (shared.experiment->speedUp && shared.runs.size() == 2) panel.row(of("speedup"));
}

void RaceExhibit::drawPanel(const Frame& frame, ExhibitContext& context, bool inspectorShown) {
  if (inspectorShown) return;
  const std::string name = "##" + of("panel");
  PagePanel panel(context, name.c_str());
  const RaceShared& shared = store_.shared();
  const RaceTraits& traits = page().traits();
  const bool lists = listsRuns() && traits.runs;
  if (lists) drawRuns(panel);
  pagePanel(frame, context, panel);
  if (shared.runs.empty() || !lists || traits.explainsExperiment) return;
  raceCommandPanel(shared, context, panel);
  panel.heading(tr(shared.experiment->title));
  panel.sentence(tr(shared.experiment->text));
}

std::vector<ExhibitCommand> RaceExhibit::sharedCommands(const Document&) {
  const RaceShared& shared = store_.shared();
  const char *const menu = tr("Run"), *const exhibit = tr("Exhibit");
  const bool any = !shared.runs.empty(), trains = shared.trains();
  const auto with = [this](void (RaceStore::*act)(ExhibitContext&)) {
    return [this, act](ExhibitContext& context) { (store_.*act)(context); };
  };
  const auto heads = [this](int by) { return [this, by](ExhibitContext& context) { walk(context, 0, by); }; };
  const auto rate = [this](double factor) {
    return [this, factor](ExhibitContext& context) {
      setAsStep(context.editor, of("rate"), std::clamp(state_.rate * factor, kLeastRate, kMostRate));
    };
  };
  std::vector<Command> all{
      {of("start"), tr("Start or continue training"), "Ctrl+Enter", menu, !trains, with(&RaceStore::start)},
      {of("pause"), tr("Pause training"), "Ctrl+Period", menu, trains, with(&RaceStore::pause)},
      {of("step-once"), tr("One training step"), "", menu, any, with(&RaceStore::step)},
      {of("rewind"), tr("Rewind to step 0"), "", menu, store_.canRewind(), with(&RaceStore::rewind)},
      {of("rate-half"), tr("Halve the learning rate"), "", menu, any, rate(0.5)},
      {of("rate-double"), tr("Double the learning rate"), "", menu, any, rate(2)},
      {"play.toggle", tr("Replay the steps"), "Space", menu, shared.newest > 0,
       [this](ExhibitContext& context) { toggleReplay(context); }},
      {of("live"), tr("Follow the latest step"), "End", menu, any && !shared.live,
       [this](ExhibitContext& context) { show(context, store_.shared().newest); }}};
  if (kind_.matrices) {
    all.push_back({of("next-head"), tr("Next head"), "", exhibit, state_.head + 1 < shared.heads, heads(1)});
    all.push_back({of("previous-head"), tr("Previous head"), "", exhibit, state_.head >= 0, heads(-1)});
  }
  all.push_back({"runs.show", tr("Show active runs"), "", menu, true, with(&RaceStore::showTraining)});
  for (Command& command : raceCommands(shared))
    all.push_back(std::move(command));
  return all;
}

void RaceExhibit::walk(ExhibitContext& context, int layers, int heads) {
  const RaceShared& shared = store_.shared();
  const int layer = state_.layer + layers, head = state_.head + heads;
  if (!kind_.matrices || layer < 0 || layer >= shared.layers || head < -1 || head >= shared.heads) return;
  context.editor.commit(context.editor.document().with(of("layer"), layer).with(of("head"), head),
                        layers != 0 ? tr("choose a layer") : tr("choose a head"), of("walk"));
}

/// Shows a step and ends the replay.
void RaceExhibit::show(ExhibitContext& context, std::int64_t step) {
  store_.setReplays(false);
  showStep(context.editor, store_.shared(), step);
}

void RaceExhibit::toggleReplay(ExhibitContext& context) {
  const RaceShared& shared = store_.shared();
  store_.setReplays(!shared.replays && shared.newest > 0);
  head_ = shared.live ? 0 : static_cast<double>(shared.step);
  since_ = context.seconds;
}

render::Rect RaceExhibit::layOutAround(const Frame& whole) {
  const RaceTraits& traits = page().traits();
  transport_.place(whole, traits.transport && !facts().title);
  render::Rect left = whole.area;
  left.min.y += failuresHeight(whole, failuresOf(store_.shared(), traits.failures));
  left.max.y = std::max(left.min.y + 1, left.max.y - transport_.height());
  return left;
}

void RaceExhibit::addAround(const Frame& whole, std::vector<render::Layer>& into) {
  addFailures(failures_, into, whole, of("failures"), failuresOf(store_.shared(), page().traits().failures));
  transport_.scene(whole, into);
}

std::optional<Cursor> RaceExhibit::inputAround(const Frame& whole, ExhibitContext& context, const InputEvent& event) {
  if (!transport_.input(whole, context, event)) return std::nullopt;
  return transport_.cursor(whole).value_or(Cursor::Arrow);
}

Strip RaceExhibit::layOutStrip(const std::vector<StripButton>& tabs, double width, double height,
                               const Theme& theme) const {
  return layoutRaceStrip(store_.shared(), tabs, facts().title, width, height, theme);
}

}  // namespace sepx::ui

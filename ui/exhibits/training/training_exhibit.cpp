// SPDX-License-Identifier: Apache-2.0
// The Training exhibit put together: what its pages share, the transport's commands, the replay of past steps. It
// changes the document only through the Editor. Frame thread only.
#include "ui/exhibits/training/training_exhibit.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/core/try.h"
#include "ui/exhibit/paged_exhibit.h"
#include "ui/exhibits/training/own/own_data.h"
#include "ui/exhibits/training/shared/race.h"
#include "ui/exhibits/training/shared/race_commands.h"
#include "ui/exhibits/training/shared/training_page_kit.h"
#include "ui/exhibits/training/shared/training_store.h"
#include "ui/exhibits/training/shared/transport.h"
#include "ui/exhibits/training/training_pages.h"

namespace sepx::ui {

namespace {

constexpr double kReplaySeconds = 10;  // from the first step to the live end
constexpr const char* kWalkGroup = "training.walk";
constexpr double kLeastRate = 1e-3, kMostRate = 1e3;

std::string absolutePath(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(path, failed);
  return failed ? path : whole.lexically_normal().string();
}

class TrainingExhibit final : public PagedExhibit<TrainingPage> {
 public:
  TrainingExhibit() : PagedExhibit("training"), store_(state_) {
    setPages(makeTrainingPages());
    store_.setRun([this](ExhibitContext& context, std::string_view command) { return runShared(context, command); });
  }

  std::string name() const override { return tr("Training"); }
  std::string title() const override;
  std::string about() const override {
    return tr(
        "Train small transformers and watch W_qk form while the loss falls: encoder against decoder, starts, "
        "constraints.");
  }
  Document contrastState(const Document& mine) const override {
    return mine.with("training.page", mine.at("training.page") == "structure" ? "curves" : "structure");
  }
  std::vector<std::pair<std::string, std::string>> gestures() const override;
  std::vector<std::string> pictureCommands() const override {
    return {"training.start", "training.pause", "training.rewind", "training.live"};
  }
  std::optional<bool> playing() const override {
    return store_.shared().runs.empty() ? std::nullopt : std::optional(store_.shared().replays);
  }
  Result<void> take(ExhibitContext& context, const Table& table, const std::string& name) override;
  bool takeText(ExhibitContext& context, const std::string& path) override;
  double playSeconds() const override { return store_.shared().newest > 0 ? kReplaySeconds : 0; }

 private:
  const TrainingShared& shared() const override { return store_.shared(); }
  void declareShared(PropertyRegistry& registry, Property page) override {
    declareTraining(registry, store_.shared(), std::move(page));
  }
  void readShared(const Document& document, const PropertyRegistry& registry) override {
    state_ = readTrainingState(document, registry);
  }
  void updateShared(ExhibitContext& context) override {
    store_.update(context);
    advanceReplay(context);
  }
  void updateAfterPage(ExhibitContext& context) override { store_.updateForms(context); }
  bool sharedComplete() const override { return store_.complete(); }
  std::vector<PropertyGroup> sharedGroups() const override {
    return {{"",
             N_("Runs"),
             {},
             false,
             {{"training.save", N_("Save a checkpoint now")},
              {"training.branch", N_("Branch …")},
              {"training.copy", N_("Edit a copy …")}}},
            {"show", N_("Charts")},
            {"log", "", "show"},
            {"colors", N_("Colour scale")},
            {"compare",
             N_("Compare in Weights"),
             {},
             false,
             {{"training.compare-runs", N_("Two runs")}, {"training.compare-steps", N_("Two steps")}}},
            {"runs", N_("Each run")},
            {"shown", "", ""},
            {"newest", "", ""},
            {"branch", "", ""},
            {"same", "", ""},
            {"speedup", "", ""}};
  }
  void drawPanel(const Frame& frame, ExhibitContext& context, bool inspectorShown) override;
  void reportPage(const Frame& frame, const ExhibitContext& context) override { page().report(frame, context); }
  std::vector<Command> sharedCommands(const Document& document) const override;
  bool runShared(ExhibitContext& context, std::string_view command) override;
  bool runSlider(ExhibitContext& context, std::string_view command);
  bool walk(ExhibitContext& context, std::string_view command);
  Strip layStrip(const std::vector<StripButton>& tabs, double width, double height, const Theme& theme) const override {
    return layoutTrainingStrip(store_.shared(), tabs, width, height, theme);
  }
  void advanceReplay(ExhibitContext& context);
  std::int64_t neighbour(bool forward) const;

  TrainingState state_;
  TrainingStore store_;
  double head_ = 0, since_ = 0;  ///< of the replay: step, host time of the last frame
};

std::string TrainingExhibit::title() const {
  if (store_.shared().runs.empty()) return name();
  return name() + " · " + tr(store_.shared().experiment->title);
}

std::vector<std::pair<std::string, std::string>> TrainingExhibit::gestures() const {
  std::vector<std::pair<std::string, std::string>> all = page().gestures();
  all.insert(all.end(), {{tr("drag the slider, or in a chart"), tr("show an earlier step on every page")},
                         {tr("arrow keys"), tr("the step recorded before or after")},
                         {tr("hover over a matrix"), tr("the entry under the pointer")}});
  return all;
}

/// A dropped file becomes the data of the own config: one undoable step.
Result<void> TrainingExhibit::take(ExhibitContext& context, const Table& table, const std::string& name) {
  SEPX_ASSIGN(const std::string column, textColumn(table, name));
  context.editor.commit(withOwnText(context.editor.document(), absolutePath(name), column), tr("take a text as data"));
  return {};
}

bool TrainingExhibit::takeText(ExhibitContext& context, const std::string& path) {
  context.editor.commit(withOwnText(context.editor.document(), absolutePath(path), textMember(path)),
                        tr("take a text as data"));
  return true;
}

/// The step recorded before or after the one that is shown.
std::int64_t TrainingExhibit::neighbour(bool forward) const {
  const TrainingShared& shared = store_.shared();
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

void TrainingExhibit::advanceReplay(ExhibitContext& context) {
  const TrainingShared& shared = store_.shared();
  const double passed = context.seconds - std::exchange(since_, context.seconds);
  if (!shared.replays) return;
  head_ += passed / kReplaySeconds * static_cast<double>(shared.newest);
  if (head_ >= static_cast<double>(shared.newest)) store_.setReplays(false);
  showStep(context.editor, shared, static_cast<std::int64_t>(head_));
}

void TrainingExhibit::drawPanel(const Frame& frame, ExhibitContext& context, bool inspectorShown) {
  if (inspectorShown) return;
  PagePanel panel(context, "##training.panel");
  const TrainingShared& shared = store_.shared();
  const bool edits = page().label().word == "own" || page().label().word == "library";  // its fields come first
  for (std::size_t i = 0; i < shared.runs.size() && !edits; ++i) {
    panel.heading(shared.runs[i].name());
    const std::string prefix = "training.runs[" + std::to_string(i) + "].";
    for (const char* const key : {"state", "step", "loss", "validation"})
      panel.readOut(prefix + key);
    const Run* const run = shared.runs[i].run.get();
    if (run && originOf(*run)) panel.sentence(originWords(shared, *run));
    if (run && run->state() == train::RunState::Finished && !run->record().sentence.empty())
      panel.sentence(sentenceCase(run->record().sentence));
  }
  if (shared.experiment->speedUp && shared.runs.size() == 2 && !edits) panel.readOut("training.speedup");
  page().panel(frame, context, panel);
  if (shared.runs.empty() || edits || page().label().word == "experiments") return;
  raceCommandPanel(shared, context, panel);
  panel.heading(tr(shared.experiment->title));
  panel.sentence(tr(shared.experiment->text));
}

std::vector<ExhibitCommand> TrainingExhibit::sharedCommands(const Document&) const {
  const TrainingShared& shared = store_.shared();
  const char *const menu = tr("Run"), *const exhibit = tr("Exhibit");
  const bool any = !shared.runs.empty(), trains = shared.trains();
  std::vector<Command> all{{"training.start", tr("Start or continue training"), "Ctrl+Enter", menu, !trains},
                           {"training.pause", tr("Pause training"), "Ctrl+Period", menu, trains},
                           {"training.step-once", tr("One training step"), "", menu, any},
                           {"training.rewind", tr("Rewind: the same start again"), "", menu, store_.canRewind()},
                           {"training.rate-half", tr("Halve the learning rate"), "", menu, any},
                           {"training.rate-double", tr("Double the learning rate"), "", menu, any},
                           {"play.toggle", tr("Replay the steps"), "Space", menu, shared.newest > 0},
                           {"training.live", tr("Follow the live end"), "End", menu, any && !shared.live},
                           {"training.next-head", tr("Next head"), "", exhibit, state_.head + 1 < shared.heads},
                           {"training.previous-head", tr("Previous head"), "", exhibit, state_.head >= 0},
                           {"runs.show", tr("Show the runs that train"), "", menu}};
  for (Command& command : raceCommands(shared))
    all.push_back(std::move(command));
  return all;
}

bool TrainingExhibit::walk(ExhibitContext& context, std::string_view command) {
  const TrainingShared& shared = store_.shared();
  const int layers = command == "training.next-layer" ? 1 : command == "training.previous-layer" ? -1 : 0;
  const int heads = command == "training.next-head" ? 1 : command == "training.previous-head" ? -1 : 0;
  if (layers == 0 && heads == 0) return false;
  const int layer = state_.layer + layers, head = state_.head + heads;
  if (layer < 0 || layer >= shared.layers || head < -1 || head >= shared.heads) return true;
  context.editor.commit(context.editor.document().with("training.layer", layer).with("training.head", head),
                        layers != 0 ? tr("choose a layer") : tr("choose a head"), kWalkGroup);
  return true;
}

bool TrainingExhibit::runSlider(ExhibitContext& context, std::string_view command) {
  const TrainingShared& shared = store_.shared();
  if (command == "training.live") {
    store_.setReplays(false);
    showStep(context.editor, shared, shared.newest);
  } else if (command == "training.earlier" || command == "training.later") {
    store_.setReplays(false);
    showStep(context.editor, shared, neighbour(command == "training.later"));
  } else if (command == "play.toggle") {
    store_.setReplays(!shared.replays && shared.newest > 0);
    head_ = shared.live ? 0 : static_cast<double>(shared.step);
    since_ = context.seconds;
  } else {
    return false;
  }
  return true;
}

bool TrainingExhibit::runShared(ExhibitContext& context, std::string_view command) {
  if (walk(context, command) || runSlider(context, command) || runRaceCommand(store_.shared(), context, command))
    return true;
  if (command == "training.start") {
    store_.start(context);
  } else if (command == "training.pause") {
    store_.pause(context);
  } else if (command == "runs.show") {
    store_.showTraining(context);
  } else if (command == "training.step-once") {
    store_.step(context);
  } else if (command == "training.rewind") {
    store_.rewind(context);
  } else if (command == "training.rate-half" || command == "training.rate-double") {
    const double rate = state_.rate * (command == "training.rate-half" ? 0.5 : 2);
    setAsStep(context.editor, "training.rate", std::clamp(rate, kLeastRate, kMostRate));
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::unique_ptr<Exhibit> makeTrainingExhibit() {
  return std::make_unique<TrainingExhibit>();
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The page New run. The config is edited in the picture, is checked while it is edited, and is started there, from
// initial weights or as a branch of another run. The views are in own_views.h. Frame thread.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/core/result.h"
#include "engine/train/config_fields.h"
#include "engine/train/run_estimate.h"
#include "engine/train/run_store.h"
#include "engine/train/saved_model.h"
#include "engine/train/trainer.h"
#include "ui/canvas/page_draw.h"
#include "ui/exhibits/training/own/own_config.h"
#include "ui/exhibits/training/own/own_data.h"
#include "ui/exhibits/training/own/own_declare.h"
#include "ui/exhibits/training/own/own_groups.h"
#include "ui/exhibits/training/own/own_parent.h"
#include "ui/exhibits/training/own/own_presets.h"
#include "ui/exhibits/training/own/own_views.h"
#include "ui/page/lane.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/properties/tr_plural.h"
#include "ui/race/race.h"
#include "ui/race/race_page.h"
#include "ui/race/race_page_kit.h"
#include "ui/runs/runs.h"

namespace sepx::ui {

namespace {

/// The run that is to be estimated. Scripts do not measure the time, so that their pictures are the same on every
/// machine.
struct EstimateRequest {
  train::RunConfig config;
  bool timed = true;
  std::string parent{}, name{};  ///< folder and name of the parent of a branch; empty: no branch
  std::int64_t step = 0;         ///< of the parent
  bool operator==(const EstimateRequest&) const = default;
};

struct Estimate {
  Result<train::RunEstimate> run = train::RunEstimate{};
  std::string problem;  ///< why the branch cannot start; empty: it can, or it is not a branch
};

/// The size of the vocabulary depends on the data. Whether the saved weights of a branch fit the model is therefore
/// known only after the data were read.
Estimate estimated(const EstimateRequest& request, const std::function<bool()>& cancelled) {
  Estimate made{train::estimateRun(request.config, 0, request.timed, cancelled), {}};
  if (!made.run || request.parent.empty()) return made;
  train::RunConfig whole = request.config;
  whole.model = made.run->model;
  const Result<train::RunConfig> theirs = train::savedConfig(train::checkpointFolder(request.parent, request.step));
  const Result<void> fits = theirs ? train::checkBranchModel(request.name, theirs->model, request.step, whole)
                                   : Result<void>(tl::unexpected(theirs.error()));
  if (!fits) made.problem = fits.error().message + ".";
  return made;
}

class OwnPage final : public RacePage {
 public:
  OwnPage()
      : RacePage({"own",
                  N_("New run"),
                  "training.own.",
                  {{"own", N_("Configuration")}, {"editor", N_("Editor of a new run"), "own", true}}},
                 {.runs = false, .transport = false, .failures = false}) {
    pressed_ = [](const RaceFrame&, ExhibitContext& context, const ViewPress& press) { choosePreset(context, press); };
  }
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  PageFacts facts(const RaceShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.complete = estimate_.complete() && text_.complete();
    now.gestures = [] {
      return Gestures{{tr("click a block of the sketch"), tr("show its fields")},
                      {tr("click a difference"), tr("go to its field")},
                      {tr("drop a text or CSV file"), tr("train on it: it becomes the data of the config")}};
    };
    return now;
  }
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;

 protected:
  void ask(const RaceFrame& frame, ExhibitContext& context) override;
  Views views(const RaceFrame& frame) const override;

 private:
  /// What is trained beside the own config.
  enum class Beside { Nothing, Preset, Runs };
  void start(const RaceFrame& frame, ExhibitContext& context, Beside beside);
  static void choosePreset(ExhibitContext& context, const ViewPress& press);
  void startWithPreset(const RaceFrame& frame, ExhibitContext& context) const;
  void addStart(const RaceFrame& frame, ExhibitContext& context) const;
  /// The config of the comparison: that of the run it was copied from, otherwise the preset. Null: not read yet.
  const train::RunConfig* base() const;
  std::string baseName() const;
  std::vector<std::string> raceLines(const RaceFrame& frame) const;
  std::vector<std::string> lines(const RaceFrame& frame) const;
  std::string readySentence() const;
  /// The text beside the button: the name of the field, followed by the unchanged problem.
  std::string problemSentence(const std::string& problem, const std::string& place) const;
  const std::vector<OwnDifference>& differences() const { return differences_; }
  void compare();
  void compareFields(const Json& theirs);
  std::string textSentence() const;

  /// The estimate of the present config; null: not available yet.
  const Estimate* estimate() const { return estimate_.fresh() ? estimate_.result() : nullptr; }
  /// Why this config cannot be started, one sentence; empty: no problem is known.
  std::string problem() const;
  std::string branchProblem() const;
  bool canStart() const;
  /// Whether it can start, or could with the same data before the latest change of the config.
  bool mayStart() const {
    return canStart() || (config_ && problem().empty() && readData_ && *readData_ == config_->data);
  }

  Lane<EstimateRequest, Estimate> estimate_{"training.own"};
  Lane<data::SourceConfig, Result<TextFacts>> text_{"training.own.text"};
  Result<train::RunConfig> config_ = train::RunConfig{};
  nn::ModelConfig model_;  ///< of the last valid config
  std::string presetName_;
  std::optional<Result<train::RunConfig>> preset_;  ///< read for `presetOf_`
  std::string presetOf_;
  OwnParent parent_;
  std::uint64_t problemOf_ = 0;
  std::string problem_;  ///< why no branch can start; empty: one can, or none is requested
  std::uint64_t changes_ = 0;
  Document seen_;
  OwnChoices choices_;
  const PropertyRegistry* registry_ = nullptr;  ///< of the pane
  std::vector<OwnDifference> differences_;
  std::uint64_t comparedOf_ = 0;                ///< value of changes_ for which differences_ was made
  std::string textBefore_;                      ///< the user's own text in the last document that was read
  std::optional<Note> note_;                    ///< a message that is to be shown
  std::optional<Beside> wanted_;                ///< a start that waits until the config is checked
  std::optional<data::SourceConfig> readData_;  ///< of the last config that could start
};

void OwnPage::declare(PropertyRegistry& registry, const RaceShared& live) {
  const Condition here = onPages("training.page", "experiments", {"own"});
  declareOwn(registry, live, here);
  declareReadOuts(registry, {.prefix = "training.own.result.", .applies = here},
                  {{.key = "parameters",
                    .label = N_("Parameters"),
                    .help = N_("The number of parameters of the model."),
                    .digits = 0,
                    .get = [this](int) -> Value {
                      const Estimate* const made = estimate_.result();
                      return made && made->run ? Value(static_cast<double>(made->run->parameters)) : Value();
                    }},
                   {.key = "differences",
                    .label = N_("Differences"),
                    .help = N_("The number of fields in which the config differs from its preset."),
                    .digits = 0,
                    .get = [this](int) { return Value(static_cast<double>(differences().size())); }},
                   {.key = "data",
                    .label = N_("Text"),
                    .help = N_("What was read of the text that the config trains on, and whether it is shorter than "
                               "the context; empty where the data are not text."),
                    .get = [this](int) { return Value(textSentence()); }},
                   {.key = "problem",
                    .label = N_("What is wrong"),
                    .help = N_("Why the config cannot be trained; empty: it can."),
                    .get = [this](int) { return Value(problem()); }}});
}

void OwnPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared&) {
  registry_ = &registry;
  choices_ = {};
  registry.read(document, choices_, "training.editor.");
  const bool same = document.has("training.own") && seen_.has("training.own") && document.shares(seen_, "training.own");
  seen_ = document;
  if (document.at("training.page") != "own") wanted_.reset();
  if (same && changes_ > 0) return;
  config_ = ownConfig(document);
  if (config_) model_ = config_->model;
  const Json& preset = document.at("training.own.preset");
  const std::string name = preset.is_string() && preset != "defaults" ? preset.get<std::string>() : std::string();
  const std::string text = textIn(document), before = std::exchange(textBefore_, text);
  if (std::exchange(presetName_, name) != name && !before.empty() && text != before)
    note_ = Note{trFormat("{} is not the data of this preset. Undo restores it.",
                          std::filesystem::path(before).filename().string()),
                 {},
                 {}};
  parent_.read(document);
  ++changes_;
}

void OwnPage::ask(const RaceFrame& frame, ExhibitContext& context) {
  if (!preset_ || presetOf_ != presetName_) {
    preset_ = readPreset(frame.shared.assets, presetName_);
    presetOf_ = presetName_;
    ++changes_;
  }
  if (!presetName_.empty() && *preset_ && context.editor.document().at("training.own").size() == 1)
    context.editor.replace(withOwnConfig(context.editor.document(), presetName_, **preset_));
  if (parent_.update(context.runs)) ++changes_;
  if (std::exchange(problemOf_, changes_) != changes_) problem_ = config_ ? parent_.problem(*config_) : std::string();
  if (std::optional<Document> next = parent_.withParentConfig(context.editor.document(), frame.shared))
    context.editor.replace(*std::move(next));
  if (estimate_.refresh(context.jobs)) ++changes_;
  if (text_.refresh(context.jobs)) ++changes_;
  if (config_ && config_->data.kind == data::SourceKind::Text)
    text_.request(context.jobs, config_->data, tr("reading the text"),
                  [](const data::SourceConfig& config, auto&) { return readTextFacts(config); });
  else if (text_.clear())
    ++changes_;
  compare();
  results_.follow(changes_);
  if (note_) context.editor.note(*std::exchange(note_, std::nullopt));
  if (!config_) return wanted_.reset();
  // While other runs train, a step takes longer than alone, so it is not timed. An earlier measurement remains valid.
  EstimateRequest wanted{*config_, true};
  if (parent_.branches()) {
    wanted.parent = parent_.folder();
    wanted.name = parent_.name();
    wanted.step = parent_.step();
  }
  const bool measured = estimate_.isFor(wanted) && estimate_.complete();
  wanted.timed = !context.scripted && !context.figure && (measured || !frame.shared.trains());
  const bool asked = estimate_.request(context.jobs, std::move(wanted), tr("estimating the run"),
                                       [](const EstimateRequest& request, auto& output) {
                                         return estimated(request, [&output] { return output.cancelled(); });
                                       });
  if (asked) ++changes_;
  if (canStart() && estimate()) readData_ = config_->data;
  if (wanted_ && (canStart() || !mayStart())) start(frame, context, *std::exchange(wanted_, std::nullopt));
}

std::string OwnPage::branchProblem() const {
  if (!problem_.empty()) return problem_;
  return estimate() ? estimate()->problem : std::string();
}

std::string OwnPage::problem() const {
  if (!config_) {
    const std::string &sentence = config_.error().message, before = std::string(tr("new run")) + ": ";
    return sentence.starts_with(before) ? sentence.substr(before.size()) : sentence;
  }
  if (std::string branch = branchProblem(); !branch.empty()) return branch;
  return estimate() && !estimate()->run ? estimate()->run.error().message : std::string();
}

/// If the data are files, or the weights are those of a branch, they must be read before it is known whether a run can
/// start.
bool OwnPage::canStart() const {
  if (!config_ || !problem().empty()) return false;
  const data::SourceKind kind = config_->data.kind;
  const bool made = kind != data::SourceKind::Text && (!data::isOfImages(kind) || kind == data::SourceKind::Shapes);
  return (made && !parent_.branches()) || (estimate() && (!parent_.branches() || parent_.config()));
}

const train::RunConfig* OwnPage::base() const {
  if (parent_.named()) return parent_.config();
  return preset_ && *preset_ ? &**preset_ : nullptr;
}

std::string OwnPage::baseName() const {
  if (parent_.named()) return parent_.name();
  const OwnPreset* const preset = presetOf(presetName_);
  return presetName_.empty() ? std::string(tr("the defaults")) : preset ? std::string(tr(preset->title)) : presetName_;
}

/// Finds the differences from the preset, or from the run that the config is a copy or branch of.
void OwnPage::compare() {
  if (std::exchange(comparedOf_, changes_) == changes_) return;
  differences_.clear();
  const train::RunConfig* const other = base();
  if (!other) return;
  const Json theirs = train::toJson(*other);
  if (!config_) return compareFields(theirs);
  for (const std::string& place : train::differingFields(*config_, *other))
    if (place != "name" && place != "note")
      differences_.push_back({place, ownValue(place, train::fieldOf(theirs, place))});
}

/// For a config that is not valid: compares the values of its parameters.
void OwnPage::compareFields(const Json& theirs) {
  for (const train::ConfigField& field : train::configFields()) {
    const Value before = ownValue(field.place, train::fieldOf(theirs, field.place));
    const bool follows = field.place == "data.seed" && !seen_.has(ownKey(field.place));
    if (field.place == "name" || field.place == "note" || follows) continue;
    if (registry_->get(seen_, ownKey(field.place)) != before) differences_.push_back({field.place, before});
  }
}

std::string OwnPage::problemSentence(const std::string& problem, const std::string& place) const {
  if (problem.empty()) return {};
  const auto field = place.empty() ? std::nullopt : registry_->find(ownKey(place));
  if (!field || !field->property || !problem.starts_with(place)) return sentenceCase(problem);
  return nameOf(*field->property, seen_) + ": " + problem +
         (problem.ends_with('.') || problem.ends_with("。") ? "" : ".");
}

/// Lines about the branch, and about what the run shares with the runs beside it.
std::vector<std::string> OwnPage::raceLines(const RaceFrame& frame) const {
  if (!config_) return {};
  std::vector<std::string> lines = parent_.lines(
      branchProblem(),
      std::ranges::any_of(differences(), [](const OwnDifference& one) { return one.place.starts_with("initial."); }));
  const RaceShared& shared = frame.shared;
  std::vector<const train::RunConfig*> configs;
  for (const RacingRun& racing : shared.runs)
    if (racing.run && racing.run->config()) configs.push_back(&*racing.run->config());
  if (configs.empty()) return lines;
  configs.push_back(&*config_);
  lines.emplace_back(tr("Beside the runs of the race:"));
  lines.push_back(sharedRandomness(configs).sentence);
  if (shared.runs.size() >= kMostRuns)
    lines.push_back(
        trFormat("The race has {} runs. The oldest one leaves it and stays in the runs folder.", kMostRuns));
  return lines;
}

/// A sentence about the text of the config. Empty: it has none, or the text is not read yet. If it cannot be read, the
/// estimate reports that.
std::string OwnPage::textSentence() const {
  const Result<TextFacts>* const facts = text_.fresh() ? text_.result() : nullptr;
  if (!facts || !*facts || !config_) return {};
  return (*facts)->sentence(config_->data.path, config_->model.length);
}

std::vector<std::string> OwnPage::lines(const RaceFrame& frame) const {
  std::vector<std::string> lines;
  if (const std::string text = textSentence(); !text.empty()) lines.push_back(text);
  const Estimate* const made = estimate_.result();
  if (config_ && !made) {
    lines.emplace_back(tr("Counting parameters…"));
  } else if (config_ && made->run) {
    std::string line = trFormat("{} parameters, {} MB of memory", stepText(made->run->parameters),
                                formatReading(static_cast<double>(made->run->bytes) / 1e6));
    if (made->run->secondsPerStep > 0)
      line += ", " + trFormat("about {} for {} steps, {} ms per step", durationWords(made->run->seconds),
                              stepText(config_->schedule.steps), formatReading(1000 * made->run->secondsPerStep));
    lines.push_back(line + ".");
    if (!(made->run->secondsPerStep > 0) && frame.shared.trains())
      lines.emplace_back(tr("The time of a step is measured when no run is training."));
  }
  const std::vector<std::string> race = raceLines(frame);
  lines.insert(lines.end(), race.begin(), race.end());
  if (config_ && config_->data.kind != data::SourceKind::Text && !frame.figure)
    lines.emplace_back(tr("Drop a text, CSV or JSON-lines file here to train on it."));
  const std::size_t count = differences().size();
  const std::string name = baseName();
  if (base())
    lines.push_back(count == 0 ? trFormat("No difference from {}.", name)
                               : trPlural("{} difference from {}:", "{} differences from {}:", count, name));
  return lines;
}

/// The text beside the button if no problem is known.
std::string OwnPage::readySentence() const {
  if (!canStart()) return tr("The data are being read…");
  if (parent_.branches()) return trFormat("A branch of {}. Its learning rate and steps are below.", parent_.name());
  return parent_.named() ? trFormat("A copy of {}.", parent_.name()) : trFormat("From {}.", baseName());
}

Views OwnPage::views(const RaceFrame& frame) const {
  OwnViewInput shown{*registry_, seen_, choices_};
  const std::string wrong = problem();
  shown.model = &model_;
  shown.modelDigest = changes_;
  shown.text = !textBefore_.empty() || seen_.at(ownKey("data.kind")) == "text";
  shown.preset = presetName_;
  shown.base = baseName();
  shown.differences = differences_;
  shown.problemAt = fieldIn(wrong);
  shown.problem = problemSentence(wrong, shown.problemAt);
  shown.ready = readySentence();
  shown.canStart = mayStart();
  if (parent_.branches()) shown.branchesAt = parent_.step();
  shown.canStartWithPreset = !parent_.named();
  shown.canStartWithRuns = !frame.shared.runs.empty();
  shown.facts = lines(frame);
  return ownViews(shown, frame);
}

void OwnPage::panel(const RaceFrame&, ExhibitContext&, PagePanel& panel) {
  panel.heading(tr("Configuration"));
  panel.rows("training.own.result.", {"parameters", "differences"});
  if (const OwnPreset* const preset = presetOf(presetName_)) {
    panel.heading(trFormat("Preset: {}", tr(preset->title)));
    panel.sentence(tr(preset->about));
    if (const PresetFamily* const family = familyOf(presetName_)) panel.sentence(tr(family->about));
  }
  panel.heading(tr("What is shown"));
  panel.sentence(tr(
      "Every field of a config, in groups. A preset fills all of them; a field that differs from it has a mark and a "
      "button that resets it, and is listed on the right."));
  panel.sentence(
      tr("A click on a block of the sketch marks the fields that shape it. The search looks in names and explanations "
         "of all groups."));
  panel.sentence(
      tr("A config that cannot run cannot be started: the invalid field is marked, and what to do is shown beside the "
         "button. A text, CSV or JSON-lines file that is dropped on the page becomes the data."));
}

/// Chooses a preset, as one step that can be undone.
void OwnPage::choosePreset(ExhibitContext& context, const ViewPress& press) {
  const Json family = context.editor.document().at("training.editor.family");
  const std::string word = family.is_string() ? family.get<std::string>() : OwnChoices().family;
  for (const PresetFamily& one : presetFamilies()) {
    if (one.word != word || press.view != "presets" || press.index >= one.presets.size()) continue;
    const OwnPreset& preset = one.presets[press.index];
    Changes changes{{"training.own.preset", std::string(*preset.file ? preset.file : "defaults")}};
    if (preset.ownText) changes.emplace_back(ownKey("data.kind"), std::string("text"));
    ui::apply(context.editor, changes);
  }
}

/// Starts the run beside the runs of the race, as a branch or from initial weights.
void OwnPage::addStart(const RaceFrame& frame, ExhibitContext& context) const {
  RunStart wanted{*config_, parent_.branches() ? parent_.folder() : std::string(),
                  parent_.branches() ? parent_.step() : 0};
  wanted.config.name = uniqueName(frame.shared, wanted.config.name);
  frame.shared.addRun(context, wanted, AddTo::Race);
}

void OwnPage::startWithPreset(const RaceFrame& frame, ExhibitContext& context) const {
  if (!preset_ || !*preset_)
    return context.editor.say(preset_ ? preset_->error().message : tr("The preset has not been read yet."));
  std::vector<train::RunConfig> configs{*config_, **preset_};
  if (configs[0].name == configs[1].name && !differences().empty()) configs[0].name += std::string(" ") + tr("(own)");
  if (configs[1].name == configs[0].name || configs[1].name.empty())
    configs[1].name = presetName_.empty() ? std::string(tr("defaults")) : presetName_;
  frame.shared.startConfigs(context, configs);
}

void OwnPage::start(const RaceFrame& frame, ExhibitContext& context, Beside beside) {
  if (const std::string why = problem(); !why.empty()) return context.editor.say(why);
  if (!canStart()) {
    wanted_ = beside;
    return;
  }
  if (parent_.branches() || beside == Beside::Runs) return addStart(frame, context);
  if (beside == Beside::Preset && !parent_.named()) return startWithPreset(frame, context);
  std::vector<train::RunConfig> configs{*config_};
  const bool named = !parent_.named() && preset_ && *preset_ && configs.front().name == (*preset_)->name;
  if (named && !differences().empty()) configs.front().name += std::string(" ") + tr("(own)");
  frame.shared.startConfigs(context, configs);
}

std::vector<RacePage::Command> OwnPage::commands(const RaceShared& shared, const Document& document) {
  std::vector<Command> all = RacePage::commands(shared, document);
  const char* const menu = tr("Run");
  const bool ready = mayStart();
  const auto starting = [this](Beside beside) {
    return [this, beside](const RaceFrame& frame, ExhibitContext& context) { start(frame, context, beside); };
  };
  all.push_back({"training.own-start", parent_.branches() ? tr("Start the branch") : tr("Start the new run"), "", menu,
                 ready, starting(Beside::Nothing)});
  all.push_back({"training.own-beside", tr("Start the new run beside its preset"), "", menu,
                 ready && !parent_.branches() && !parent_.named(), starting(Beside::Preset)});
  all.push_back({"training.own-add", tr("Start the new run beside the runs"), "", menu,
                 ready && !parent_.branches() && !shared.runs.empty(), starting(Beside::Runs)});
  const auto open = [&](const char* word, const char* name) {
    all.push_back(
        {std::string("training.own-show-") + word, trFormat("Fields: {}", tr(name)), "", tr("Exhibit"), true,
         [word](ExhibitContext& context) { setAsStep(context.editor, "training.editor.group", std::string(word)); }});
  };
  open("presets", N_("Presets"));
  for (const OwnGroup& group : ownGroups())
    open(group.word, group.name);
  all.push_back({"training.own-choose", tr("Choose a text file…"), "", menu, true, [](ExhibitContext& context) {
                   if (context.chooseFile) return context.chooseFile(ownKey("data.path"));
                   context.editor.say(tr("Drop the file here, or type its path."));
                 }});
  return all;
}

}  // namespace

std::unique_ptr<RacePage> makeOwnPage() {
  return std::make_unique<OwnPage>();
}

}  // namespace sepx::ui

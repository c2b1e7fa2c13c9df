// SPDX-License-Identifier: Apache-2.0
// The config editor: every field as a control in the column, and in the picture a sketch of the model with its shapes,
// the number of parameters, memory and time on this machine, and what differs from the preset. Frame thread.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/core/result.h"
#include "engine/train/run_estimate.h"
#include "engine/train/run_store.h"
#include "engine/train/saved_model.h"
#include "engine/train/trainer.h"
#include "ui/canvas/page_draw.h"
#include "ui/exhibits/training/own/model_sketch.h"
#include "ui/exhibits/training/own/own_config.h"
#include "ui/exhibits/training/own/own_data.h"
#include "ui/exhibits/training/own/own_parent.h"
#include "ui/exhibits/training/own/own_words.h"
#include "ui/page/lane.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race.h"
#include "ui/race/race_page.h"
#include "ui/race/race_page_kit.h"
#include "ui/runs/runs.h"

namespace sepx::ui {

namespace {

constexpr double kSketchShare = 0.46;  // of the width

/// What is to be estimated; of a script without the time, so that its pictures are the same on every machine.
struct EstimateRequest {
  train::RunConfig config;
  bool timed = true;
  std::string parent{}, name{};  ///< folder and name of the run of which it is to be a branch; empty: none
  std::int64_t step = 0;         ///< of that run
  bool operator==(const EstimateRequest&) const = default;
};

struct Estimate {
  Result<train::RunEstimate> run = train::RunEstimate{};
  std::string problem;  ///< why it cannot be a branch; empty: it can, or is to be none
};

/// The data decide about the vocabulary, so that only after a look at them it is known whether the saved weights of a
/// branch fit the model.
Estimate estimated(const EstimateRequest& request, const std::function<bool()>& cancelled) {
  Estimate made{train::estimateRun(request.config, 0, request.timed, cancelled), {}};
  if (!made.run || request.parent.empty()) return made;
  train::RunConfig whole = request.config;
  whole.model = made.run->model;
  const Result<train::RunConfig> theirs = train::savedConfig(train::checkpointFolder(request.parent, request.step));
  const Result<void> fits = theirs ? train::checkBranchModel(request.name, theirs->model, request.step, whole)
                                   : Result<void>(tl::unexpected(theirs.error()));
  if (!fits) made.problem = fits.error().sentence + ".";
  return made;
}

Result<train::RunConfig> readPreset(const std::string& assets, const std::string& name) {
  if (name.empty()) return train::parseRunConfig("{}", tr("own config"), {});
  return train::readRunConfig(assets + "/configs/" + name + ".json");
}

/// Another preset takes the place of all fields; before the first frame the files are not known, and the page does it.
Result<Document> presetFollows(const RaceShared& live, const Document& before, const Document& with) {
  const Json& name = with.at("training.own.preset");
  if (before.at("training.own.preset") == name) return with;
  const std::string word = name.is_string() && name != "defaults" ? name.get<std::string>() : std::string();
  if (!word.empty() && live.assets.empty()) return with.without("training.own").with("training.own.preset", word);
  const Result<train::RunConfig> config = readPreset(live.assets, word);
  if (!config) return fail(ErrorKind::Usage, config.error().sentence);
  if (word.empty()) return with.without("training.own").with("training.own.preset", "defaults");
  return withOwnConfig(with, word, *config);
}

bool hasParent(const Document& document) {
  const Json& parent = document.at("training.own.parent");
  return parent.is_string() && !parent.get_ref<const std::string&>().empty();
}

Options presetOptions() {
  Options options{{"defaults", N_("defaults")}};
  for (const char* const name : presetNames())
    options.emplace_back(name, name);
  return options;
}

class OwnPage final : public RacePage {
 public:
  OwnPage()
      : RacePage({"own", N_("Custom run"), "training.own.", {{"own", N_("Configuration")}}},
                 {.runs = false, .failures = false}) {}
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const RaceShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.complete = estimate_.complete() && text_.complete();
    now.gestures = [] {
      return Gestures{{tr("drop a text or CSV file"), tr("train on it: it becomes the data of the config")}};
    };
    return now;
  }
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;

 protected:
  void ask(const RaceFrame& frame, ExhibitContext& context) override;
  Views views(const RaceFrame& frame) const override;

 private:
  /// What the own config is trained beside.
  enum class Beside { Nothing, Preset, Runs };
  void start(const RaceFrame& frame, ExhibitContext& context, Beside beside) const;
  void startBeside(const RaceFrame& frame, ExhibitContext& context) const;
  void addStart(const RaceFrame& frame, ExhibitContext& context) const;
  /// What the config is compared with: that of the run it was copied from, else the preset; null: not read.
  const train::RunConfig* base() const;
  std::string baseName() const;
  std::vector<std::string> raceLines(const RaceFrame& frame) const;
  std::vector<std::string> lines(const RaceFrame& frame) const;
  std::vector<std::string> differences() const;
  std::string textSentence() const;

  /// Of the present config; null: not yet.
  const Estimate* estimate() const { return estimate_.fresh() ? estimate_.result() : nullptr; }
  /// Why this config cannot be started, one sentence; empty: nothing speaks against it.
  std::string problem() const;
  std::string branchProblem() const;
  bool canStart() const;

  Lane<EstimateRequest, Estimate> estimate_{"training.own"};
  Lane<data::SourceConfig, Result<TextFacts>> text_{"training.own.text"};
  Result<train::RunConfig> config_ = train::RunConfig{};
  std::string presetName_;
  std::optional<Result<train::RunConfig>> preset_;  ///< read for `presetOf_`
  std::string presetOf_;
  OwnParent parent_;
  std::uint64_t problemOf_ = 0;
  std::string problem_;  ///< why no branch can begin; empty: one can, or none is asked for
  std::uint64_t changes_ = 0;
  Document seen_;
};

void OwnPage::declare(PropertyRegistry& registry, const RaceShared& live) {
  const Condition here = onPages("training.page", "experiments", {"own"});
  declareParameters(
      registry, {.prefix = "training.own.", .applies = here},
      {{.key = "preset",
        .label = N_("Preset"),
        .options = presetOptions(),
        .help = N_("A config that ships with the program. Choosing one sets every field."),
        .follow = [&live](const Document& before, const Document& with) { return presetFollows(live, before, with); }},
       {.key = "parent",
        .label = N_("Copy of"),
        .fallback = "",
        .help = N_("The folder of the run that the config was copied from. Empty: it was made from a "
                   "preset."),
        .file = true,
        .applies = hasParent},
       {.key = "parent_step",
        .label = N_("Branch from step"),
        .kind = Kind::Integer,
        .min = -1,
        .max = 1e12,
        .step = 1,
        .options = {{"-1", N_("from the start")}},
        .fallback = -1.0,
        .help = N_("The saved step of the other run at which this one begins, with its weights, the state "
                   "of its optimiser and its position in the data. From the start, or −1 in scripts: "
                   "from initial weights of its own."),
        .applies = hasParent}});
  std::vector<Property> rows;
  for (const train::ConfigField& field : train::configFields())
    rows.push_back(propertyOf(field));
  declareParameters(registry, {.applies = here}, std::move(rows));
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

void OwnPage::read(const Document& document, const PropertyRegistry&, const RaceShared&) {
  const bool same = document.has("training.own") && seen_.has("training.own") && document.shares(seen_, "training.own");
  if (same && changes_ > 0) return;
  seen_ = document;
  config_ = ownConfig(document);
  const Json& preset = document.at("training.own.preset");
  presetName_ = preset.is_string() && preset != "defaults" ? preset.get<std::string>() : std::string();
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
  if (std::optional<Document> next = parent_.takenOver(context.editor.document(), frame.shared))
    context.editor.replace(*std::move(next));
  if (estimate_.refresh(context.jobs)) ++changes_;
  if (text_.refresh(context.jobs)) ++changes_;
  if (config_ && config_->data.kind == data::SourceKind::Text)
    text_.request(context.jobs, config_->data, tr("reading the text"),
                  [](const data::SourceConfig& config, auto&) { return readTextFacts(config); });
  else if (text_.clear())
    ++changes_;
  results_.follow(changes_);
  if (!config_) return;
  // Beside runs that train, a step would take longer than alone; what was measured before they began still holds.
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
}

std::string OwnPage::branchProblem() const {
  if (!problem_.empty()) return problem_;
  return estimate() ? estimate()->problem : std::string();
}

std::string OwnPage::problem() const {
  if (!config_) return config_.error().sentence;
  if (std::string branch = branchProblem(); !branch.empty()) return branch;
  return estimate() && !estimate()->run ? estimate()->run.error().sentence : std::string();
}

/// A branch waits until its data were read: they decide whether the saved weights fit.
bool OwnPage::canStart() const {
  return problem().empty() && (!parent_.branches() || (parent_.config() && estimate()));
}

const train::RunConfig* OwnPage::base() const {
  if (parent_.named()) return parent_.config();
  return preset_ && *preset_ ? &**preset_ : nullptr;
}

std::string OwnPage::baseName() const {
  if (parent_.named()) return parent_.name();
  return presetName_.empty() ? std::string(tr("the defaults")) : presetName_;
}

std::vector<std::string> OwnPage::differences() const {
  const train::RunConfig* const other = base();
  if (!config_ || !other) return {};
  const Json ours = train::toJson(*config_), theirs = train::toJson(*other);
  std::vector<std::string> made;
  for (const std::string& place : train::differingFields(*config_, *other)) {
    if (place == "name" || place == "note") continue;
    made.push_back(
        fmt::format("{}: {} → {}", place, train::fieldOf(theirs, place).dump(), train::fieldOf(ours, place).dump()));
  }
  return made;
}

/// What the run shares with those beside it.
std::vector<std::string> OwnPage::raceLines(const RaceFrame& frame) const {
  if (!config_) return {};
  const std::vector<std::string> different = differences();
  std::vector<std::string> lines = parent_.lines(
      branchProblem(),
      std::ranges::any_of(different, [](const std::string& line) { return line.starts_with("initial."); }));
  const RaceShared& shared = frame.shared;
  std::vector<const train::RunConfig*> configs;
  for (const RacingRun& racing : shared.runs)
    if (racing.run && racing.run->config()) configs.push_back(&*racing.run->config());
  if (configs.empty()) return lines;
  configs.push_back(&*config_);
  lines.emplace_back(tr("Beside the runs of the race:"));
  lines.push_back(sharedChance(configs).sentence);
  if (shared.runs.size() >= kMostRuns)
    lines.push_back(
        trFormat("The race has {} runs. The oldest one leaves it and stays in the runs folder.", kMostRuns));
  return lines;
}

/// What the text of the config holds; empty: it has none, or it is not read yet. What cannot be read the estimate says.
std::string OwnPage::textSentence() const {
  const Result<TextFacts>* const facts = text_.fresh() ? text_.result() : nullptr;
  if (!facts || !*facts || !config_) return {};
  return (*facts)->sentence(config_->data.path, config_->model.length);
}

std::vector<std::string> OwnPage::lines(const RaceFrame& frame) const {
  std::vector<std::string> lines;
  if (!config_) return {sentenceCase(config_.error().sentence)};
  if (const std::string text = textSentence(); !text.empty()) lines = {text, ""};
  const Estimate* const made = estimate_.result();
  if (!made) {
    lines.emplace_back(tr("Counting parameters…"));
  } else if (!made->run) {
    lines.push_back(sentenceCase(made->run.error().sentence));
  } else {
    lines.push_back(trFormat("{} parameters", stepText(made->run->parameters)));
    lines.push_back(trFormat("{} MB of memory", formatReading(static_cast<double>(made->run->bytes) / 1e6)));
    if (made->run->secondsPerStep > 0)
      lines.push_back(trFormat("about {} for {} steps, {} ms a step", durationWords(made->run->seconds),
                               stepText(config_->schedule.steps), formatReading(1000 * made->run->secondsPerStep)));
    else if (frame.shared.trains())
      lines.emplace_back(tr("The time of a step is measured when no run trains."));
  }
  lines.emplace_back();
  const std::vector<std::string> race = raceLines(frame);
  lines.insert(lines.end(), race.begin(), race.end());
  if (!race.empty()) lines.emplace_back();
  const std::vector<std::string> different = differences();
  const std::string name = baseName();
  lines.push_back(different.empty()       ? trFormat("No difference from {}.", name)
                  : different.size() == 1 ? trFormat("1 difference from {}:", name)
                                          : trFormat("{} differences from {}:", different.size(), name));
  lines.insert(lines.end(), different.begin(), different.end());
  if (config_->data.kind != data::SourceKind::Text) {
    lines.emplace_back();
    lines.emplace_back(tr("Drop a text, CSV or JSON-lines file here to train on it."));
  }
  return lines;
}

Views OwnPage::views(const RaceFrame& frame) const {
  const double pad = 2 * frame.theme.space, unit = frame.theme.textSize;
  Views made;
  if (config_) {
    PictureContent sketch;
    sketch.of = changes_;
    sketch.draw = [model = config_->model](const ViewPlace& place) {
      std::vector<render::Item> items;
      addModelSketch(items, place.box, model, place.theme);
      return items;
    };
    made.views.push_back({"sketch", std::move(sketch)});
  }
  Arrangement buttons{.kind = Arrangement::Kind::Row, .gap = pad / 2, .length = 3.4 * unit};
  const auto add = [&](const char* name, std::string label) {
    made.views.push_back(
        {name, ButtonContent{
                   .command = std::string("training.own-") + name, .label = std::move(label), .enabled = canStart()}});
    buttons.parts.push_back(viewNamed(name));
  };
  if (parent_.branches()) {
    add("start", trFormat("Start the branch from step {}", stepText(parent_.step())));
  } else {
    add("start", tr("Start"));
    if (!parent_.named()) add("beside", tr("Start beside the preset"));
    if (!frame.shared.runs.empty()) add("add", tr("Start beside the runs"));
  }
  constexpr double kButton = 15;  // sizes of the type: they stand beside each other
  for (Arrangement& part : buttons.parts) {
    part.length = kButton * unit;
    part.mostShare = 1.0 / static_cast<double>(buttons.parts.size());
  }
  TextContent facts{.large = true, .scrolls = true};
  const std::string wrong = sentenceCase(problem());
  for (std::string& line : lines(frame)) {
    const bool error = !config_ || (!wrong.empty() && wrong == line);
    facts.lines.push_back({{std::move(line)}, error ? NoteLine::Role::Error : NoteLine::Role::Normal});
  }
  made.views.push_back({"facts", std::move(facts)});
  Arrangement sketch = viewNamed("sketch"), right{.kind = Arrangement::Kind::Column, .margin = pad};
  sketch.margin = pad;
  sketch.weight = kSketchShare;
  right.parts = {std::move(buttons), viewNamed("facts")};
  right.weight = 1 - kSketchShare;
  made.arrangement = {.kind = Arrangement::Kind::Row, .parts = {std::move(sketch), std::move(right)}};
  return made;
}

/// Beside the runs of the race: a branch, or from initial weights.
void OwnPage::addStart(const RaceFrame& frame, ExhibitContext& context) const {
  RunStart wanted{*config_, parent_.branches() ? parent_.folder() : std::string(),
                  parent_.branches() ? parent_.step() : 0};
  wanted.config.name = freeName(frame.shared, wanted.config.name);
  frame.shared.addRun(context, wanted, AddTo::Race);
}

void OwnPage::startBeside(const RaceFrame& frame, ExhibitContext& context) const {
  if (!preset_ || !*preset_)
    return context.editor.say(preset_ ? preset_->error().sentence : tr("The preset is not read yet."));
  std::vector<train::RunConfig> configs{*config_, **preset_};
  if (configs[0].name == configs[1].name && !differences().empty()) configs[0].name += std::string(" ") + tr("(own)");
  if (configs[1].name == configs[0].name || configs[1].name.empty())
    configs[1].name = presetName_.empty() ? std::string(tr("defaults")) : presetName_;
  frame.shared.startConfigs(context, configs);
}

void OwnPage::start(const RaceFrame& frame, ExhibitContext& context, Beside beside) const {
  if (const std::string why = problem(); !why.empty()) return context.editor.say(why);
  if (!canStart()) return context.editor.say(tr("The data of the branch are still being read."));
  if (parent_.branches() || beside == Beside::Runs) return addStart(frame, context);
  if (beside == Beside::Preset && !parent_.named()) return startBeside(frame, context);
  std::vector<train::RunConfig> configs{*config_};
  const bool named = !parent_.named() && preset_ && *preset_ && configs.front().name == (*preset_)->name;
  if (named && !differences().empty()) configs.front().name += std::string(" ") + tr("(own)");
  frame.shared.startConfigs(context, configs);
}

std::vector<RacePage::Command> OwnPage::commands(const RaceShared& shared, const Document& document) {
  std::vector<Command> all = RacePage::commands(shared, document);
  const char* const menu = tr("Run");
  const bool ready = canStart();
  const auto starting = [this](Beside beside) {
    return [this, beside](const RaceFrame& frame, ExhibitContext& context) { start(frame, context, beside); };
  };
  all.push_back({"training.own-start", parent_.branches() ? tr("Start the branch") : tr("Start the own config"), "",
                 menu, ready, starting(Beside::Nothing)});
  all.push_back({"training.own-beside", tr("Start the own config beside its preset"), "", menu,
                 ready && !parent_.branches() && !parent_.named(), starting(Beside::Preset)});
  all.push_back({"training.own-add", tr("Start the own config beside the runs"), "", menu,
                 ready && !parent_.branches() && !shared.runs.empty(), starting(Beside::Runs)});
  return all;
}

void OwnPage::panel(const RaceFrame&, ExhibitContext& context, PagePanel& panel) {
  panel.group(tr("Configuration"), "training.own.", {"preset", "parent", "parent_step"});
  std::string section;
  for (const train::ConfigField& field : train::configFields()) {
    const std::string of = field.place.substr(0, field.place.find('.'));
    if (field.place.find('.') != std::string::npos && of != section) {
      section = of;
      panel.heading(sectionName(section));
    }
    panel.row(ownKey(field.place));
    if (field.place == "data.path" && context.chooseFile &&
        panel.button(tr("Choose a text file…"), "training.own.choose"))
      context.chooseFile(ownKey("data.path"));
  }
}

}  // namespace

std::unique_ptr<RacePage> makeOwnPage() {
  return std::make_unique<OwnPage>();
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The config editor: every field as a control in the column, and in the picture a sketch of the model with its shapes,
// the number of parameters, memory and time on this machine, and what differs from the preset. Frame thread.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibit/lane.h"
#include "ui/exhibits/training/own/model_sketch.h"
#include "ui/exhibits/training/own/own_config.h"
#include "ui/exhibits/training/own/own_data.h"
#include "ui/exhibits/training/shared/run_estimate.h"
#include "ui/exhibits/training/shared/timed_page.h"
#include "ui/exhibits/training/shared/training_page_kit.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr double kSketchShare = 0.46;  // of the width

/// What is to be estimated; of a script without the time, so that its pictures are the same on every machine.
struct EstimateRequest {
  train::RunConfig config;
  bool timed = true;
  bool operator==(const EstimateRequest&) const = default;
};

Result<train::RunConfig> readPreset(const std::string& assets, const std::string& name) {
  if (name.empty()) return train::parseRunConfig("{}", tr("own config"), {});
  return train::readRunConfig(assets + "/configs/" + name + ".json");
}

/// Another preset takes the place of all fields; before the first frame the files are not known, and the page does it.
Result<Document> presetFollows(const TrainingShared& live, const Document& before, const Document& with) {
  const Json& name = with.at("training.own.preset");
  if (before.at("training.own.preset") == name) return with;
  const std::string word = name.is_string() && name != "defaults" ? name.get<std::string>() : std::string();
  if (!word.empty() && live.assets.empty()) return with.without("training.own").with("training.own.preset", word);
  const Result<train::RunConfig> config = readPreset(live.assets, word);
  if (!config) return fail(ErrorKind::Usage, config.error().sentence);
  if (word.empty()) return with.without("training.own").with("training.own.preset", "defaults");
  return withOwnConfig(with, word, *config);
}

Options presetOptions() {
  Options options{{"defaults", N_("defaults")}};
  for (const char* const name : presetNames())
    options.emplace_back(name, name);
  return options;
}

class OwnPage final : public TimedPage {
 public:
  PageLabel label() const override { return {"own", N_("Own"), ""}; }
  std::vector<PropertyGroup> groups() const override { return {{"own", N_("Own config")}}; }
  void declare(PropertyRegistry& registry, const TrainingShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const TrainingShared& shared) override;
  void panel(const TrainingFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  std::vector<ExhibitCommand> commands(const TrainingShared& shared, const Document& document) const override;
  bool run(const TrainingFrame& frame, ExhibitContext& context, std::string_view command) override;
  bool complete() const override { return estimate_.complete() && text_.complete(); }
  std::vector<std::pair<std::string, std::string>> gestures() const override {
    return {{tr("drop a text or CSV file"), tr("train on it: it becomes the data of the config")}};
  }

 protected:
  void updateContent(const TrainingFrame& frame, ExhibitContext& context) override;
  void drawContent(const TrainingFrame& frame, std::vector<render::Layer>& into) override;
  Cursor inputContent(const TrainingFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  Strip controls(const TrainingFrame& frame) const override;

 private:
  struct Place {
    render::Rect sketch, facts, start, beside;
  };
  static Place placeOf(const TrainingFrame& frame);
  void start(const TrainingFrame& frame, ExhibitContext& context, bool beside) const;
  std::vector<std::string> lines() const;
  std::vector<std::string> differences() const;
  std::vector<render::Item> items(const TrainingFrame& frame) const;

  std::string textSentence() const;

  Lane<EstimateRequest, Result<RunEstimate>> estimate_{"training.own"};
  Lane<data::SourceConfig, Result<TextFacts>> text_{"training.own.text"};
  Result<train::RunConfig> config_ = train::RunConfig{};
  std::string presetName_;
  std::optional<Result<train::RunConfig>> preset_;  ///< read for `presetOf_`
  std::string presetOf_;
  std::uint64_t changes_ = 0;
  Document seen_;
  PageLayers layers_;
};

void OwnPage::declare(PropertyRegistry& registry, const TrainingShared& live) {
  const Condition here = onPages("training.page", "experiments", {"own"});
  declareParameters(registry, {.prefix = "training.own.", .applies = here},
                    {{.key = "preset",
                      .label = N_("Preset"),
                      .options = presetOptions(),
                      .help = N_("A config that ships with the program. Choosing one sets every field."),
                      .follow = [&live](const Document& before, const Document& with) {
                        return presetFollows(live, before, with);
                      }}});
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
                      const Result<RunEstimate>* const made = estimate_.result();
                      return made && *made ? Value(static_cast<double>((*made)->parameters)) : Value();
                    }},
                   {.key = "differences",
                    .label = N_("Differences"),
                    .help = N_("The number of fields in which the config differs from its preset."),
                    .digits = 0,
                    .get = [this](int) { return Value(static_cast<double>(differences().size())); }},
                   {.key = "data",
                    .label = N_("Text"),
                    .help = N_("What was read of the text that the config trains on, and whether it is shorter than "
                               "the context; empty where the data are no text."),
                    .get = [this](int) { return Value(textSentence()); }},
                   {.key = "problem",
                    .label = N_("What is wrong"),
                    .help = N_("Why the config cannot be trained; empty: it can."),
                    .get = [this](int) { return Value(config_ ? std::string() : config_.error().sentence); }}});
}

void OwnPage::read(const Document& document, const PropertyRegistry& registry, const TrainingShared& shared) {
  TimedPage::read(document, registry, shared);
  const bool same = document.has("training.own") && seen_.has("training.own") && document.shares(seen_, "training.own");
  if (same && changes_ > 0) return;
  seen_ = document;
  config_ = ownConfig(document);
  const Json& preset = document.at("training.own.preset");
  presetName_ = preset.is_string() && preset != "defaults" ? preset.get<std::string>() : std::string();
  ++changes_;
}

void OwnPage::updateContent(const TrainingFrame& frame, ExhibitContext& context) {
  if (!preset_ || presetOf_ != presetName_) {
    preset_ = readPreset(frame.shared.assets, presetName_);
    presetOf_ = presetName_;
    ++changes_;
  }
  if (!presetName_.empty() && *preset_ && context.editor.document().at("training.own").size() == 1)
    context.editor.replace(withOwnConfig(context.editor.document(), presetName_, **preset_));
  if (estimate_.refresh(context.jobs)) ++changes_;
  if (text_.refresh(context.jobs)) ++changes_;
  if (config_ && config_->data.kind == data::SourceKind::Text)
    text_.request(context.jobs, config_->data, tr("reading the text"),
                  [](const data::SourceConfig& config, auto&) { return readTextFacts(config); });
  else if (text_.clear())
    ++changes_;
  if (!config_ || frame.shared.trains()) return;
  estimate_.request(context.jobs, {*config_, !context.scripted && !context.figure}, tr("estimating the run"),
                    [](const EstimateRequest& request, auto& output) {
                      return estimateRun(request.config, 0, request.timed, [&output] { return output.cancelled(); });
                    });
}

std::vector<std::string> OwnPage::differences() const {
  if (!config_ || !preset_ || !*preset_) return {};
  const Json ours = train::toJson(*config_), theirs = train::toJson(**preset_);
  std::vector<std::string> made;
  for (const std::string& place : train::differingFields(*config_, **preset_)) {
    if (place == "name" || place == "note") continue;
    made.push_back(
        fmt::format("{}: {} → {}", place, train::fieldOf(theirs, place).dump(), train::fieldOf(ours, place).dump()));
  }
  return made;
}

/// What the text of the config holds; empty: it has none, or it is not read yet. What cannot be read the estimate says.
std::string OwnPage::textSentence() const {
  const Result<TextFacts>* const facts = text_.fresh() ? text_.result() : nullptr;
  if (!facts || !*facts || !config_) return {};
  return (*facts)->sentence(config_->data.path, config_->model.length);
}

std::vector<std::string> OwnPage::lines() const {
  std::vector<std::string> lines;
  if (!config_) return {sentenceCase(config_.error().sentence)};
  if (const std::string text = textSentence(); !text.empty()) lines = {text, ""};
  const Result<RunEstimate>* const made = estimate_.result();
  if (made && !*made) lines.push_back(sentenceCase(made->error().sentence));
  if (!made || !*made) {
    if (!made) lines.emplace_back(tr("Counting parameters …"));
  } else {
    lines.push_back(trFormat("{} parameters", stepText((*made)->parameters)));
    lines.push_back(trFormat("{} MB of memory", formatReading(static_cast<double>((*made)->bytes) / 1e6)));
    if ((*made)->secondsPerStep > 0)
      lines.push_back(trFormat("about {} for {} steps, {} ms a step", durationWords((*made)->seconds),
                               stepText(config_->schedule.steps), formatReading(1000 * (*made)->secondsPerStep)));
  }
  lines.emplace_back();
  const std::vector<std::string> different = differences();
  const std::string name = presetName_.empty() ? std::string(tr("the defaults")) : presetName_;
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

OwnPage::Place OwnPage::placeOf(const TrainingFrame& frame) {
  const double pad = 2 * frame.theme.space, button = 2.2 * frame.theme.textSize;
  const render::Rect& area = frame.area;
  const double middle = area.min.x + kSketchShare * area.width();
  Place place;
  place.sketch = {{area.min.x + pad, area.min.y + pad}, {middle - pad, area.max.y - pad}};
  place.facts = {{middle, area.min.y + pad + 2 * button}, {area.max.x - pad, area.max.y - pad}};
  const double half = std::min(14.0 * frame.theme.textSize, (area.max.x - pad - middle) / 2 - pad / 2);
  place.start = {{middle, area.min.y + pad}, {middle + half, area.min.y + pad + button}};
  place.beside = {{place.start.max.x + pad / 2, place.start.min.y},
                  {place.start.max.x + pad / 2 + half, place.start.max.y}};
  return place;
}

std::vector<render::Item> OwnPage::items(const TrainingFrame& frame) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const Place place = placeOf(frame);
  if (config_) addModelSketch(items, place.sketch, config_->model, theme);
  const auto button = [&](const render::Rect& box, const char* label) {
    const bool over = frame.pointer && box.contains(*frame.pointer);
    addBox(items, box, theme.radius,
           !config_ ? theme.surface
           : over   ? theme.surfaceRaised
                    : theme.accentMuted,
           theme.border);
    items.emplace_back(textAt({(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2},
                              elided(label, theme.textSize, box.width() - 8), theme.textSize,
                              config_ ? theme.text : theme.textMuted, render::AlignX::Center));
  };
  if (!frame.figure) {
    button(place.start, tr("Start"));
    button(place.beside, tr("Start beside the preset"));
  }
  double y = place.facts.min.y;
  const double line = 1.45 * theme.textSize;
  for (const std::string& text : lines()) {
    for (const std::string& part : wrapped(text, theme.textSize, place.facts.width())) {
      if (y > place.facts.max.y) return items;
      items.emplace_back(textAt({place.facts.min.x, y}, part, theme.textSize, config_ ? theme.text : theme.error));
      y += line;
    }
    if (text.empty()) y += line / 2;
  }
  return items;
}

void OwnPage::drawContent(const TrainingFrame& frame, std::vector<render::Layer>& into) {
  const Place place = placeOf(frame);
  const int over = !frame.pointer                          ? 0
                   : place.start.contains(*frame.pointer)  ? 1
                   : place.beside.contains(*frame.pointer) ? 2
                                                           : 0;
  layers_.add(into, "training.own", keyWith(frameKey(frame), changes_, over), [&] { return items(frame); });
}

Strip OwnPage::controls(const TrainingFrame& frame) const {
  const Place place = placeOf(frame);
  Strip strip;
  strip.buttons.push_back({.key = "training.own-start", .label = {}, .box = place.start});
  strip.buttons.push_back({.key = "training.own-beside", .label = {}, .box = place.beside});
  return strip;
}

Cursor OwnPage::inputContent(const TrainingFrame& frame, ExhibitContext& context, const InputEvent& event) {
  const Place place = placeOf(frame);
  if (const auto* press = std::get_if<PointerPressed>(&event); press && press->down && press->button == Button::Left) {
    const render::Point at{press->x, press->y};
    if (place.start.contains(at)) start(frame, context, false);
    if (place.beside.contains(at)) start(frame, context, true);
  }
  const bool over = frame.pointer && (place.start.contains(*frame.pointer) || place.beside.contains(*frame.pointer));
  return over ? Cursor::Hand : Cursor::Arrow;
}

void OwnPage::start(const TrainingFrame& frame, ExhibitContext& context, bool beside) const {
  if (!config_) return context.editor.say(config_.error().sentence);
  std::vector<train::RunConfig> configs{*config_};
  const bool named = preset_ && *preset_ && configs.front().name == (*preset_)->name;
  if (named && !differences().empty()) configs.front().name += std::string(" ") + tr("(own)");
  if (beside) {
    if (!preset_ || !*preset_)
      return context.editor.say(preset_ ? preset_->error().sentence : tr("The preset is not read yet."));
    configs.push_back(**preset_);
    if (configs.back().name == configs.front().name || configs.back().name.empty())
      configs.back().name = presetName_.empty() ? std::string(tr("defaults")) : presetName_;
  }
  frame.shared.startConfigs(context, configs);
}

std::vector<ExhibitCommand> OwnPage::commands(const TrainingShared& shared, const Document& document) const {
  std::vector<ExhibitCommand> all = TimedPage::commands(shared, document);
  const char* const menu = tr("Run");
  all.push_back({"training.own-start", tr("Start the own config"), "", menu, config_.has_value()});
  all.push_back({"training.own-beside", tr("Start the own config beside its preset"), "", menu, config_.has_value()});
  return all;
}

bool OwnPage::run(const TrainingFrame& frame, ExhibitContext& context, std::string_view command) {
  if (command != "training.own-start" && command != "training.own-beside") return false;
  start(frame, context, command == "training.own-beside");
  return true;
}

void OwnPage::panel(const TrainingFrame&, ExhibitContext& context, PagePanel& panel) {
  panel.heading(tr("Own config"));
  panel.control("training.own.preset");
  std::string section;
  for (const train::ConfigField& field : train::configFields()) {
    const std::string of = field.place.substr(0, field.place.find('.'));
    if (field.place.find('.') != std::string::npos && of != section) {
      section = of;
      panel.heading(section);
    }
    panel.control(ownKey(field.place));
    if (field.place == "data.path" && context.chooseFile &&
        panel.button(tr("Choose a text file …"), "training.own.choose"))
      context.chooseFile(ownKey("data.path"));
  }
}

}  // namespace

std::unique_ptr<TrainingPage> makeOwnPage() {
  return std::make_unique<OwnPage>();
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The race of models on forward-only pairs: accuracy and probability of both directions over steps, means over seeds
// with their range; MDM beside ARM, or a small chart an encoding. Above them what is trained and what counts as an
// answer, below them what a single number hides. Frame thread.
#include <algorithm>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/reversal/race/reversal_race_charts.h"
#include "ui/exhibits/reversal/shared/choice_rows.h"
#include "ui/exhibits/reversal/shared/reversal_races.h"
#include "ui/properties/declarations.h"
#include "ui/properties/tr.h"
#include "ui/race/chart_grid.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/timed_page.h"

namespace sepx::ui {

namespace {

constexpr double kUpperShare = 0.6;  // of the height: accuracy above probability
constexpr double kLeastChart = 220;  // points, width of a small chart
constexpr double kLeastWhole = 14;   // sizes of the text, height of a chart with names at its axes
constexpr double kLeastNote = 32;    // likewise, height of a page with a sentence below the charts
constexpr double kLeastRow = 8;      // sizes of the text, height of a small chart
constexpr double kNoteLine = 1.35;   // of the size of the text

class ReversalRacePage final : public TimedPage {
 public:
  PageLabel label() const override { return {"race", N_("Race")}; }
  RaceTraits traits() const override { return {.curves = true, .steps = true}; }
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& live) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  Numbers numbers(const RaceShared& shared) const override { return runNumbers(shared); }
  std::string caption(const RaceShared& shared) const override;

 protected:
  void drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) override;
  Cursor inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  Strip controls(const RaceFrame& frame) const override;

 private:
  bool multiples(const RaceShared& shared) const { return std::string_view(shared.experiment->word) == "encodings"; }
  std::vector<std::string> noteLines(const RaceFrame& frame) const;
  render::Rect chartsBox(const RaceFrame& frame) const;
  void place(const RaceFrame& frame);
  void placeMultiples(const RaceFrame& frame, render::Rect box);
  void placeDirections(const RaceFrame& frame, render::Rect box);
  double legendHeight(const RaceFrame& frame) const;
  void addNote(const RaceFrame& frame, std::vector<render::Layer>& into, const LayerKey& key);

  AnswersShown answers_ = AnswersShown::Both;
  std::string setting_ = "quick";
  std::vector<SeedGroup> groups_;
  render::Point legend_;  ///< above the charts
  std::vector<LegendEntry> legendEntries_;
  std::vector<ChartPlacing> places_;
  ChartGrid charts_;
  PageLayers layers_;
};

void ReversalRacePage::declare(PropertyRegistry& registry, const RaceShared& live) {
  // clang-format off
  declareParameters(registry, {.prefix = "reversal."}, {
      {.key = "answers", .into = &ReversalRacePage::answers_, .label = N_("Answers"),
       .options = {{"both", N_("both")}, {"all", N_("all tokens")}, {"letters", N_("letters only")}},
       .help = N_("Which answers count: every token of the vocabulary, or letters of the wanted case alone. The choice "
           "decides what is seen: nearly every wrong reverse answer is the placeholder 0.")}});
  declareReadOuts(registry, {.prefix = "reversal.race."}, {
      {.key = "hides", .label = N_("Behind the accuracy"),
       .help = N_("The reverse accuracy at the step shown by both ways of counting, with the share of wrong answers that are "
           "the placeholder 0, for the model whose two accuracies differ most."),
       .get = gettersOf(live)([](const RaceShared& shared) { return hiddenSentence(shared, seedGroups(shared)); })}});
  // clang-format on
}

void ReversalRacePage::read(const Document& document, const PropertyRegistry& registry, const RaceShared& live) {
  TimedPage::read(document, registry, live);
  registry.read(document, *this);
  setting_ = registry.text(document, "reversal.setting");
}

/// What is trained, with which setting, and what counts as an answer.
Strip ReversalRacePage::controls(const RaceFrame& frame) const {
  if (frame.figure) return {};
  ChoiceRows rows(frame.area, frame.theme);
  std::vector<ValueChoice> experiments;
  for (const Experiment& one : reversalExperiments())
    experiments.push_back({one.word, tr(one.title), &one == frame.shared.experiment});
  rows.add("reversal.experiment", "", experiments);
  rows.add("reversal.setting", "",
           {{"quick", tr("quick"), setting_ == "quick"},
            {"batch64", tr("batch 64"), setting_ == "batch64"},
            {"full", tr("batch 256"), setting_ == "full"}});
  if (frame.compact) return rows.strip();
  rows.add("reversal.answers", tr("answers:"),
           {{"both", tr("both"), answers_ == AnswersShown::Both},
            {"all", tr("all tokens"), answers_ == AnswersShown::All},
            {"letters", tr("letters only"), answers_ == AnswersShown::Letters}});
  return rows.strip();
}

render::Rect ReversalRacePage::chartsBox(const RaceFrame& frame) const {
  const double pad = frame.theme.space;
  render::Rect box{{frame.area.min.x + pad, frame.area.min.y + pad}, {frame.area.max.x - pad, frame.area.max.y - pad}};
  box.min.y += rowsHeight(controls(frame), frame.area.min.y);
  box.max.y -= kNoteLine * frame.theme.textSize * static_cast<double>(noteLines(frame).size());
  return box;
}

void ReversalRacePage::placeMultiples(const RaceFrame& frame, render::Rect box) {
  legend_ = box.min;
  legendEntries_ = groupLegend(answers_, frame.theme);
  box.min.y += legendHeight(frame);
  const std::size_t count = groups_.size();
  const auto perRow = static_cast<std::size_t>(std::max(1.0, box.width() / kLeastChart));
  // Where there is no height for so many rows the charts are narrower.
  const auto rows = static_cast<std::size_t>(std::max(1.0, box.height() / (kLeastRow * frame.theme.textSize)));
  const std::size_t columns = std::min(count, std::max(perRow, (count + rows - 1) / rows));
  const bool both = count <= columns && !frame.compact;  // room for the probabilities in a second row
  const std::vector<render::Rect> boxes =
      gridOf(box, both ? 2 * count : count, std::max<std::size_t>(columns, 1), frame.theme.space);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const std::size_t group = i % count;
    const bool probability = i >= count;
    places_.push_back({.box = boxes[i],
                       .compact = true,
                       .name = (probability ? "p" : "accuracy") + std::to_string(group),
                       .make = [this, &frame, group, probability] {
                         return groupChart(frame.shared, groups_[group], probability, answers_, frame.theme, true);
                       }});
  }
}

void ReversalRacePage::placeDirections(const RaceFrame& frame, render::Rect box) {
  // One legend of both directions, so that their charts have one height.
  legend_ = box.min;
  legendEntries_ = legendOf(
      raceChart(frame.shared, groups_, {false, reversal::Direction::Reverse, answers_}, frame.theme, frame.compact));
  box.min.y += legendHeight(frame);
  const auto add = [&](const render::Rect& at, bool probability, reversal::Direction direction) {
    const RaceChart wanted{probability, direction, answers_};
    const bool compact = frame.compact || probability || at.height() < kLeastWhole * frame.theme.textSize;
    places_.push_back(
        {.box = at,
         .compact = compact,
         .name = pairMetric(probability ? PairMeasure::Probability : PairMeasure::Accuracy, direction, false),
         .make = [this, &frame, wanted, compact] {
           return raceChart(frame.shared, groups_, wanted, frame.theme, compact);
         }});
  };
  const double pad = frame.theme.space, middle = (box.min.x + box.max.x) / 2;
  const double below = frame.compact ? box.max.y : box.min.y + kUpperShare * box.height();
  add({box.min, {middle - pad / 2, below - pad / 2}}, false, reversal::Direction::Forward);
  add({{middle + pad / 2, box.min.y}, {box.max.x, below - pad / 2}}, false, reversal::Direction::Reverse);
  if (frame.compact) return;
  add({{box.min.x, below + pad / 2}, {middle - pad / 2, box.max.y}}, true, reversal::Direction::Forward);
  add({{middle + pad / 2, below + pad / 2}, box.max}, true, reversal::Direction::Reverse);
}

void ReversalRacePage::place(const RaceFrame& frame) {
  places_.clear();
  groups_ = seedGroups(frame.shared);
  if (groups_.empty()) return;
  if (multiples(frame.shared))
    placeMultiples(frame, chartsBox(frame));
  else
    placeDirections(frame, chartsBox(frame));
}

double ReversalRacePage::legendHeight(const RaceFrame& frame) const {
  std::vector<render::Item> ignored;
  return addLegend(ignored, {}, frame.area.width() - 2 * frame.theme.space, legendEntries_, frame.theme) +
         frame.theme.space / 2;
}

/// What stands below the charts.
std::vector<std::string> ReversalRacePage::noteLines(const RaceFrame& frame) const {
  // In a figure the caption says what the charts hide, and nobody is told to press anything.
  if (frame.figure || frame.compact || frame.area.height() < kLeastNote * frame.theme.textSize) return {};
  std::string text = hiddenSentence(frame.shared, groups_);
  if (frame.shared.shipped)
    text = std::string(tr("These runs ship with the program. Press Start to train your own.")) + " " + text;
  return wrapped(text, frame.theme.textSize, frame.area.width() - 4 * frame.theme.space);
}

void ReversalRacePage::addNote(const RaceFrame& frame, std::vector<render::Layer>& into, const LayerKey& key) {
  if (frame.compact) return;
  layers_.add(into, "reversal.race.note", keyWith(key, frame.shared.step), [&] {
    std::vector<render::Item> items;
    const Theme& theme = frame.theme;
    const std::vector<std::string> lines = noteLines(frame);
    const double height = kNoteLine * theme.textSize;
    double y = frame.area.max.y - theme.space / 2 - height * (static_cast<double>(lines.size()) - 0.5);
    for (const std::string& line : lines) {
      items.emplace_back(textAt({frame.area.min.x + 2 * theme.space, y}, line, theme.textSize, theme.text));
      y += height;
    }
    return items;
  });
}

void ReversalRacePage::drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) {
  const Strip strip = controls(frame);
  if (!strip.buttons.empty())
    layers_.add(
        into, "reversal.race.choices", stripKey(strip, frame.area.width(), frame.theme, frame.pointer),
        [&] {
          std::vector<render::Item> items;
          addButtons(items, strip, frame.theme, frame.pointer);
          return items;
        },
        false, false);
  if (const std::string text = noRunsSentence(frame.shared); !text.empty()) {
    layers_.addSentence(into, "reversal.sentence", frame, text);
    return;
  }
  place(frame);
  const LayerKey key = keyOf(frame);
  charts_.update(frame, places_, key);
  charts_.scene(frame, into);
  layers_.add(into, "reversal.race.legend", keyWith(key, legend_), [&] {
    std::vector<render::Item> items;
    addLegend(items, legend_, frame.area.width() - 2 * frame.theme.space, legendEntries_, frame.theme);
    return items;
  });
  addNote(frame, into, key);
}

Cursor ReversalRacePage::inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) {
  const Strip strip = controls(frame);
  const StripButton* const over = frame.pointer ? strip.at(*frame.pointer) : nullptr;
  if (const auto* press = std::get_if<PointerPressed>(&event);
      over && press && press->down && press->button == Button::Left) {
    setAsStep(context.editor, over->key, over->value);
    return Cursor::Hand;
  }
  if (over) return Cursor::Hand;
  return charts_.input(frame, context, event).value_or(Cursor::Arrow);
}

void ReversalRacePage::panel(const RaceFrame& frame, ExhibitContext&, PagePanel& panel) {
  panel.group(tr("What Start trains"), "reversal.", {"experiment", "setting", "seeds", "encoding"});
  for (const Encoding& one : reversalEncodings())
    panel.row(std::string("reversal.encodings.") + one.word);
  panel.group(tr("Charts"), "reversal.", {"answers", "weights", "log.steps"});
  if (const std::string text = hiddenSentence(frame.shared, seedGroups(frame.shared)); !text.empty())
    panel.sentence(text);
  panel.heading(tr(frame.shared.experiment->title));
  panel.sentence(tr(frame.shared.experiment->text));
  for (std::size_t i = 0; i < frame.shared.runs.size(); ++i) {
    panel.heading(frame.shared.runs[i].name());
    for (const char* const key : {"state", "accuracy.forward", "accuracy.reverse"})
      panel.row("reversal.runs[" + std::to_string(i) + "]." + key);
  }
}

std::string ReversalRacePage::caption(const RaceShared& shared) const {
  const std::string race = raceCaption(shared), hides = hiddenSentence(shared, seedGroups(shared));
  return hides.empty() ? race : race + " " + hides;
}

}  // namespace

std::unique_ptr<ReversalPage> makeReversalRacePage() {
  return std::make_unique<ReversalRacePage>();
}

}  // namespace sepx::ui

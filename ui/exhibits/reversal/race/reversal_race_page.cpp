// SPDX-License-Identifier: Apache-2.0
// The page Race: models trained on forward pairs only. It shows accuracy and probability of both directions over steps,
// as means over seeds with their range, with MDM beside ARM or one small chart per encoding. Above the charts are the
// choices of what is trained and what counts as an answer; below them is a sentence about what the accuracy alone does
// not show. Frame thread.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ui/exhibits/reversal/race/reversal_race_charts.h"
#include "ui/exhibits/reversal/shared/reversal_races.h"
#include "ui/properties/declarations.h"
#include "ui/properties/tr.h"
#include "ui/race/race_page.h"
#include "ui/race/race_page_kit.h"
#include "ui/views/left_out.h"

namespace sepx::ui {

namespace {

constexpr double kUpperShare = 0.6;  // share of the height for accuracy, which is above probability
constexpr double kLeastChart = 220;  // points, width of a small chart
constexpr double kLeastRow = 8;      // text sizes, height of a small chart
constexpr double kBeside = 9;        // likewise, height of the parts above and below small charts
constexpr double kLeastNote = 32;    // likewise, height of a page that has a sentence below the charts

class ReversalRacePage final : public RacePage {
 public:
  ReversalRacePage() : RacePage({"race", N_("Race"), "reversal.race."}, {.curves = true, .steps = true}) {}
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& live) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const RaceShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.caption = [this, &shared] { return caption(shared); };
    return now;
  }

 protected:
  Views views(const RaceFrame& frame) const override;

 private:
  std::string caption(const RaceShared& shared) const;
  ChoicesContent choices(const RaceFrame& frame) const;
  std::string note(const RaceFrame& frame, const std::vector<SeedGroup>& groups) const;
  Arrangement multiples(Views& into, const RaceFrame& frame, const std::vector<SeedGroup>& groups) const;
  Arrangement directions(Views& into, const RaceFrame& frame, const std::vector<SeedGroup>& groups) const;
  Arrangement add(Views& into, const RaceFrame& frame, std::string name, LineChart chart) const;

  AnswersShown answers_ = AnswersShown::Both;
  std::string setting_ = "quick";
};

void ReversalRacePage::declare(PropertyRegistry& registry, const RaceShared& live) {
  // clang-format off
  declareParameters(registry, {.prefix = "reversal."}, {
      {.key = "answers", .into = &ReversalRacePage::answers_, .label = N_("Answers"),
       .options = {{"both", N_("both")}, {"all", N_("all tokens")}, {"letters", N_("letters only")}},
       .help = N_("Which answers count: every token of the vocabulary, or only letters of the wanted case. The choice "
           "affects what the curves show: nearly every wrong reverse answer is the placeholder 0.")}});
  declareReadOuts(registry, {.prefix = "reversal.race."}, {
      {.key = "hides", .label = N_("Behind the accuracy"),
       .help = N_("The reverse accuracy at the step shown, counted in both ways, with the share of wrong answers that "
           "are the placeholder 0, for the model whose two accuracies differ most."),
       .get = gettersOf(live)([](const RaceShared& shared) { return hiddenSentence(shared, seedGroups(shared)); })}});
  // clang-format on
}

void ReversalRacePage::read(const Document& document, const PropertyRegistry& registry, const RaceShared&) {
  registry.read(document, *this);
  setting_ = registry.text(document, "reversal.setting");
}

/// The choices of what is trained, with which setting, and what counts as an answer.
ChoicesContent ReversalRacePage::choices(const RaceFrame& frame) const {
  ChoicesContent made{{{"reversal.experiment", "", {}},
                       {"reversal.setting",
                        "",
                        {{"quick", tr("quick"), setting_ == "quick"},
                         {"batch64", tr("batch 64"), setting_ == "batch64"},
                         {"full", tr("batch 256"), setting_ == "full"}}}}};
  for (const Experiment& one : reversalExperiments())
    made.groups.front().choices.push_back({one.key, tr(one.title), &one == frame.shared.experiment});
  if (!frame.compact)
    made.groups.push_back({"reversal.answers",
                           tr("answers:"),
                           {{"both", tr("both"), answers_ == AnswersShown::Both},
                            {"all", tr("all tokens"), answers_ == AnswersShown::All},
                            {"letters", tr("letters only"), answers_ == AnswersShown::Letters}}});
  return made;
}

Arrangement ReversalRacePage::add(Views& into, const RaceFrame& frame, std::string name, LineChart chart) const {
  ChartContent content{std::move(chart)};
  showSteps(content, frame);
  into.views.push_back({name, std::move(content)});
  return viewNamed(std::move(name));
}

Arrangement ReversalRacePage::multiples(Views& into, const RaceFrame& frame,
                                        const std::vector<SeedGroup>& groups) const {
  const std::size_t count = groups.size();
  const double unit = frame.theme.textSize;
  const auto perRow = static_cast<std::size_t>(std::max(1.0, frame.area.width() / kLeastChart));
  // If the height does not suffice for these rows, the charts are narrower.
  const auto rows = static_cast<std::size_t>(std::max(1.0, (frame.area.height() / unit - kBeside) / kLeastRow));
  const std::size_t columns = std::min(count, std::max(perRow, (count + rows - 1) / rows));
  const bool both = count <= columns && !frame.compact;  // room for the probabilities in a second row
  Arrangement charts = gridOfViews(columns, frame.theme.space, {});
  for (const bool probability : {false, true})
    for (std::size_t i = 0; i < count && (both || !probability); ++i)
      charts.parts.push_back(add(into, frame, (probability ? "p" : "accuracy") + std::to_string(i),
                                 groupChart(frame.shared, groups[i], probability, answers_, frame.theme, true)));
  return charts;
}

Arrangement ReversalRacePage::directions(Views& into, const RaceFrame& frame,
                                         const std::vector<SeedGroup>& groups) const {
  Arrangement rows{.kind = Arrangement::Kind::Column, .gap = frame.theme.space};
  for (const bool probability : {false, true}) {
    if (probability && frame.compact) break;
    Arrangement row = gridOfViews(2, frame.theme.space, {});
    row.weight = probability ? 1 - kUpperShare : kUpperShare;
    for (const reversal::Direction direction : {reversal::Direction::Forward, reversal::Direction::Reverse})
      row.parts.push_back(
          add(into, frame, pairMetric(probability ? PairMeasure::Probability : PairMeasure::Accuracy, direction, false),
              raceChart(frame.shared, groups, {probability, direction, answers_}, frame.theme,
                        frame.compact || probability)));
    rows.parts.push_back(std::move(row));
  }
  return rows;
}

/// The text below the charts.
std::string ReversalRacePage::note(const RaceFrame& frame, const std::vector<SeedGroup>& groups) const {
  // In a figure the caption contains this sentence, and there is nothing to press.
  if (frame.figure || frame.compact || frame.area.height() < kLeastNote * frame.theme.textSize) return {};
  const std::string hides = hiddenSentence(frame.shared, groups);
  if (!frame.shared.shipped) return hides;
  return std::string(tr("These runs ship with the program. Press Start to train your own.")) + " " + hides;
}

Views ReversalRacePage::views(const RaceFrame& frame) const {
  const RaceShared& shared = frame.shared;
  Views made{{{"choices", choices(frame), [&shared] { return runNumbers(shared); }}},
             {.kind = Arrangement::Kind::Column,
              .parts = {asHighAsContent("choices")},
              .gap = frame.theme.space / 2,
              .margin = frame.theme.space}};
  std::vector<Arrangement>& parts = made.arrangement.parts;
  if (const std::string text = noRunsSentence(shared); !text.empty()) {
    made.views.push_back({"sentence", TextContent{.lines = {{{text}}}, .centred = true}});
    parts.push_back(viewNamed("sentence"));
    return made;
  }
  const std::vector<SeedGroup> groups = seedGroups(shared);
  if (groups.empty()) return made;
  parts.push_back(asHighAsContent("legend"));
  if (std::string_view(shared.experiment->key) == "encodings") {
    made.views.push_back({"legend", LegendContent{groupLegend(answers_, frame.theme)}});
    parts.push_back(multiples(made, frame, groups));
  } else {  // One legend for both directions, so that their charts have equal heights.
    const RaceChart all{false, reversal::Direction::Reverse, answers_};
    made.views.push_back(
        {"legend", LegendContent{legendOf(raceChart(shared, groups, all, frame.theme, frame.compact))}});
    parts.push_back(directions(made, frame, groups));
  }
  const bool some = std::ranges::any_of(made.views, [](const View& view) {
    return view.name == "p0" || view.name.find("probability") != std::string::npos;
  });
  if (!some && !frame.figure) parts.push_back(leftOut(tr("probabilities of the answer")));
  if (const std::string text = note(frame, groups); !text.empty()) {
    made.views.push_back({"note", TextContent{.lines = {{{text}, NoteLine::Role::Title}}}});
    parts.push_back(asHighAsContent("note"));
  }
  return made;
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

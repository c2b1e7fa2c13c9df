// SPDX-License-Identifier: Apache-2.0
// See published_page.h.
#include "ui/published/published_page.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/published/study_charts.h"

namespace sepx::ui {

namespace {

constexpr double kChartsShare = 0.48;  // of the height
constexpr double kWordsShare = 0.33;   // of the width below the charts
constexpr double kLeastBeside = 45;    // sizes of the text, width of words and table side by side
constexpr std::size_t kRowOfCharts = 4;

Result<std::shared_ptr<const studies::StudyResult>> shared(Result<studies::StudyResult> made) {
  if (!made) return tl::unexpected(made.error());
  return std::make_shared<const studies::StudyResult>(*std::move(made));
}

}  // namespace

PublishedPage::PublishedPage(PublishedKind kind)
    : RacePage({kind.word, kind.label, kind.exhibit + "." + kind.word + "."},
               {.runs = false, .transport = false, .failures = false}),
      kind_(std::move(kind)),
      studies_(studies::shownStudies(kind_.paper)),
      prefix_(kind_.exhibit + "." + kind_.word + "."),
      run_(kind_.exhibit + "." + kind_.word + "-run"),
      cancel_(kind_.exhibit + "." + kind_.word + "-cancel"),
      asks_(prefix_ + "run"),
      lane_(kind_.exhibit + "." + kind_.word),
      atOnce_(kind_.exhibit + "." + kind_.word + ".at-once") {}

Options PublishedPage::studyOptions(bool none) const {
  Options options;
  if (none) options.emplace_back("none", N_("none"));
  for (const studies::Study* const one : studies_)
    if (!none || one->compute) options.emplace_back(one->word(), one->label);
  if (!none) options.emplace_back(kAllItems, N_("All items of the papers"));
  return options;
}

const studies::Study& PublishedPage::studyNamed(const std::string& word) const {
  for (const studies::Study* const one : studies_)
    if (word == one->word()) return *one;
  return *studies_.front();
}

// clang-format off
void PublishedPage::declare(PropertyRegistry& registry, const RaceShared&) {
  const Condition here = onPages(kind_.exhibit + ".page", kind_.firstPage, {kind_.word});
  // Other numbers are asked for by the button alone: a study takes long.
  const auto askedAgain = [asks = asks_](const Document&, const Document& with) -> Result<Document> {
    return with.has(asks) ? with.with(asks, "none") : with;
  };
  const Condition computed = onPages(kind_.exhibit + ".page", kind_.firstPage, {kind_.word}, [this](const Document& document) {
    const Json& word = document.at(key("study"));
    return word != kAllItems && runs(studyNamed(word.is_string() ? word.get<std::string>() : std::string()));
  });
  declareParameters(registry, {.prefix = prefix_, .applies = here}, {
      {.key = "study", .into = &Request::word, .label = N_("Study"), .options = studyOptions(false),
       .help = N_("The figure, table or theorem that is shown beside what comes out here.")}});
  declareParameters(registry, {.prefix = prefix_, .applies = computed}, {
      {.key = "quick", .into = &Request::quick, .label = N_("Quick"), .fallback = true,
       .help = N_("One seed and fewer steps, as `sepx reproduce --quick`. Off: the study as it is judged, which takes "
                  "some minutes. Another choice computes nothing by itself."), .follow = askedAgain},
      {.key = "seed",
       .into = &Request::seed, .label = N_("Seed"), .kind = Kind::Integer, .min = 0, .max = 1e9, .step = 1,
       .fallback = static_cast<double>(studies::kThresholdSeeds),
       .help = N_("The first seed of the study. The same seed gives the same numbers as the command line. Thresholds of "
                  "trained studies were set on the seeds 0 to 2: their runs are shown and not judged."),
       .follow = askedAgain}});
  declareParameters(registry, {.prefix = prefix_, .applies = computed, .undoable = false, .detail = true}, {
      {.key = "run", .into = &PublishedPage::asked_, .label = N_("Computed study"), .options = studyOptions(true),
       .help = N_("The study that is computed in the background; results of a window stay until it is closed.")}});
  const Getters of([this](int) { return result(); });
  const Getters compared([this](int) { return result() && !result()->observations.empty() ? result() : nullptr; });
  declareReadOuts(registry, {.prefix = key("result."), .applies = here}, {
      {.key = "state", .label = N_("State"),
       .help = N_("Whether the study that is shown was computed: none, computing, done or failed."),
       .get = [this](int) {
         return Value(std::string(computes() ? "computing" : result() ? "done" : atOnce_.pending() ? "computing" : failure_.empty() ? "none" : "failed"));
       }},
      {.key = "progress", .label = N_("Progress"), .help = N_("How much of the study is done, 0 to 1."), .digits = 2,
       .get = [this](int) { return computes() ? Value(lane_.progress()) : Value(); }, .detail = true},
      {.key = "passed", .label = N_("All hold"), .help = N_("Whether everything that is judged holds, in all seeds; empty where nothing is judged."),
       .get = [this](int) {
         return result() && judgedOf(result()->checks) > 0 ? Value(result()->passed()) : Value();
       }},
      {.key = "holds", .label = N_("Numbers that hold"), .help = N_("How many of the judged numbers are as they must be."), .digits = 0,
       .get = of([](const studies::StudyResult& made) { return countOf(made.checks, studies::Verdict::Holds); })},
      {.key = "judged", .label = N_("Numbers checked"), .help = N_("How many numbers are judged."), .digits = 0,
       .get = of([](const studies::StudyResult& made) { return judgedOf(made.checks); })},
      {.key = "as_published", .label = N_("As published"),
       .help = N_("How many observations of the paper hold here, among those that are reported and not judged."),
       .digits = 0, .get = compared([](const studies::StudyResult& made) { return countOf(made.observations, studies::Verdict::Holds); })},
      {.key = "observations", .label = N_("Stated observations"), .help = N_("How many observations of the paper are compared."),
       .digits = 0, .get = compared([](const studies::StudyResult& made) { return judgedOf(made.observations); })}});
}
// clang-format on

const studies::StudyResult* PublishedPage::result() const {
  for (const auto* const of : {&computed_, &ready_})
    if (const auto found = of->find(shown_); found != of->end()) return found->second.get();
  return nullptr;
}

void PublishedPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared&) {
  Request shown;
  registry.read(document, shown, prefix_);
  registry.read(document, *this, prefix_);
  if (shown.word != kAllItems) shown.word = studyNamed(shown.word).word();
  if (!(shown == shown_)) failure_.clear();
  shown_ = shown;
}

void PublishedPage::take(Work& lane, std::map<Request, ResultPointer>& into) {
  if (!lane.answered()) return;
  const Result<ResultPointer>& made = *lane.result();
  if (made && *made)
    into[*lane.answered()] = *made;
  else if (!made && *lane.answered() == shown_)
    failure_ = sentenceCase(made.error().sentence);
  results_.changed();
}

void PublishedPage::computeAsked(ExhibitContext& context) {
  const bool asked = asked_ == shown_.word && study().compute;
  if (asked && !computed_.contains(shown_) && failure_.empty() && !lane_.isFor(shown_))
    lane_.request(context.jobs, shown_, trFormat("computing {}", tr(study().label)),
                  [&pool = context.pool, compute = study().compute](const Request& request, auto& output) {
                    studies::Work work{pool, request.quick, request.seed};
                    work.progress = [&output](double share) {
                      output.progress(share);
                      output.publish(ResultPointer());  // a script waits for one thing after the other
                    };
                    work.cancelled = [&output] { return output.cancelled(); };
                    return shared(compute(work));
                  });
  if (asked_ == "none" && lane_.pending()) lane_.clear();
  if (lane_.cancelled() && asked) {  // by the person, in the list of jobs
    lane_.clear();
    context.editor.replace(context.editor.document().with(asks_, "none"));
  }
}

/// What takes below a second needs no button.
void PublishedPage::computeAtOnce(const RaceFrame& frame, ExhibitContext& context) {
  if (showsItems()) return;
  const bool ships = static_cast<bool>(study().shipped) && !frame.shared.assets.empty();
  if (!(ships || study().atOnce) || result() || !failure_.empty() || atOnce_.isFor(shown_)) return;
  atOnce_.request(
      context.jobs, shown_, trFormat("reading {}", tr(study().label)),
      [&pool = context.pool, of = study(), assets = frame.shared.assets](const Request& request, auto& output) {
        if (of.shipped) return shared(of.shipped(assets));
        studies::Work work{pool, false, request.seed};
        work.cancelled = [&output] { return output.cancelled(); };
        return shared(of.compute(work));
      });
}

void PublishedPage::ask(const RaceFrame& frame, ExhibitContext& context) {
  const bool before = computes();
  if (lane_.refresh(context.jobs)) take(lane_, computed_);
  if (atOnce_.refresh(context.jobs)) take(atOnce_, ready_);
  computeAsked(context);
  computeAtOnce(frame, context);
  if (before || computes()) results_.changed();  // how far it is
}

Views PublishedPage::views(const RaceFrame& frame) const {
  const Theme& theme = frame.theme;
  if (showsItems())
    return {{{"words", itemsWords()}, {"items", itemsTable(), itemsNumbers}},
            {.kind = Arrangement::Kind::Column,
             .parts = {asHighAsContent("words"), viewNamed("items")},
             .gap = 2 * theme.space,
             .margin = 2 * theme.space}};
  const double pad = 2 * theme.space;
  const studies::StudyResult* const made = result();
  const studies::StudyTable rows = table();
  const std::size_t count = made ? made->charts.size() : 0;
  const bool narrow = count > 0 && frame.area.width() < kLeastBeside * theme.textSize;
  TextContent words = publishedWords(study(), made, failure_);
  words.scrolls = count > 0 && !narrow;  // beside the table it has the height that is left
  Views shown{{{"words", std::move(words)}}, {.kind = Arrangement::Kind::Column, .gap = pad, .margin = pad}};
  std::vector<Arrangement>& parts = shown.arrangement.parts;
  if (rows.rows.empty())
    shown.views.push_back(
        {"table",
         TextContent{
             .lines = {{{tr("The paper shows this as curves, without numbers. Run the study to see ours beside its "
                            "claims.")}}},
             .centred = true}});
  else
    shown.views.push_back({"table", publishedRows(rows, count > 0), [rows] { return publishedNumbers(rows); }});
  if (count > 0) {
    parts.push_back(gridOfViews(count <= kRowOfCharts ? count : (count + 1) / 2, pad, {}));
    parts.back().weight = kChartsShare;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = "chart" + std::to_string(i);
      shown.views.push_back({name, ChartContent{lineChart(made->charts[i], theme)}});
      parts.back().parts.push_back(viewNamed(name));
    }
    shown.views.push_back({"legend", LegendContent{chartLegend(made->legend, theme)}});
    parts.push_back(asHighAsContent("legend"));
  }
  std::vector<Arrangement> beside;
  if (runs(study())) {
    const std::string label = computes()     ? tr("Cancel")
                              : shown_.quick ? tr("Run the quick study")
                                             : tr("Run the study");
    shown.views.push_back({"button", ButtonContent{computes() ? cancel_ : run_, label,
                                                   computes() ? std::clamp(lane_.progress(), 0.0, 1.0) : 0}});
    beside.push_back(asHighAsContent("button"));
  }
  if (count > 0 && !narrow) {
    beside.push_back(viewNamed("words"));
    Arrangement left{.kind = Arrangement::Kind::Column, .parts = std::move(beside), .gap = pad, .weight = kWordsShare};
    Arrangement numbers = viewNamed("table");
    numbers.weight = 1 - kWordsShare;
    parts.push_back({.kind = Arrangement::Kind::Row,
                     .parts = {std::move(left), std::move(numbers)},
                     .gap = 1.5 * pad,
                     .weight = 1 - kChartsShare});
    return shown;
  }
  if (count == 0) beside.push_back(asHighAsContent("words"));  // no charts: the rows have the whole width
  std::move(beside.begin(), beside.end(), std::back_inserter(parts));
  parts.push_back(viewNamed("table"));
  parts.back().weight = 1 - kChartsShare;
  return shown;
}

void PublishedPage::panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.heading(tr("Published and ours"));
  if (showsItems()) return panel.row(key("study"));
  for (const char* const name : {"study", "quick", "seed"})
    panel.row(key(name));
  if (runs(study())) {
    if (panel.button(tr("Run"), key("panel-run"), !computes())) run(frame, context, run_);
    panel.sameLine();
    if (panel.button(tr("Cancel"), key("panel-cancel"), computes())) run(frame, context, cancel_);
  }
  if (!study().compute) {
    panel.sentence(tr(study().scale));
    return;
  }
  panel.heading(tr("What came out"));
  panel.row(key("result.state"));
  if (const studies::StudyResult* const made = result()) {
    panel.rows(key("result."), {"holds", "judged"});
    if (!made->observations.empty()) panel.rows(key("result."), {"as_published", "observations"});
    for (const std::string& text : linesBesideTable(*made))
      panel.sentence(text);
  }
  panel.heading(tr("Scale"));
  panel.sentence(runs(study()) && shown_.quick ? trFormat("Setup of the full study: {}.", tr(study().assumptions))
                                               : trFormat("Setup: {}.", tr(study().assumptions)));
  if (*study().scale != '\0') panel.sentence(tr(study().scale));
  const std::string seed = runs(study()) ? fmt::format(" --seed {}", shown_.seed) : std::string();
  panel.sentence(trFormat("The same on the command line: sepx reproduce {}{}{}", study().id,
                          runs(study()) && shown_.quick ? " --quick" : "", seed));
}

std::vector<RacePage::Command> PublishedPage::commands(const RaceShared&, const Document&) {
  const char* const menu = tr("Run");
  const auto ask = [this](bool begins) {
    return [this, begins](ExhibitContext& context) {
      failure_.clear();
      if (begins) computed_.erase(shown_);
      lane_.clear();
      context.editor.replace(context.editor.document().with(asks_, begins ? shown_.word : std::string("none")));
      results_.changed();
    };
  };
  return {{run_, tr("Run the published study"), "", menu, !showsItems() && runs(study()) && !computes(), ask(true)},
          {cancel_, tr("Cancel the published study"), "", menu, lane_.pending(), ask(false)}};
}

std::string PublishedPage::caption(const RaceShared&) const {
  if (showsItems()) return tr("What is in the three papers, and what the program does with it.");
  if (!study().compute) return trFormat("{}, {}, as published", kind_.paper, tr(study().label));
  return trFormat("{}, {}, at the scale of a desktop: {}", kind_.paper, tr(study().label), tr(study().assumptions));
}

}  // namespace sepx::ui

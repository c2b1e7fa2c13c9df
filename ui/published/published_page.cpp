// SPDX-License-Identifier: Apache-2.0
// See published_page.h.
#include "ui/published/published_page.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "engine/train/run_config.h"
#include "engine/train/run_estimate.h"
#include "ui/page/requests.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/published/published_view.h"
#include "ui/published/shown_text.h"
#include "ui/published/study_times.h"
#include "ui/published/study_views.h"

namespace sepx::ui {

namespace {

std::vector<const studies::Study*> studiesOf(const std::vector<const studies::Study*>& all,
                                             const std::vector<std::string>& papers) {
  std::vector<const studies::Study*> some;
  for (const studies::Study* const one : all)
    if (std::ranges::find(papers, one->paper) != papers.end()) some.push_back(one);
  return some;
}

/// The time of a step of a small run on one thread of this machine, divided by its time on the machine where durations
/// were measured; 0 if it cannot be measured.
double slowness(const std::string& assets, const std::function<bool()>& cancelled) {
  const auto config = train::readRunConfig(assets + "/configs/small-encoder.json");
  const auto estimate = config ? train::estimateRun(*config, 1, true, cancelled)
                               : Result<train::RunEstimate>(tl::unexpected(config.error()));
  return estimate ? estimate->secondsPerStep / kMeasuredStep : 0;
}

Result<std::shared_ptr<const studies::StudyResult>> shared(Result<studies::StudyResult> made) {
  if (!made) return tl::unexpected(made.error());
  return std::make_shared<const studies::StudyResult>(*std::move(made));
}

}  // namespace

PublishedPage::PublishedPage(PublishedKind kind)
    : RacePage({kind.key, kind.label, kind.exhibit + "." + kind.key + "."},
               {.runs = false, .transport = false, .failures = false}),
      kind_(std::move(kind)),
      all_(galleryStudies(kind_.papers)),
      studies_(studiesOf(all_, kind_.papers)),
      prefix_(kind_.exhibit + "." + kind_.key + "."),
      run_(kind_.exhibit + "." + kind_.key + "-run"),
      cancel_(kind_.exhibit + "." + kind_.key + "-cancel"),
      asks_(prefix_ + "run"),
      lane_(kind_.exhibit + "." + kind_.key),
      atOnce_(kind_.exhibit + "." + kind_.key + ".at-once"),
      speed_(kind_.exhibit + "." + kind_.key + ".speed") {
  pressed_ = [this](const RaceFrame&, ExhibitContext& context, const ViewPress& press) {
    if (press.view == "gallery") open(context, press.index);
  };
}

Options PublishedPage::studyOptions(bool none) const {
  Options options;
  if (none) options.emplace_back("none", N_("none"));
  if (!none) options.emplace_back(kGallery, N_("All figures"));
  for (const studies::Study* const one : studies_) {
    const bool own = one->paper == kind_.papers.front();
    if (!none || one->compute)
      options.emplace_back(wordOf(*one), own ? studyName(*one) : std::string(one->paper) + ", " + studyName(*one));
  }
  if (!none) options.emplace_back(kAllItems, N_("All items of the papers"));
  return options;
}

std::string PublishedPage::wordOf(const studies::Study& study) const {
  if (study.paper == kind_.papers.front()) return std::string(study.key());
  return std::ranges::find(kind_.papers, study.paper) != kind_.papers.end() ? study.id : std::string();
}

std::string PublishedPage::resultName(const studies::Study& study) const {
  const std::string word = wordOf(study);
  return word.empty() ? study.id : word;
}

const studies::Study& PublishedPage::resultOwner(const std::string& name) const {
  for (const studies::Study* const one : all_)
    if (name == resultName(*one)) return *one;
  return *studies_.front();
}

const studies::Study& PublishedPage::studyNamed(const std::string& word) const {
  for (const studies::Study* const one : studies_)
    if (word == wordOf(*one)) return *one;
  return *studies_.front();
}

// clang-format off
void PublishedPage::declare(PropertyRegistry& registry, const RaceShared&) {
  const Condition here = onPages(kind_.exhibit + ".page", kind_.firstPage, {kind_.key});
  // A changed setting resets the request: only the button starts a study, because it takes long.
  const auto askedAgain = [asks = asks_](const Document&, const Document& with) -> Result<Document> {
    return with.has(asks) ? with.with(asks, "none") : with;
  };
  const Condition computed = onPages(kind_.exhibit + ".page", kind_.firstPage, {kind_.key}, [this](const Document& document) {
    const Json& word = document.at(key("study"));
    return word.is_string() && word != kAllItems && word != kGallery && runs(studyNamed(word.get<std::string>()));
  });
  declareParameters(registry, {.prefix = prefix_, .applies = here}, {
      {.key = "study", .into = &Request::word, .label = N_("Study"), .options = studyOptions(false),
       .help = N_("The figure, table or theorem that is shown beside our result, or the gallery of all of them.")}});
  declareParameters(registry, {.prefix = prefix_, .applies = computed}, {
      {.key = "quick", .into = &Request::quick, .label = N_("Quick"), .fallback = true,
       .help = N_("One seed and fewer steps, as `sepx reproduce --quick`. Off: the study as it is judged, which takes "
                  "some minutes. A change of this setting does not start a computation."), .follow = askedAgain},
      {.key = "seed",
       .into = &Request::seed, .label = N_("Seed"), .kind = Kind::Integer, .min = 0, .max = 1e9, .step = 1,
       .fallback = static_cast<double>(studies::kThresholdSeeds),
       .help = N_("The first seed of the study. The same seed gives the same numbers as the command line. Thresholds of "
                  "trained studies were set on the seeds 0 to 2: their runs are shown and not judged."),
       .follow = askedAgain}});
  declareParameters(registry, {.prefix = prefix_, .applies = computed, .undoable = false, .detail = true}, {
      {.key = "run", .into = &PublishedPage::requestedStudy_, .label = N_("Computed study"), .options = studyOptions(true),
       .help = N_("The study that is computed in the background; results are kept until the window is closed.")}});
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
      {.key = "holds", .label = N_("Numbers that hold"), .help = N_("How many of the judged numbers satisfy their bounds."), .digits = 0,
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
  return showsStudy() ? made_->at(settingsOf(shown_)).get() : nullptr;  // made_ keeps it alive
}

StudySettings PublishedPage::settingsOf(const Request& request) const {
  return {resultOwner(request.word).id, request.quick, request.seed};
}

void PublishedPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared&) {
  Request shown;
  registry.read(document, shown, prefix_);
  registry.read(document, *this, prefix_);
  if (shown.word != kAllItems && shown.word != kGallery) shown.word = wordOf(studyNamed(shown.word));
  if (!(shown == shown_)) failure_.clear();
  mayAsk_ = true;
  shown_ = shown;
}

void PublishedPage::take(Work& lane) {
  if (!lane.answered()) return;
  const Result<ResultPointer>& made = *lane.result();
  const Request& of = *lane.answered();
  if (made && *made && &lane == &lane_) made_->addRun(settingsOf(of), *made);
  if (made && *made && &lane == &atOnce_) made_->addReady(settingsOf(of), *made);
  if (!made && &lane == &atOnce_) failures_[of] = sentenceCase(made.error().message);
  if (!made && of == shown_) failure_ = sentenceCase(made.error().message);
  results_.changed();
}

void PublishedPage::computeRequested(ExhibitContext& context) {
  const bool asked = showsStudy() && requestedStudy_ == shown_.word && study().compute;
  if (asked && !made_->ran(settingsOf(shown_)) && failure_.empty() && !lane_.isFor(shown_)) {
    began_ = context.seconds;
    lane_.request(context.jobs, shown_, trFormat("computing {}", studyName(study())),
                  [&pool = context.pool, compute = study().compute](const Request& request, auto& output) {
                    studies::Work work{pool, request.quick, request.seed};
                    work.progress = [&output](double share) {
                      output.progress(share);
                      output.publish(ResultPointer());  // a script waits for results one by one
                    };
                    work.cancelled = [&output] { return output.cancelled(); };
                    return shared(compute(work));
                  });
  }
  if (requestedStudy_ == "none" && lane_.pending()) lane_.clear();
  if (lane_.cancelled() && asked) {  // by the user, in the list of jobs
    lane_.clear();
    context.editor.replace(context.editor.document().with(asks_, "none"));
  }
}

/// Studies that take less than a second need no button. The gallery requests all of them, one by one.
void PublishedPage::computeAtOnce(const RaceFrame& frame, ExhibitContext& context) {
  if (showsStudy() && !result() && failure_.empty()) return computeNow(frame, context, shown_);
  if (!showsGallery() || atOnce_.pending() || !mayAsk_) return;
  for (const studies::Study* const one : all_) {
    const Request wanted{resultName(*one), shown_.quick, shown_.seed};
    if (resultFor(wanted.word) || failures_.contains(wanted)) continue;
    computeNow(frame, context, wanted);
    if (atOnce_.pending()) return;
  }
  mayAsk_ = frame.shared.assets.empty();  // the results that ship are not known before the first frame
}

void PublishedPage::computeNow(const RaceFrame& frame, ExhibitContext& context, const Request& wanted) {
  const studies::Study& study = resultOwner(wanted.word);
  const bool ships = static_cast<bool>(study.shipped) && !frame.shared.assets.empty();
  if (!ships && !study.atOnce) return;
  atOnce_.request(
      context.jobs, wanted, trFormat("reading {}", studyName(study)),
      [&pool = context.pool, of = study, assets = frame.shared.assets](const Request& request, auto& output) {
        if (of.shipped) return shared(of.shipped(assets));
        studies::Work work{pool, false, request.seed};
        work.cancelled = [&output] { return output.cancelled(); };
        return shared(of.compute(work));
      });
}

/// Measures the speed of this machine. Not for scripts, whose pictures must be equal on every machine, and not while a
/// model is trained here.
void PublishedPage::measureSpeed(const RaceFrame& frame, ExhibitContext& context) {
  threads_ = std::max(1, context.pool.size());
  if (speed_.refresh(context.jobs)) results_.changed();
  if (!showsGallery() || context.scripted || context.figure || context.assets.empty() || speed_.result()) return;
  if (frame.shared.trains()) return speed_.cancel();
  if (speed_.pending() || lane_.pending() || atOnce_.pending()) return;
  speed_.start(context.jobs, context.assets, "", [](const std::string& assets, auto& output) {
    return slowness(assets, [&] { return output.cancelled(); });
  });
}

void PublishedPage::ask(const RaceFrame& frame, ExhibitContext& context) {
  const bool before = lane_.pending();
  if (context.runs && !ofWindow_) made_ = StudyResults::of(context.runs), ofWindow_ = true;
  if (lane_.refresh(context.jobs)) {
    take(lane_);
    if (lane_.finished() && lane_.answered())
      made_->took(resultOwner(lane_.answered()->word).id, context.seconds - began_);
  }
  if (atOnce_.refresh(context.jobs)) take(atOnce_);
  if (std::exchange(seen_, made_->revision()) != made_->revision()) results_.changed();
  computeRequested(context);
  computeAtOnce(frame, context);
  measureSpeed(frame, context);
  if (before || lane_.pending()) results_.changed();  // the progress
}

PublishedPage::ResultPointer PublishedPage::resultFor(const std::string& word) const {
  return made_->any(settingsOf({word, shown_.quick, shown_.seed}));
}

std::vector<GalleryCard> PublishedPage::cards() const {
  std::vector<GalleryCard> cards;
  for (const studies::Study* const one : all_) {
    GalleryCard& card = cards.emplace_back(GalleryCard{.study = one});
    const std::string word = resultName(*one);
    card.here = !wordOf(*one).empty();
    card.made = resultFor(word);
    if (lane_.pending() && lane_.requested()->word == word) card.progress = std::clamp(lane_.progress(), 0.0, 1.0);
    if (const auto failed = failures_.find({word, shown_.quick, shown_.seed}); failed != failures_.end())
      card.failure = failed->second;
    const std::optional<double> took = made_->seconds(one->id);
    card.seconds = took ? *took : speed_.result() ? *speed_.result() * quickSeconds(*one) / threads_ : 0;
  }
  return cards;
}

/// The index of the first card of each paper.
std::vector<std::size_t> PublishedPage::papersBegin() const {
  std::vector<std::size_t> begin;
  for (std::size_t i = 0; i < all_.size(); ++i)
    if (i == 0 || std::string_view(all_[i]->paper) != all_[i - 1]->paper) begin.push_back(i);
  return begin;
}

ChoicesContent PublishedPage::head() const {
  const std::string study = key("study");
  ChoicesContent head;
  for (const std::size_t i : showsGallery() ? papersBegin() : std::vector<std::size_t>())
    head.groups.push_back(commandButton(command(all_[i]->paper), all_[i]->paper, false));
  if (!showsGallery())
    head.groups.push_back(commandButton(command("all"), std::string("‹ ") + tr("All figures"), false));
  if (showsStudy()) head.groups.push_back({.name = trFormat("{} · {}", this->study().paper, studyName(this->study()))});
  if (!showsItems())
    head.groups.push_back(
        {.key = study, .choices = {{.value = kAllItems, .label = tr("All items of the papers")}}, .right = true});
  return head;
}

Views PublishedPage::gallery(const RaceFrame& frame) const {
  const std::uint64_t of = Digest().add(results_.revision(), chosen_).value();
  return {
      {{"head", head()}, {"gallery", galleryCards(cards(), chosen_, of), [this] { return galleryNumbers(cards()); }}},
      {.kind = Arrangement::Kind::Column,
       .parts = {asHighAsContent("head"), viewNamed("gallery")},
       .gap = frame.theme.space,
       .margin = 1.5 * frame.theme.space}};
}

Views PublishedPage::views(const RaceFrame& frame) const {
  if (showsGallery()) return gallery(frame);
  Views shown = showsItems() ? Views{{{"words", itemsWords()}, {"items", itemsTable(), itemsNumbers}},
                                     {.kind = Arrangement::Kind::Column,
                                      .parts = {asHighAsContent("words"), viewNamed("items")},
                                      .gap = 2 * frame.theme.space,
                                      .margin = 2 * frame.theme.space}}
                             : studyShown(frame);
  shown.views.insert(shown.views.begin(), {"head", head()});
  shown.arrangement.parts.insert(shown.arrangement.parts.begin(), asHighAsContent("head"));
  return shown;
}

void PublishedPage::open(ExhibitContext& context, std::size_t card) {
  chosen_ = card;
  const studies::Study& study = *all_[card];
  Document next = context.editor.document();
  for (const auto& [key, value] : showStudy(study.paper, study.key()))
    next = next.with(key, std::get<std::string>(value));
  context.editor.seal();
  context.editor.commit(std::move(next), trFormat("show {}", studyName(study)));
  context.editor.seal();
}

void PublishedPage::moveChoice(int by) {
  const std::ptrdiff_t to = chosen_ ? static_cast<std::ptrdiff_t>(*chosen_) + by : 0;
  if (to < 0 || to >= std::ssize(all_)) return;
  chosen_ = static_cast<std::size_t>(to);
  results_.changed();
  board().reveal("gallery", *chosen_);
}

Views PublishedPage::studyShown(const RaceFrame& frame) const {
  StudyShown shown{study(), result(), failure_};
  if (runs(study())) {
    const std::string label = computes()     ? tr("Cancel")
                              : shown_.quick ? tr("Run the quick study")
                                             : tr("Run the study");
    const double done = computes() ? std::clamp(lane_.progress(), 0.0, 1.0) : 0;
    shown.button = ButtonContent{computes() ? cancel_ : run_, label, done};
  }
  return studyViews(shown, frame);
}

/// The panel of the gallery and of the list of items: explains the page and describes the selected card.
void PublishedPage::panelOfAll(PagePanel& panel) const {
  if (showsGallery() && chosen_) {
    const studies::Study& study = *all_[*chosen_];
    panel.heading(trFormat("{}, {}", study.paper, studyName(study)));
    for (const NoteLine& line : publishedWords(study, resultFor(resultName(study)).get(), {}).lines)
      panel.sentence(line.parts.front());
  }
  panel.heading(tr("What is shown"));
  if (showsItems())
    return panel.sentence(
        tr("All that the three papers print or claim, and what the program does with it: recomputed, measured on "
           "checkpoints, or explained. The pages of studies have the numbers."));
  panel.sentence(
      tr("A card is a figure, table or theorem of a paper. Its picture shows our result if there is one, otherwise a "
         "grey sketch of the expected result."));
  panel.sentence(tr(
      "The words to the right of a name are the verdict in this window: holds, in part, not as published, or not run. "
      "The line below says how long the quick study takes; a study that takes less than a second is computed "
      "immediately."));
  panel.sentence(
      tr("A click opens the study: claim, result and the numbers behind the verdict. Arrow keys choose a card, Enter "
         "opens it."));
}

void PublishedPage::panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.heading(tr("Published and ours"));
  if (!showsStudy()) {
    panel.row(key("study"));
    return panelOfAll(panel);
  }
  for (const char* const name : {"study", "quick", "seed"})
    panel.row(key(name));
  if (runs(study())) {
    if (panel.button(tr("Run"), key("panel-run"), !computes())) run(frame, context, run_);
    panel.sameLine();
    if (panel.button(tr("Cancel"), key("panel-cancel"), computes())) run(frame, context, cancel_);
  }
  if (!study().compute) {
    if (*study().scale != '\0') panel.sentence(shownText(tr(study().scale)));
    return;
  }
  panel.heading(tr("Results"));
  panel.row(key("result.state"));
  if (const studies::StudyResult* const made = result()) {
    panel.rows(key("result."), {"holds", "judged"});
    if (!made->observations.empty()) panel.rows(key("result."), {"as_published", "observations"});
    for (const std::string& text : linesBesideTable(*made))
      panel.sentence(text);
  }
  panel.heading(tr("Scale"));
  const std::string setup = shownText(tr(study().assumptions));
  panel.sentence(runs(study()) && shown_.quick ? trFormat("Setup of the full study: {}.", setup)
                                               : trFormat("Setup: {}.", setup));
  if (*study().scale != '\0') panel.sentence(shownText(tr(study().scale)));
  const std::string seed = runs(study()) ? fmt::format(" --seed {}", shown_.seed) : std::string();
  panel.sentence(trFormat("The same on the command line: sepx reproduce {}{}{}", study().id,
                          runs(study()) && shown_.quick ? " --quick" : "", seed));
}

std::vector<RacePage::Command> PublishedPage::commands(const RaceShared&, const Document&) {
  const char* const menu = tr("Run");
  const auto ask = [this](bool begins) {
    return [this, begins](ExhibitContext& context) {
      failure_.clear();
      if (begins) made_->forgetRun(settingsOf(shown_));
      lane_.clear();
      context.editor.replace(context.editor.document().with(asks_, begins ? shown_.word : std::string("none")));
      results_.changed();
    };
  };
  std::vector<Command> all = {
      {run_, tr("Run the published study"), "", menu, showsStudy() && runs(study()) && !computes(), ask(true)},
      {cancel_, tr("Cancel the published study"), "", menu, lane_.pending(), ask(false)}};
  const auto show = [this](ExhibitContext& context) {
    context.editor.commit(context.editor.document().with(key("study"), kGallery), tr("show all figures"));
  };
  all.push_back({command("all"), tr("All figures of the papers"), "", menu, !showsGallery(), show});
  const auto move = [this](int by) { return [this, by] { moveChoice(by); }; };
  const int across = static_cast<int>(board().inRow("gallery"));
  const bool here = showsGallery();
  all.push_back({command("open"), tr("Show the selected figure"), "Enter", menu, here && chosen_.has_value(),
                 [this](ExhibitContext& context) { open(context, *chosen_); }});
  all.push_back({command("next"), tr("Next figure"), "Right", menu, here, move(1)});
  all.push_back({command("previous"), tr("Previous figure"), "Left", menu, here, move(-1)});
  all.push_back({command("below"), tr("Figure below"), "Down", menu, here, move(across)});
  all.push_back({command("above"), tr("Figure above"), "Up", menu, here, move(-across)});
  for (const std::size_t i : papersBegin()) {
    const auto reveal = [this, i] {
      board().reveal("gallery", all_.size() - 1);  // so that card i is then the first one in view
      board().reveal("gallery", i);
    };
    all.push_back({command(all_[i]->paper), trFormat("Figures of {}", all_[i]->paper), "", menu, here, reveal});
  }
  return all;
}

std::string PublishedPage::caption(const RaceShared&) const {
  if (showsItems()) return tr("What is in the three papers, and what the program does with it.");
  if (showsGallery()) return tr("Figures, tables and theorems of the three papers, and our results.");
  if (!study().compute) return trFormat("{}, {}, as published", study().paper, studyName(study()));
  return trFormat("{}, {}, at the scale of a desktop: {}", study().paper, studyName(study()),
                  shownText(tr(study().assumptions)));
}

}  // namespace sepx::ui

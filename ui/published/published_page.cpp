// SPDX-License-Identifier: Apache-2.0
// See published_page.h.
#include "ui/published/published_page.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/published/study_charts.h"
#include "ui/race/chart_grid.h"

namespace sepx::ui {

namespace {

constexpr double kChartsShare = 0.48;  // of the height
constexpr double kWordsShare = 0.33;   // of the width below the charts
constexpr double kButtonHeight = 2.2;  // sizes of the text
constexpr double kLeastBeside = 45;    // sizes of the text, width of words and table side by side
constexpr double kCompactChart = 420;  // points of width
constexpr std::size_t kRowOfCharts = 4;
constexpr double kNoEnd = 1e9;  // of a box, points

Result<std::shared_ptr<const studies::StudyResult>> shared(Result<studies::StudyResult> made) {
  if (!made) return tl::unexpected(made.error());
  return std::make_shared<const studies::StudyResult>(*std::move(made));
}

}  // namespace

PublishedPage::PublishedPage(PublishedKind kind)
    : kind_(std::move(kind)),
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
    return runs(studyNamed(word.is_string() ? word.get<std::string>() : std::string()));
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
  const Getters told([this](int) { return result() && !result()->observations.empty() ? result() : nullptr; });
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
       .digits = 0, .get = told([](const studies::StudyResult& made) { return countOf(made.observations, studies::Verdict::Holds); })},
      {.key = "told", .label = N_("Stated observations"), .help = N_("How many observations of the paper are compared."),
       .digits = 0, .get = told([](const studies::StudyResult& made) { return judgedOf(made.observations); })}});
}
// clang-format on

const studies::StudyResult* PublishedPage::result() const {
  for (const auto* const of : {&results_, &ready_})
    if (const auto found = of->find(shown_); found != of->end()) return found->second.get();
  return nullptr;
}

Numbers PublishedPage::numbers(const RaceShared&) const {
  return publishedNumbers(table());
}

void PublishedPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared&) {
  Request shown;
  registry.read(document, shown, prefix_);
  registry.read(document, *this, prefix_);
  shown.word = studyNamed(shown.word).word();
  if (!(shown == shown_)) {
    scroll_ = 0;
    failure_.clear();
  }
  shown_ = shown;
  ++changes_;
}

void PublishedPage::take(Work& lane, std::map<Request, ResultPointer>& into) {
  if (!lane.answered()) return;
  const Result<ResultPointer>& made = *lane.result();
  if (made && *made)
    into[*lane.answered()] = *made;
  else if (!made && *lane.answered() == shown_)
    failure_ = sentenceCase(made.error().sentence);
  ++changes_;
}

void PublishedPage::computeAsked(ExhibitContext& context) {
  const bool asked = asked_ == shown_.word && study().compute;
  if (asked && !results_.contains(shown_) && failure_.empty() && !lane_.isFor(shown_))
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

void PublishedPage::update(const RaceFrame& frame, ExhibitContext& context) {
  if (lane_.refresh(context.jobs)) take(lane_, results_);
  if (atOnce_.refresh(context.jobs)) take(atOnce_, ready_);
  computeAsked(context);
  computeAtOnce(frame, context);
}

/// Of the words of a study without charts, with the button above them.
double PublishedPage::wordsHeight(const RaceFrame& frame, double width) const {
  const LayerKey key = keyWith(frameKey(frame), changes_, width);
  if (wordsKey_ != key) {
    wordsKey_ = key;
    const render::Rect box{{0, 0}, {width, kNoEnd}};
    wordsHeight_ = publishedWords(study(), result(), failure_, box, frame.theme).height;
  }
  const double button = runs(study()) ? kButtonHeight * frame.theme.textSize + 2 * frame.theme.space : 0;
  return wordsHeight_ + button;
}

PublishedPage::Places PublishedPage::placesOf(const RaceFrame& frame) const {
  const Theme& theme = frame.theme;
  const double pad = 2 * theme.space;
  const render::Rect area{{frame.area.min.x + pad, frame.area.min.y + pad},
                          {frame.area.max.x - pad, frame.area.max.y - pad}};
  const bool charts = result() && !result()->charts.empty();
  Places places;
  render::Rect lower = area;
  if (charts) {
    places.charts = area;
    places.charts.max.y = area.min.y + kChartsShare * area.height();
    std::vector<render::Item> ignored;
    const double legend = addLegend(ignored, {}, area.width() - pad, chartLegend(result()->legend, theme), theme);
    const double top = places.charts.max.y + pad / 2;
    places.legend = {{area.min.x + pad, top}, {area.max.x, top + legend}};
    lower.min.y = places.legend.max.y + pad;
  }
  places.words = places.table = lower;
  const bool narrow = charts && lower.width() < kLeastBeside * theme.textSize;  // the button alone beside the table
  if (narrow) {
    places.words.max.y = lower.min.y;
    if (runs(study())) places.table.min.y += kButtonHeight * theme.textSize + pad;
  } else if (charts) {
    places.words.max.x = lower.min.x + kWordsShare * lower.width();
    places.table.min.x = places.words.max.x + 1.5 * pad;
  } else {  // no charts: the rows have the whole width
    places.words.max.y = std::min(lower.max.y, lower.min.y + wordsHeight(frame, lower.width()));
    places.table.min.y = places.words.max.y + pad;
  }
  if (!runs(study())) return places;
  const double height = kButtonHeight * theme.textSize;
  places.button = {
      places.words.min,
      {places.words.min.x + std::min(places.words.width(), 15.0 * theme.textSize), places.words.min.y + height}};
  places.words.min.y += height + pad;
  return places;
}

void PublishedPage::layOut(const RaceFrame& frame, const Places& places, const LayerKey& key) {
  const studies::StudyResult* const made = result();
  const std::size_t count = made ? made->charts.size() : 0;
  if (charts_.size() != count) charts_.clear();
  const std::size_t perRow = count <= kRowOfCharts ? count : (count + 1) / 2;
  const std::vector<render::Rect> boxes = gridOf(places.charts, count, perRow, 2 * frame.theme.space);
  for (std::size_t i = 0; i < count; ++i) {
    const LayerKey now = keyWith(key, boxes[i]);
    if (i < charts_.size() && charts_[i].key == now) continue;
    LineChart chart = lineChart(made->charts[i], frame.theme);
    chart.compact = boxes[i].width() < kCompactChart;
    Kept kept{now, PlacedChart(std::move(chart), boxes[i], frame.theme)};
    if (i < charts_.size())
      charts_[i] = std::move(kept);
    else
      charts_.push_back(std::move(kept));
  }
}

std::vector<render::Item> PublishedPage::button(const RaceFrame& frame, const Places& places) const {
  const Theme& theme = frame.theme;
  std::vector<render::Item> items;
  const render::Rect& box = places.button;
  const std::string text = computes()     ? std::string(tr("Cancel"))
                           : shown_.quick ? std::string(tr("Run the quick study"))
                                          : std::string(tr("Run the study"));
  addButton(items, {.label = text, .box = box, .on = true, .size = static_cast<float>(theme.textSize)}, theme,
            frame.pointer);
  if (computes()) {
    render::Rect done = box;
    done.max.x = box.min.x + std::clamp(lane_.progress(), 0.0, 1.0) * box.width();
    done.min.y = box.max.y - 4;
    items.emplace_back(pageFill(done, theme.accent));
  }
  return items;
}

TableView PublishedPage::tableView(const RaceFrame& frame) const {
  return publishedTableView(table(), result() && !result()->charts.empty(), frame.theme);
}

void PublishedPage::addTable(const RaceFrame& frame, const Places& places, const LayerKey& layer,
                             std::vector<render::Layer>& into) {
  layers_.add(into, key("table"), keyWith(layer, scroll_), [&] {
    std::vector<render::Item> items;
    if (table().rows.empty()) {
      addSentence(items, places.table,
                  tr("The paper shows this as curves, without numbers. Run the study to see ours beside its claims."),
                  frame.theme);
      return items;
    }
    tableView(frame).draw(items, {&frame.theme, places.table, std::nullopt, std::nullopt, frame.figure}, scroll_);
    return items;
  });
}

void PublishedPage::addTips(const RaceFrame& frame, const Places& places, const LayerKey& layer,
                            std::vector<render::Layer>& into) {
  for (const Kept& kept : charts_)
    if (kept.chart.camera().plot.contains(*frame.pointer))
      layers_.add(
          into, key("tip"), keyWith(kept.key, *frame.pointer),
          [&] { return kept.chart.tip(*frame.pointer, frame.area); }, false, false);
  if (!places.table.contains(*frame.pointer)) return;
  const TableView view = tableView(frame);
  const TableView::Look look{&frame.theme, places.table, std::nullopt, std::nullopt, false};
  if (const std::optional<std::string> cut = view.cutText(look, scroll_, *frame.pointer))
    layers_.add(
        into, key("cut"), keyWith(layer, *frame.pointer),
        [&] {
          std::vector<render::Item> items;
          addTip(items, *frame.pointer, {*cut}, frame.area, frame.theme);
          return items;
        },
        false, false);
}

void PublishedPage::scene(const RaceFrame& frame, std::vector<render::Layer>& into) {
  const Places places = placesOf(frame);
  const LayerKey layer = keyWith(frameKey(frame), changes_);
  layOut(frame, places, layer);
  for (std::size_t i = 0; i < charts_.size(); ++i)
    layers_.add(
        into, key("chart") + std::to_string(i), charts_[i].key, [&] { return charts_[i].chart.items(); }, true, false);
  if (!charts_.empty())
    layers_.add(into, key("legend"), layer, [&] {
      std::vector<render::Item> items;
      addLegend(items, places.legend.min, places.legend.width(), chartLegend(result()->legend, frame.theme),
                frame.theme);
      return items;
    });
  if (!frame.figure && runs(study())) {
    const bool over = frame.pointer && places.button.contains(*frame.pointer);
    layers_.add(
        into, key("button"), keyWith(layer, over, computes(), computes() ? lane_.progress() : 0.0),
        [&] { return button(frame, places); }, false);
  }
  layers_.add(into, key("words"), layer,
              [&] { return publishedWords(study(), result(), failure_, places.words, frame.theme).items; });
  addTable(frame, places, layer, into);
  if (frame.pointer && !frame.figure) addTips(frame, places, layer, into);
}

Cursor PublishedPage::input(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) {
  if (!frame.pointer) return Cursor::Arrow;
  const Places places = placesOf(frame);
  const bool over = runs(study()) && places.button.contains(*frame.pointer);
  if (const auto* press = std::get_if<PointerPressed>(&event);
      press && press->down && press->button == Button::Left && over)
    run(frame, context, computes() ? cancel_ : run_);
  if (const auto* wheel = std::get_if<Scrolled>(&event); wheel && places.table.contains(*frame.pointer)) {
    const TableView::Look look{&frame.theme, places.table, std::nullopt, std::nullopt, false};
    scroll_ =
        std::clamp(scroll_ - 3 * wheel->dy * TableView::rowHeight(frame.theme), 0.0, tableView(frame).mostScroll(look));
  }
  return over ? Cursor::Hand : Cursor::Arrow;
}

void PublishedPage::report(const RaceFrame& frame, const ExhibitContext& context) const {
  if (!runs(study())) return;
  Strip strip;
  strip.buttons.push_back({.key = computes() ? cancel_ : run_, .label = {}, .box = placesOf(frame).button});
  reportStrip(strip, context);
}

void PublishedPage::panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.heading(tr("Published and ours"));
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
    if (!made->observations.empty()) panel.rows(key("result."), {"as_published", "told"});
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
      if (begins) results_.erase(shown_);
      lane_.clear();
      context.editor.replace(context.editor.document().with(asks_, begins ? shown_.word : std::string("none")));
      ++changes_;
    };
  };
  return {{run_, tr("Run the published study"), "", menu, runs(study()) && !computes(), ask(true)},
          {cancel_, tr("Cancel the published study"), "", menu, lane_.pending(), ask(false)}};
}

std::string PublishedPage::caption(const RaceShared&) const {
  if (!study().compute) return trFormat("{}, {}, as published", kind_.paper, tr(study().label));
  return trFormat("{}, {}, at the scale of a desktop: {}", kind_.paper, tr(study().label), tr(study().assumptions));
}

}  // namespace sepx::ui

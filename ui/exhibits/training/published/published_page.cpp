// SPDX-License-Identifier: Apache-2.0
// Published figures, a table and a theorem of Attention-Structure beside what comes out here: what the paper says, what
// a small study of the same gives, its curves with median and quartiles, and the verdicts that `sepx reproduce` prints.
// A study is computed in the background on a button, with progress, and can be cancelled; what a window has computed
// stays until it is closed. Frame thread.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/studies/growth_study.h"
#include "ui/exhibit/lane.h"
#include "ui/exhibits/training/published/published_view.h"
#include "ui/exhibits/training/shared/emergence_charts.h"
#include "ui/plots/table.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/chart_grid.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

namespace {

constexpr double kChartsShare = 0.48;  // of the height
constexpr double kWordsShare = 0.33;   // of the width below the charts
constexpr double kWordsHeight = 14.5;  // sizes of the text, where there are no charts
constexpr const char* kRun = "training.published-run";
constexpr const char* kCancel = "training.published-cancel";
constexpr const char* kAsked = "training.published.run";

struct PublishedRequest {
  std::string word;
  bool quick = true;
  std::uint64_t seed = 0;
  auto key() const { return std::tie(word, quick, seed); }
  bool operator==(const PublishedRequest& other) const { return key() == other.key(); }
  bool operator<(const PublishedRequest& other) const { return key() < other.key(); }
};
using PublishedPointer = std::shared_ptr<const PublishedResult>;

Result<PublishedPointer> compute(const PublishedRequest& request, const studies::Work& work) {
  const PublishedStudy& study = publishedStudy(request.word);
  auto made = std::make_shared<PublishedResult>();
  if (study.kind == studies::StudyKind::Growth) {
    Result<studies::TheoremReport> report = studies::checkNormGrowth(work);
    if (!report) return tl::unexpected(report.error());
    made->theorem = *std::move(report);
  } else {
    Result<studies::EmergenceStudy> computed = studies::computeEmergence(study.number, work);
    if (!computed) return tl::unexpected(computed.error());
    made->emergence = *std::move(computed);
  }
  return made;
}

class PublishedPage final : public RacePage {
 public:
  PageLabel label() const override { return {"published", N_("Published"), ""}; }
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void update(const RaceFrame& frame, ExhibitContext& context) override;
  void scene(const RaceFrame& frame, std::vector<render::Layer>& into) override;
  Cursor input(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  void report(const RaceFrame& frame, const ExhibitContext& context) const override;
  bool complete() const override { return lane_.complete(); }
  Numbers numbers(const RaceShared&) const override { return publishedNumbers(table()); }
  std::string caption(const RaceShared& shared) const override;
  std::string status(const RaceShared& shared) const override;
  std::vector<ExhibitCommand> commands(const RaceShared& shared, const Document& document) const override;
  bool run(const RaceFrame& frame, ExhibitContext& context, std::string_view command) override;

 private:
  struct Places {
    render::Rect charts, legend, button, words, table;
  };
  struct Kept {
    LayerKey key;
    PlacedChart chart;
  };
  const PublishedStudy& study() const { return publishedStudy(shown_.word); }
  /// Of the study that is shown; null: it was not computed.
  const PublishedResult* result() const;
  bool computes() const { return lane_.pending() && lane_.isFor(shown_); }
  /// Those of the study; of one that has no result the published rows alone.
  PublishedTable table() const { return publishedTable(study(), result()); }
  Places placesOf(const RaceFrame& frame) const;
  void layOut(const RaceFrame& frame, const Places& places, const LayerKey& key);
  std::vector<render::Item> button(const RaceFrame& frame, const Places& places) const;
  TableView tableView(const RaceFrame& frame) const {
    return publishedTableView(table(), result() && result()->emergence, frame.theme);
  }

  PublishedRequest shown_;
  std::string asked_;  ///< the study that is to be computed
  Lane<PublishedRequest, Result<PublishedPointer>> lane_{"training.published"};
  std::map<PublishedRequest, PublishedPointer> results_;
  std::string failure_;
  std::uint64_t changes_ = 0;
  double scroll_ = 0;
  std::vector<Kept> charts_;
  PageLayers layers_;
};

Options studyOptions(bool none) {
  Options options;
  if (none) options.emplace_back("none", N_("none"));
  for (const PublishedStudy& one : publishedStudies())
    options.emplace_back(one.word, one.title);
  return options;
}

/// Other numbers are asked for by the button alone: a study takes long.
Result<Document> askedAgain(const Document&, const Document& with) {
  return with.has(kAsked) ? with.with(kAsked, "none") : with;
}

// clang-format off
void PublishedPage::declare(PropertyRegistry& registry, const RaceShared&) {
  const Condition here = onPages("training.page", "experiments", {"published"});
  declareParameters(registry, {.prefix = "training.published.", .applies = here}, {
      {.key = "study", .label = N_("Study"), .options = studyOptions(false),
       .help = N_("The figure, table or theorem of Attention-Structure that is shown beside what comes out here.")},
      {.key = "quick", .label = N_("Quick"), .fallback = true,
       .help = N_("One seed and fewer steps, as `sepx reproduce --quick`. Off: three seeds and 2,500 steps, which takes "
                  "some minutes. Another choice computes nothing by itself."), .follow = askedAgain},
      {.key = "seed", .label = N_("Seed"), .kind = Kind::Integer, .min = 0, .max = 1e9, .step = 1, .fallback = 0.0,
       .help = N_("The first seed of the study. The same seed gives the same numbers as the command line."),
       .follow = askedAgain}});
  declareParameters(registry, {.prefix = "training.published.", .applies = here, .undoable = false, .detail = true}, {
      {.key = "run", .label = N_("Computed study"), .options = studyOptions(true),
       .help = N_("The study that is computed in the background; results of a window stay until it is closed.")}});
  const Getters of([this](int) { return result(); });
  declareReadOuts(registry, {.prefix = "training.published.result.", .applies = here}, {
      {.key = "state", .label = N_("State"),
       .help = N_("Whether the study that is shown was computed: none, computing, done or failed."),
       .get = [this](int) {
         return Value(std::string(result() ? "done" : computes() ? "computing" : failure_.empty() ? "none" : "failed"));
       }},
      {.key = "progress", .label = N_("Progress"), .help = N_("How much of the study is done, 0 to 1."), .digits = 2,
       .get = [this](int) { return computes() ? Value(lane_.progress()) : Value(); }},
      {.key = "passed", .label = N_("Judged"), .help = N_("Whether everything that is judged holds, in all seeds."),
       .get = of(&PublishedResult::passed)},
      {.key = "holds", .label = N_("Holds"), .help = N_("How many of the judged numbers are as they must be."), .digits = 0,
       .get = of([](const PublishedResult& made) { return passedOf(made.checks()); })},
      {.key = "judged", .label = N_("Judged numbers"), .help = N_("How many numbers are judged."), .digits = 0,
       .get = of([](const PublishedResult& made) { return made.checks().size(); })},
      {.key = "as_published", .label = N_("As published"),
       .help = N_("How many observations of the paper came out as published, among those that are told and not judged."),
       .digits = 0, .get = of([](const PublishedResult& made) { return passedOf(made.told()); })},
      {.key = "told", .label = N_("Told observations"), .help = N_("How many observations of the paper are compared."),
       .digits = 0, .get = of([](const PublishedResult& made) { return made.told().size(); })}});
}
// clang-format on

const PublishedResult* PublishedPage::result() const {
  const auto found = results_.find(shown_);
  return found == results_.end() ? nullptr : found->second.get();
}

void PublishedPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared&) {
  const auto word = [&document](const char* key, const char* fallback) {
    const Json& value = document.at(key);
    return value.is_string() ? value.get<std::string>() : std::string(fallback);
  };
  PublishedRequest shown;
  shown.word = publishedStudy(word("training.published.study", "")).word;
  shown.quick = registry.toggle(document, "training.published.quick");
  shown.seed = static_cast<std::uint64_t>(registry.real(document, "training.published.seed"));
  if (!(shown == shown_)) {
    scroll_ = 0;
    failure_.clear();
  }
  shown_ = shown;
  asked_ = word(kAsked, "none");
  ++changes_;
}

void PublishedPage::update(const RaceFrame&, ExhibitContext& context) {
  if (lane_.refresh(context.jobs) && lane_.answered()) {
    const Result<PublishedPointer>& made = *lane_.result();
    if (made && *made)
      results_[*lane_.answered()] = *made;
    else if (!made)
      failure_ = sentenceCase(made.error().sentence);
    ++changes_;
  }
  const bool asked = asked_ == shown_.word;
  if (asked && !result() && failure_.empty() && !lane_.isFor(shown_))
    lane_.request(context.jobs, shown_, trFormat("computing {}", tr(study().title)),
                  [&pool = context.pool](const PublishedRequest& request, auto& output) {
                    studies::Work work{pool, request.quick, request.seed};
                    work.progress = [&output](double share) {
                      output.progress(share);
                      output.publish(PublishedPointer());  // a script waits for one thing after the other
                    };
                    work.cancelled = [&output] { return output.cancelled(); };
                    return compute(request, work);
                  });
  if (asked_ == "none" && lane_.pending()) lane_.clear();
  if (lane_.cancelled() && asked) {  // by the person, in the list of jobs
    lane_.clear();
    context.editor.replace(context.editor.document().with(kAsked, "none"));
  }
}

PublishedPage::Places PublishedPage::placesOf(const RaceFrame& frame) const {
  const Theme& theme = frame.theme;
  const double pad = 2 * theme.space;
  const render::Rect area{{frame.area.min.x + pad, frame.area.min.y + pad},
                          {frame.area.max.x - pad, frame.area.max.y - pad}};
  Places places;
  render::Rect lower = area;
  if (result() && result()->emergence) {
    places.charts = area;
    places.charts.max.y = area.min.y + kChartsShare * area.height();
    places.legend = {{area.min.x + pad, places.charts.max.y + pad / 2},
                     {area.max.x, places.charts.max.y + 3.2 * theme.smallSize}};
    lower.min.y = places.legend.max.y + pad;
  }
  places.words = places.table = lower;
  if (result() && result()->emergence) {
    places.words.max.x = lower.min.x + kWordsShare * lower.width();
    places.table.min.x = places.words.max.x + 1.5 * pad;
  } else {  // no charts: the rows have the whole width
    places.words.max.y = std::min(lower.max.y, lower.min.y + kWordsHeight * theme.textSize);
    places.table.min.y = places.words.max.y + pad;
  }
  const double height = 2.2 * theme.textSize;
  places.button = {
      places.words.min,
      {places.words.min.x + std::min(places.words.width(), 15.0 * theme.textSize), places.words.min.y + height}};
  places.words.min.y += height + pad;
  return places;
}

void PublishedPage::layOut(const RaceFrame& frame, const Places& places, const LayerKey& key) {
  const PublishedResult* const made = result();
  if (!made || !made->emergence) {
    charts_.clear();
    return;
  }
  const std::vector<EmergencePanel> panels = emergencePanels(*made->emergence);
  const std::size_t perRow = panels.size() <= 4 ? panels.size() : 3;
  const std::vector<render::Rect> boxes = gridOf(places.charts, panels.size(), perRow, 2 * frame.theme.space);
  if (charts_.size() != panels.size()) charts_.clear();
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const LayerKey now = keyWith(key, boxes[i]);
    if (i < charts_.size() && charts_[i].key == now) continue;
    LineChart chart = emergenceChart(*made->emergence, panels[i], frame.theme);
    chart.title = emergencePanelName(panels[i]);
    if (made->emergence->sources.size() > 1)
      chart.title = fmt::format("{}: {}", made->emergence->sources[panels[i].source].name, chart.title);
    chart.y.name.clear();  // the title has it
    chart.compact = boxes[i].width() < 420;
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
  const std::string text = computes()     ? trFormat("Cancel, {} % done", static_cast<int>(100 * lane_.progress()))
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

void PublishedPage::scene(const RaceFrame& frame, std::vector<render::Layer>& into) {
  const Places places = placesOf(frame);
  const LayerKey key = keyWith(frameKey(frame), changes_);
  layOut(frame, places, key);
  for (std::size_t i = 0; i < charts_.size(); ++i)
    layers_.add(
        into, fmt::format("training.published.chart{}", i), charts_[i].key, [&] { return charts_[i].chart.items(); },
        true, false);
  if (!charts_.empty())
    layers_.add(into, "training.published.legend", key, [&] {
      std::vector<render::Item> items;
      const studies::EmergenceStudy& made = *result()->emergence;
      addLegend(items, places.legend.min, places.legend.width(),
                emergenceLegend(made, emergencePanels(made), frame.theme), frame.theme);
      return items;
    });
  if (!frame.figure) {
    const bool over = frame.pointer && places.button.contains(*frame.pointer);
    layers_.add(
        into, "training.published.button", keyWith(key, over, computes(), computes() ? lane_.progress() : 0.0),
        [&] { return button(frame, places); }, false);
  }
  layers_.add(into, "training.published.words", key,
              [&] { return publishedWords(study(), result(), failure_, places.words, frame.theme); });
  layers_.add(into, "training.published.table", keyWith(key, scroll_), [&] {
    std::vector<render::Item> items;
    const PublishedTable rows = table();
    if (rows.rows.empty()) {
      addSentence(items, places.table,
                  tr("The paper shows this as curves, without numbers. Run the study to see ours beside its claims."),
                  frame.theme);
      return items;
    }
    publishedTableView(rows, result() && result()->emergence, frame.theme)
        .draw(items, {&frame.theme, places.table, std::nullopt, std::nullopt, frame.figure}, scroll_);
    return items;
  });
  if (!frame.pointer || frame.figure) return;
  for (const Kept& kept : charts_)
    if (kept.chart.camera().plot.contains(*frame.pointer))
      layers_.add(
          into, "training.published.tip", keyWith(kept.key, *frame.pointer),
          [&] { return kept.chart.tip(*frame.pointer, frame.area); }, false, false);
  if (!places.table.contains(*frame.pointer)) return;
  const TableView view = tableView(frame);
  const TableView::Look look{&frame.theme, places.table, std::nullopt, std::nullopt, false};
  if (const std::optional<std::string> cut = view.cutText(look, scroll_, *frame.pointer))
    layers_.add(
        into, "training.published.cut", keyWith(key, *frame.pointer),
        [&] {
          std::vector<render::Item> items;
          addTip(items, *frame.pointer, {*cut}, frame.area, frame.theme);
          return items;
        },
        false, false);
}

Cursor PublishedPage::input(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) {
  if (!frame.pointer) return Cursor::Arrow;
  const Places places = placesOf(frame);
  const bool over = places.button.contains(*frame.pointer);
  if (const auto* press = std::get_if<PointerPressed>(&event);
      press && press->down && press->button == Button::Left && over)
    run(frame, context, computes() ? kCancel : kRun);
  if (const auto* wheel = std::get_if<Scrolled>(&event); wheel && places.table.contains(*frame.pointer)) {
    const TableView::Look look{&frame.theme, places.table, std::nullopt, std::nullopt, false};
    scroll_ =
        std::clamp(scroll_ - 3 * wheel->dy * TableView::rowHeight(frame.theme), 0.0, tableView(frame).mostScroll(look));
  }
  return over ? Cursor::Hand : Cursor::Arrow;
}

void PublishedPage::report(const RaceFrame& frame, const ExhibitContext& context) const {
  Strip strip;
  strip.buttons.push_back({.key = computes() ? kCancel : kRun, .label = {}, .box = placesOf(frame).button});
  reportStrip(strip, context);
}

void PublishedPage::panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.heading(tr("Published and ours"));
  for (const char* const key : {"study", "quick", "seed"})
    panel.control(std::string("training.published.") + key);
  if (panel.button(tr("Run"), "training.published.panel-run", !computes())) run(frame, context, kRun);
  panel.sameLine();
  if (panel.button(tr("Cancel"), "training.published.panel-cancel", computes())) run(frame, context, kCancel);
  panel.heading(tr("What came out"));
  for (const char* const key : {"state", "holds", "judged", "as_published", "told"})
    panel.readOut(std::string("training.published.result.") + key);
  if (const PublishedResult* const made = result(); made && study().number == 1)  // the table has losses alone
    for (const std::string& text : checkLines(made->checks()))
      panel.sentence(text);
  panel.heading(tr("Scale"));
  if (const studies::Study* const described = studies::findStudy(study().id))
    panel.sentence(trFormat("Setup: {}.", tr(described->assumptions)));
  if (study().kind == studies::StudyKind::Emergence)
    panel.sentence(
        tr("The paper trains models of 4, 12 and 24 layers for 200,000 steps of 256 sequences. Rows of 12 and 24 "
           "layers are "
           "shown as published only."));
  panel.sentence(
      trFormat("The same on the command line: sepx reproduce {}{}", study().id, shown_.quick ? " --quick" : ""));
}

std::vector<ExhibitCommand> PublishedPage::commands(const RaceShared&, const Document&) const {
  const char* const menu = tr("Run");
  return {{kRun, tr("Run the published study"), "", menu, !computes()},
          {kCancel, tr("Cancel the published study"), "", menu, lane_.pending()}};
}

bool PublishedPage::run(const RaceFrame&, ExhibitContext& context, std::string_view command) {
  if (command != kRun && command != kCancel) return false;
  failure_.clear();
  if (command == kRun) results_.erase(shown_);
  lane_.clear();
  context.editor.replace(context.editor.document().with(kAsked, command == kRun ? shown_.word : std::string("none")));
  ++changes_;
  return true;
}

std::string PublishedPage::status(const RaceShared&) const {
  if (!lane_.pending()) return {};
  return trFormat("computing {}: {} %", tr(study().title), static_cast<int>(100 * lane_.progress()));
}

std::string PublishedPage::caption(const RaceShared&) const {
  const studies::Study* const described = studies::findStudy(study().id);
  return trFormat("Attention-Structure, {}, at the scale of a desktop: {}", tr(study().title),
                  described ? tr(described->assumptions) : "");
}

}  // namespace

std::unique_ptr<RacePage> makePublishedPage() {
  return std::make_unique<PublishedPage>();
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Theory against practice: the plane (e, w) of the canonical model with its loss, critical sets and separatrix, and on
// it the paths of real transformers projected onto the canonical model, each with the residual of the projection as a
// halo and, dashed, the gradient flow of theory from the same point. A drag shows where theory goes from the pointer;
// its end starts a real transformer there. Frame thread.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "engine/markov/canonical_model.h"
#include "engine/markov/critical_sets.h"
#include "engine/markov/flow.h"
#include "engine/studies/canonical_start.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/training/theory/theory_verdict.h"
#include "ui/plots/halo_path.h"
#include "ui/plots/line_chart.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/run_charts.h"
#include "ui/race/timed_page.h"
#include "ui/runs/projected_path.h"

namespace sepx::ui {

namespace {

constexpr double kHalf = 2;           // of the window
constexpr double kFarthest = 1e3;     // of a start
constexpr int kShades = 96;           // pixels of the loss along a side
constexpr double kWordsLine = 1.5;    // sizes of the text
constexpr double kWordsShare = 0.25;  // of the page's height, at most

markov::State stateOf(double e, double w) {
  markov::State theta(2);
  theta << e, w;
  return theta;
}

bool projects(const RaceShared& shared) {
  return std::any_of(shared.runs.begin(), shared.runs.end(), [](const RacingRun& one) { return projects(one); });
}

render::Color kindColor(const Theme& theme, dynamics::LimitKind kind) {
  switch (kind) {
    case dynamics::LimitKind::GlobalMin:
      return theme.globalMin;
    case dynamics::LimitKind::LocalMin:
      return theme.localMin;
    case dynamics::LimitKind::LocalMax:
      return theme.localMax;
    default:
      return theme.separatrix;
  }
}

class TheoryPage final : public TimedPage {
 public:
  PageLabel label() const override { return {"theory", N_("Theory")}; }
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  Camera camera(const RaceFrame&) const override { return camera_; }
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;
  std::vector<std::pair<std::string, std::string>> gestures() const override {
    return {{tr("drag in the plane"),
             tr("see where theory goes from there; the end of the drag starts a real transformer")}};
  }
  std::string caption(const RaceShared& shared) const override;
  std::optional<std::string> ownTitle(const RaceShared& shared) const override {
    return projects(shared) ? std::nullopt : std::optional<std::string>(tr("Theory against practice"));
  }

 protected:
  void drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) override;
  Cursor inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) override;

 private:
  markov::Chain chainShown(const RaceShared& shared) const;
  PlacedChart chartOf(const RaceFrame& frame) const;
  std::vector<std::string> wordLines(const RaceFrame& frame) const;
  double wordsHeight(const RaceFrame& frame) const;
  void start(const RaceFrame& frame, ExhibitContext& context, double e, double w) const;
  std::vector<std::string> verdicts(const RaceShared& shared, int parts = kVerdictParts) const;
  std::vector<render::Item> ground(const markov::Chain& chain, const Theme& theme) const;
  std::vector<render::Item> sets(const PlacedChart& chart, const markov::Chain& chain, const Theme& theme) const;
  std::vector<render::Item> paths(const RaceFrame& frame, const PlacedChart& chart, const markov::Chain& chain) const;
  void addFlow(std::vector<render::Item>& items, const PlacedChart& chart, const markov::Chain& chain, double e,
               double w, render::Color color) const;

  double p_ = 0.5, q_ = 0.8, e_ = 0.4, w_ = 0.25;  ///< of the next start
  int width_ = 8;
  Camera camera_;
  std::optional<render::Point> dragged_;  ///< (e, w) under the pointer
  PageLayers layers_;
};

void TheoryPage::declare(PropertyRegistry& registry, const RaceShared& live) {
  const Condition here = onPages("training.page", "experiments", {"theory"});
  // clang-format off
  declareParameters(registry, {.prefix = "training.theory.", .applies = here}, {
      {.key = "p",
       .into = &TheoryPage::p_, .label = N_("P(0→1)"), .symbol = "p", .min = 0, .max = 1, .open = true, .fallback = 0.5,
       .help = N_("The chain of a transformer that starts on this page; runs that are there keep their own.")},
      {.key = "q",
       .into = &TheoryPage::q_, .label = N_("P(1→0)"), .symbol = "q", .min = 0, .max = 1, .open = true, .fallback = 0.8,
       .help = N_("The chain of a transformer that starts on this page; runs that are there keep their own.")},
      {.key = "e",
       .into = &TheoryPage::e_, .label = N_("Start"), .symbol = "e", .min = -kFarthest, .max = kFarthest, .digits = 4,
          .fallback = 0.4,
       .help = N_("Where the next real transformer starts: the scale of the embedding.")},
      {.key = "w",
       .into = &TheoryPage::w_, .label = N_("Start"), .symbol = "w", .min = -kFarthest, .max = kFarthest, .digits = 4,
          .fallback = 0.25,
       .help = N_("Where the next real transformer starts: the scale of the feed-forward weights.")},
      {.key = "d",
       .into = &TheoryPage::width_, .label = N_("Width"), .kind = Kind::Integer, .min = 2, .max = 512, .fallback = 8.0,
       .help = N_("The width d_model of a transformer that starts here.")}});
  // clang-format on
  const auto of = [&live](const char* metric) {
    return [&live, metric](int index) -> Value {
      if (index < 0 || static_cast<std::size_t>(index) >= live.runs.size()) return {};
      const RunPointer& run = live.runs[static_cast<std::size_t>(index)].run;
      const std::vector<const RunSeries*> found = run ? run->seriesOf(metric) : std::vector<const RunSeries*>();
      return found.empty() ? Value() : valueOf(valueAtStep(found.front(), live.step));
    };
  };
  // clang-format off
  declareReadOuts(registry, {.prefix = "training.runs[].canonical.", .detail = true}, {
      {.key = "e", .label = N_("Projected e"), .help = N_("The embedding's scale of the run projected onto the "
          "canonical model, at the step shown."),
       .digits = 4, .get = of("canonical_e")},
      {.key = "w", .label = N_("Projected w"), .help = N_("The feed-forward scale of the run projected onto the "
          "canonical model, at the step shown."),
       .digits = 4, .get = of("canonical_w")},
      {.key = "residual", .label = N_("Residual"),
       .help = N_("How far the network is from its projection, relative to the size of its parameters: 0 on the "
           "canonical model, 1 where nothing of it is canonical."),
       .digits = 4, .get = of("canonical_residual")}});
  declareReadOuts(registry, {.prefix = "training.runs[].canonical."}, {
      {.key = "verdict", .label = N_("In words"),
       .help = N_("How far the projection of the run is at the step shown from the nearest stationary curve of the "
           "canonical model, its loss beside the entropy rate, and where gradient flow from the same point ends."),
       .get = [&live](int index) -> Value {
         if (index < 0 || static_cast<std::size_t>(index) >= live.runs.size()) return {};
         const std::string words = verdictOf(live.runs[static_cast<std::size_t>(index)], live.step);
         return words.empty() ? Value() : Value(words);
       }}});
  // clang-format on
}

void TheoryPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) {
  TimedPage::read(document, registry, shared);
  registry.read(document, *this);
}

/// Of the first run that has a projection; else that of the next start.
markov::Chain TheoryPage::chainShown(const RaceShared& shared) const {
  for (const RacingRun& racing : shared.runs)
    if (projects(racing)) return chainOf(*racing.run);
  return {p_, q_};
}

std::vector<std::string> TheoryPage::verdicts(const RaceShared& shared, int parts) const {
  std::vector<std::string> all;
  for (const RacingRun& racing : shared.runs)
    if (std::string one = verdictOf(racing, shared.step, parts); !one.empty()) all.push_back(std::move(one));
  return all;
}

std::string TheoryPage::caption(const RaceShared& shared) const {
  const markov::Chain chain = chainShown(shared);
  std::string text = trFormat(
      "Paths of real transformers on the plane of the canonical model, p = {}, q = {}; halo: residual, dashed: "
      "gradient flow from the same point.",
      shownProbability(chain.p, 3), shownProbability(chain.q, 3));
  for (const std::string& one : verdicts(shared))
    text += " " + one;
  return text;
}

/// The verdicts below the plane, broken into lines; those of all runs in at most a quarter of the page, shortened where
/// they would take more, a line each in the end. In a figure the caption has them.
std::vector<std::string> TheoryPage::wordLines(const RaceFrame& frame) const {
  std::vector<std::string> lines;
  if (frame.figure) return lines;
  const float size = frame.theme.smallSize;
  const double width = frame.area.width() - 6 * frame.theme.space;
  const auto most = static_cast<std::size_t>(kWordsShare * frame.area.height() / (kWordsLine * size));
  for (int parts = kVerdictParts; parts > 0; --parts) {
    lines.clear();
    for (const std::string& one : verdicts(frame.shared, parts))
      for (std::string& line : wrapped(one, size, width))
        lines.push_back(std::move(line));
    if (lines.size() <= most) return lines;
  }
  lines.clear();
  for (const std::string& one : verdicts(frame.shared, 1))
    lines.push_back(elided(one, size, width));
  if (lines.size() > most) lines = {elided(tr("The panel says what became of the runs."), size, width)};
  return lines;
}

double TheoryPage::wordsHeight(const RaceFrame& frame) const {
  return kWordsLine * frame.theme.smallSize * static_cast<double>(wordLines(frame).size());
}

PlacedChart TheoryPage::chartOf(const RaceFrame& frame) const {
  LineChart chart;
  double half = kHalf;
  for (const RacingRun& racing : frame.shared.runs) {
    if (!racing.run) continue;
    const ProjectedPath path = projectedPathOf(*racing.run);
    for (std::size_t i = 0; i < path.e.size(); ++i)
      half = std::max(half, 1.1 * std::max(std::abs(path.e[i]), std::abs(path.w[i])));
  }
  half = std::min(half, 50.0);
  chart.x = {.name = "e", .from = -half, .to = half};
  chart.y = {.name = "w", .from = -half, .to = half};
  chart.ground = false;
  chart.equalUnits = true;
  const double pad = frame.theme.space;
  return PlacedChart(std::move(chart),
                     {{frame.area.min.x + pad, frame.area.min.y + pad},
                      {frame.area.max.x - pad, frame.area.max.y - pad - wordsHeight(frame)}},
                     frame.theme);
}

/// The loss in the plane's colours. Most of the plane lies near the least loss, so that the scale is that of the square
/// root of what lies above it.
std::vector<render::Item> TheoryPage::ground(const markov::Chain& chain, const Theme& theme) const {
  const render::Rect& window = camera_.window;
  auto values = std::make_shared<std::vector<float>>();
  const double low = chain.entropyRate();
  double high = low;
  for (int row = 0; row < kShades; ++row) {
    for (int column = 0; column < kShades; ++column) {
      const double e = window.min.x + (column + 0.5) / kShades * window.width();
      const double w = window.max.y - (row + 0.5) / kShades * window.height();
      const double loss = markov::loss(chain, markov::Model::EW, stateOf(e, w));
      values->push_back(static_cast<float>(std::sqrt(std::max(0.0, loss - low))));
      if (std::abs(e) <= 1.5 && std::abs(w) <= 1.5) high = std::max(high, loss);
    }
  }
  return {render::Heatmap{.extent = window,
                          .width = kShades,
                          .height = kShades,
                          .values = std::move(values),
                          .map = theme.lossMap,
                          .low = 0,
                          .high = static_cast<float>(std::sqrt(std::max(high - low, 1e-9))),
                          .opacity = 0.6f}};
}

std::vector<render::Item> TheoryPage::sets(const PlacedChart& chart, const markov::Chain& chain,
                                           const Theme& theme) const {
  std::vector<render::Item> items = chart.items();
  const render::Rect& window = chart.camera().window;
  const markov::CriticalSets found =
      markov::criticalSets(chain, window.min.x, window.max.x, window.min.y, window.max.y);
  const auto add = [&](const markov::Curve& curve, render::Dash dash, float width) {
    render::Polyline line;
    line.stroke = {kindColor(theme, curve.kind), width, dash};
    line.space = render::Space::Page;
    for (const markov::PlanePoint& point : curve.points)
      line.points.push_back(chart.page({point.e, point.w}));
    items.emplace_back(std::move(line));
  };
  for (const markov::Curve& curve : found.curves) {
    const bool star = curve.kind == dynamics::LimitKind::GlobalMin, least = curve.kind == dynamics::LimitKind::LocalMin;
    add(curve, star ? render::Dash::Solid : least ? render::Dash::Dashed : render::Dash::Dotted, 3);
  }
  for (const markov::Curve& curve : found.separatrix)
    add(curve, render::Dash::Solid, 1.5f);
  if (!chain.degenerate())
    items.emplace_back(render::Marker{chart.page({found.saddle.e, found.saddle.w}), render::Shape::Diamond, 9,
                                      theme.saddle, theme.saddle, 1, render::Space::Page});
  return items;
}

/// The gradient flow of theory, dashed.
void TheoryPage::addFlow(std::vector<render::Item>& items, const PlacedChart& chart, const markov::Chain& chain,
                         double e, double w, render::Color color) const {
  const Result<markov::FlowResult> flow = markov::flowFrom(chain, markov::Model::EW, stateOf(e, w), {.points = 200});
  if (!flow) return;
  render::Polyline line;
  line.stroke = {color, 1.5f, render::Dash::Dashed};
  line.space = render::Space::Page;
  for (const markov::State& at : flow->path.theta)
    line.points.push_back(chart.page({at[0], at[1]}));
  items.emplace_back(std::move(line));
}

std::vector<render::Item> TheoryPage::paths(const RaceFrame& frame, const PlacedChart& chart,
                                            const markov::Chain& chain) const {
  std::vector<render::Item> items;
  const RaceShared& shared = frame.shared;
  // Names keep clear of the markers, also of the start's, and of each other.
  std::vector<render::Rect> taken;
  const auto keepClear = [&](double e, double w) {
    const render::Point at = chart.page({e, w});
    taken.push_back({{at.x - 7, at.y - 7}, {at.x + 7, at.y + 7}});
  };
  keepClear(e_, w_);
  for (const RacingRun& racing : shared.runs) {
    const ProjectedPath path = racing.run ? projectedPathOf(*racing.run) : ProjectedPath();
    if (path.empty()) continue;
    const std::size_t until = std::max<std::size_t>(1, path.until(shared.step));
    keepClear(path.e[until - 1], path.w[until - 1]);
  }
  for (std::size_t i = 0; i < shared.runs.size(); ++i) {
    if (!shared.runs[i].run) continue;
    const ProjectedPath path = projectedPathOf(*shared.runs[i].run);
    if (path.empty()) continue;
    const render::Color color = runLook(frame.theme, i).color;
    addFlow(items, chart, chain, path.e.front(), path.w.front(), color);
    const std::size_t until = std::max<std::size_t>(1, path.until(shared.step));
    const std::vector<double> halo = path.halo();
    addHaloPath(
        items, chart.camera(),
        {.x = path.e, .y = path.w, .radius = halo, .until = until, .color = color, .name = shared.runs[i].name()},
        frame.theme, &taken);
  }
  return items;
}

void TheoryPage::drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) {
  const PlacedChart chart = chartOf(frame);
  camera_ = chart.camera();
  const markov::Chain chain = chainShown(frame.shared);
  const LayerKey plane = keyWith(frameKey(frame), camera_.window, camera_.plot, chain.p, chain.q);
  layers_.add(into, "training.theory.loss", plane, [&] { return ground(chain, frame.theme); });
  layers_.add(
      into, "training.theory.plane", plane, [&] { return sets(chart, chain, frame.theme); }, true, false);
  layers_.add(
      into, "training.theory.paths", keyWith(plane, keyOf(frame), frame.shared.step, e_, w_),
      [&] { return paths(frame, chart, chain); }, false);
  const render::Point now = dragged_.value_or(render::Point{e_, w_});
  layers_.add(
      into, "training.theory.start", keyWith(plane, now, dragged_.has_value()),
      [&] {
        std::vector<render::Item> items;
        addFlow(items, chart, chain, now.x, now.y, frame.theme.accent);
        items.emplace_back(render::Marker{chart.page(now), render::Shape::Ring, 13, frame.theme.accent,
                                          frame.theme.accent, 2, render::Space::Page});
        return items;
      },
      false);
  if (frame.figure) return;
  layers_.add(
      into, "training.theory.verdict", keyWith(plane, keyOf(frame), frame.shared.step),
      [&] {
        std::vector<render::Item> items;
        double y =
            frame.area.max.y - wordsHeight(frame) - 0.5 * frame.theme.space + kWordsLine * frame.theme.smallSize / 2;
        for (const std::string& line : wordLines(frame)) {
          items.emplace_back(
              textAt({frame.area.min.x + 3 * frame.theme.space, y}, line, frame.theme.smallSize, frame.theme.text));
          y += kWordsLine * frame.theme.smallSize;
        }
        return items;
      },
      true, false);
  layers_.add(into, "training.theory.words", plane, [&] {
    std::vector<render::Item> items;
    const std::string text =
        tr("solid: real transformer, dashed: gradient flow, halo: residual; drag to start another");
    render::Label label =
        textAt({camera_.plot.min.x + 8, camera_.plot.min.y + 12},
               elided(text, frame.theme.smallSize, camera_.plot.width() - 16), frame.theme.smallSize, frame.theme.text);
    label.backdrop = faded(frame.theme.surface, 0.92f);
    items.emplace_back(std::move(label));
    return items;
  });
}

void TheoryPage::start(const RaceFrame& frame, ExhibitContext& context, double e, double w) const {
  studies::CanonicalStart wanted;
  wanted.chain = chainShown(frame.shared);
  wanted.e = e;
  wanted.w = w;
  wanted.d_model = width_;
  wanted.seed = context.seed;
  Result<train::RunConfig> config = studies::canonicalRun(wanted);
  if (!config) return context.editor.say(config.error().sentence);
  config->name = fmt::format("({}, {})", shownFixed(e, 2), shownFixed(w, 2));
  frame.shared.addRun(context, {*std::move(config), {}, 0}, AddTo::OwnRuns);
}

Cursor TheoryPage::inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) {
  const auto at = [this](double x, double y) { return toData(camera_, {x, y}); };
  if (const auto* press = std::get_if<PointerPressed>(&event); press && press->button == Button::Left) {
    if (press->down && camera_.plot.contains({press->x, press->y})) {
      dragged_ = at(press->x, press->y);
    } else if (!press->down && dragged_) {
      const render::Point point = *dragged_;
      dragged_.reset();
      context.editor.replace(
          context.editor.document().with("training.theory.e", point.x).with("training.theory.w", point.y));
      start(frame, context, point.x, point.y);
    }
  }
  if (const auto* move = std::get_if<PointerMoved>(&event); move && dragged_) dragged_ = at(move->x, move->y);
  if (const auto* focus = std::get_if<FocusChanged>(&event); focus && !focus->focused) dragged_.reset();
  return frame.pointer && camera_.plot.contains(*frame.pointer) ? Cursor::Cross : Cursor::Arrow;
}

std::vector<RacePage::Command> TheoryPage::commands(const RaceShared& shared, const Document& document) {
  std::vector<Command> all = TimedPage::commands(shared, document);
  all.push_back({"training.theory-start", tr("Start a real transformer at the marked point"), "", tr("Run"), true,
                 [this](const RaceFrame& frame, ExhibitContext& context) { start(frame, context, e_, w_); }});
  return all;
}

void TheoryPage::panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.group(tr("A real transformer"), "training.theory.", {"p", "q", "e", "w", "d"});
  if (panel.button(tr("Start at this point"), "training.theory-start")) start(frame, context, e_, w_);
  for (std::size_t i = 0; i < frame.shared.runs.size(); ++i) {
    if (!projects(frame.shared.runs[i])) continue;
    panel.heading(frame.shared.runs[i].name());
    for (const char* key : {"verdict", "e", "w", "residual"})
      panel.row(fmt::format("training.runs[{}].canonical.{}", i, key));
  }
}

}  // namespace

std::unique_ptr<RacePage> makeTheoryPage() {
  return std::make_unique<TheoryPage>();
}

}  // namespace sepx::ui

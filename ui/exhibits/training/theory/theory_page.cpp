// SPDX-License-Identifier: Apache-2.0
// The page Theory compares theory with practice. It shows the plane (e, w) of the canonical model with its loss,
// critical sets and separatrix, and the paths of real transformers projected onto the canonical model, each with the
// residual of the projection as a halo and the gradient flow of the theory from the same point as a dashed line. A drag
// shows the gradient flow from the pointer, and its end starts a real transformer there. Frame thread.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/markov/canonical_model.h"
#include "engine/markov/critical_sets.h"
#include "engine/markov/flow.h"
#include "engine/studies/canonical_start.h"
#include "ui/canvas/fitting.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/training/theory/theory_verdict.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/run_charts.h"
#include "ui/runs/projected_path.h"
#include "ui/views/halo_path.h"
#include "ui/views/line_chart.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

constexpr double kHalf = 2;                          // least half side of the plane shown
constexpr double kFarthest = 1e3;                    // largest coordinate of a start
constexpr int kShades = 96;                          // pixels of the loss along a side
constexpr int kBasinPixels = 384;                    // pixels of the basins along a side
constexpr double kWordsShare = 0.3;                  // of the page's height, at most, if the text is below the plane
constexpr double kAspect = 1.25;                     // of the plane beside its text
constexpr double kLeastWords = 17, kMostWords = 32;  // width of a column of text, multiples of the type size
constexpr double kLeastCurves = 14;                  // height, multiples of the type size

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

/// Whether the area is wide enough for text beside the plane. With equal units on both axes, a plane over the whole
/// width would be empty at both sides of the paths.
bool wide(const RaceFrame& frame) {
  return !frame.figure && frame.area.width() > kAspect * frame.area.height() + kLeastWords * frame.theme.textSize;
}

double wordsWidth(const RaceFrame& frame) {
  return std::min(frame.area.width() - kAspect * frame.area.height(), kMostWords * frame.theme.textSize);
}

class TheoryPage final : public RacePage {
 public:
  TheoryPage() : RacePage({"theory", N_("Theory"), "training.theory."}, {.watches = true}) {}
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const RaceShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    if (!projects(shared)) now.title = tr("Theory against practice");
    now.caption = [this, &shared] { return caption(shared); };
    now.gestures = [] {
      return Gestures{{tr("drag in the plane"),
                       tr("see where gradient flow leads from there; the end of the drag starts a real transformer")}};
    };
    return now;
  }
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;

 protected:
  Views views(const RaceFrame& frame) const override;

 private:
  std::string caption(const RaceShared& shared) const;
  markov::Chain chainShown(const RaceShared& shared) const;
  TextContent verdict(const RaceFrame& frame) const;
  PictureContent startPicture(const RaceShared& shared, const markov::Chain& chain, double half) const;
  void start(const RaceShared& shared, ExhibitContext& context, double e, double w) const;
  std::vector<std::string> verdicts(const RaceShared& shared, int parts = kVerdictParts) const;
  std::vector<render::Item> paths(const RaceShared& shared, const PlacedChart& chart, const markov::Chain& chain,
                                  const Theme& theme) const;

  double p_ = 0.5, q_ = 0.8, e_ = 0.4, w_ = 0.25;  ///< of the next start
  int width_ = 8;
};

void TheoryPage::declare(PropertyRegistry& registry, const RaceShared& live) {
  const Condition here = onPages("training.page", "experiments", {"theory"});
  // clang-format off
  declareParameters(registry, {.prefix = "training.theory.", .applies = here}, {
      {.key = "p",
       .into = &TheoryPage::p_, .label = N_("P(0→1)"), .symbol = "p", .min = 0, .max = 1, .open = true, .fallback = 0.5,
       .help = N_("The chain of a transformer that is started on this page; existing runs keep their own.")},
      {.key = "q",
       .into = &TheoryPage::q_, .label = N_("P(1→0)"), .symbol = "q", .min = 0, .max = 1, .open = true, .fallback = 0.8,
       .help = N_("The chain of a transformer that is started on this page; existing runs keep their own.")},
      {.key = "e",
       .into = &TheoryPage::e_, .label = N_("Start"), .symbol = "e", .min = -kFarthest, .max = kFarthest, .digits = 4,
          .fallback = 0.4,
       .help = N_("The initial point of the next real transformer: the scale of the embedding.")},
      {.key = "w",
       .into = &TheoryPage::w_, .label = N_("Start"), .symbol = "w", .min = -kFarthest, .max = kFarthest, .digits = 4,
          .fallback = 0.25,
       .help = N_("The initial point of the next real transformer: the scale of the feed-forward weights.")},
      {.key = "d",
       .into = &TheoryPage::width_, .label = N_("Width"), .kind = Kind::Integer, .min = 2, .max = 512, .fallback = 8.0,
       .help = N_("The width d_model of a transformer that is started here.")}});
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
      {.key = "e", .label = N_("Projected e"), .help = N_("The embedding scale of the run projected onto the "
          "canonical model, at the step shown."),
       .digits = 4, .get = of("canonical_e")},
      {.key = "w", .label = N_("Projected w"), .help = N_("The feed-forward scale of the run projected onto the "
          "canonical model, at the step shown."),
       .digits = 4, .get = of("canonical_w")},
      {.key = "residual", .label = N_("Residual"),
       .help = N_("How far the network is from its projection, relative to the size of its parameters: 0 on the "
           "canonical model, 1 if no part of it is canonical."),
       .digits = 4, .get = of("canonical_residual")}});
  declareReadOuts(registry, {.prefix = "training.runs[].canonical."}, {
      {.key = "verdict", .label = N_("Verdict"),
       .help = N_("The distance of the run's projection at the step shown from the nearest stationary curve of the "
           "canonical model, its loss beside the entropy rate, and where gradient flow from the same point ends."),
       .get = [&live](int index) -> Value {
         if (index < 0 || static_cast<std::size_t>(index) >= live.runs.size()) return {};
         const std::string words = verdictOf(live.runs[static_cast<std::size_t>(index)], live.step);
         return words.empty() ? Value() : Value(words);
       }}});
  // clang-format on
}

void TheoryPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared&) {
  registry.read(document, *this);
}

/// The chain of the first run that has a projection; otherwise that of the next start.
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

/// The verdicts on all runs, beside or below the plane. They are shortened if they would take more than a part of the
/// page.
TextContent TheoryPage::verdict(const RaceFrame& frame) const {
  for (int parts = kVerdictParts; parts > 0; --parts) {
    TextContent text;
    for (std::string& one : verdicts(frame.shared, parts))
      text.lines.push_back({{std::move(one)}});
    const bool beside = wide(frame);
    const double width = beside ? wordsWidth(frame) : frame.area.width() - 2 * frame.theme.space;
    if (heightOf({"", text}, width, frame.theme) <= (beside ? 0.95 : kWordsShare) * frame.area.height()) return text;
  }
  return {.lines = {{{tr("The panel shows the verdict on each run.")}}}};
}

/// Half the side of the plane shown. It contains all paths, but is at most 50.
double halfOf(const RaceShared& shared) {
  double half = kHalf;
  for (const RacingRun& racing : shared.runs) {
    if (!racing.run) continue;
    const ProjectedPath path = projectedPathOf(*racing.run);
    for (std::size_t i = 0; i < path.e.size(); ++i)
      half = std::max(half, 1.1 * std::max(std::abs(path.e[i]), std::abs(path.w[i])));
  }
  return std::min(half, 50.0);
}

PlacedChart planeIn(const ViewPlace& place, double half) {
  LineChart chart;
  chart.x = {.name = "e", .from = -half, .to = half};
  chart.y = {.name = "w", .from = -half, .to = half};
  chart.ground = false;
  chart.equalUnits = true;
  return PlacedChart(std::move(chart), place.box, place.theme);
}

/// The loss in grey below the colours of the basins, as on the plane of Flow. In most of the plane the loss is close to
/// its minimum, so the scale is the square root of the excess over the minimum.
render::Heatmap lossGround(const render::Rect& window, const markov::Chain& chain, const Theme& theme) {
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
  return {.extent = window,
          .width = kShades,
          .height = kShades,
          .values = std::move(values),
          .map = render::ColorMap::Gray,
          .low = 0,
          .high = static_cast<float>(std::sqrt(std::max(high - low, 1e-9))),
          .opacity = theme.dark ? 0.6f : 0.35f};
}

/// The basins from the closed form. All but that of the global minima are hatched.
render::LabelMap basinGround(const render::Rect& window, const markov::Chain& chain, const Theme& theme) {
  constexpr std::pair<dynamics::LimitKind, std::uint8_t> kKinds[] = {{dynamics::LimitKind::GlobalMin, 0},
                                                                     {dynamics::LimitKind::LocalMin, 1},
                                                                     {dynamics::LimitKind::Saddle, 3},
                                                                     {dynamics::LimitKind::LocalMax, 3}};
  render::LabelMap map{.extent = window, .width = kBasinPixels, .height = kBasinPixels, .palette = {{0, 0, 0, 0}}};
  map.hatch = {0};
  for (const auto& [kind, hatch] : kKinds) {
    map.palette.push_back(faded(kindColor(theme, kind), theme.basinOpacity));
    map.hatch.push_back(hatch);
  }
  auto labels = std::make_shared<std::vector<std::uint8_t>>();
  labels->reserve(std::size_t{kBasinPixels} * kBasinPixels);
  for (int row = 0; row < kBasinPixels; ++row) {
    for (int column = 0; column < kBasinPixels; ++column) {
      const auto kind = markov::basinLabel(chain, window.min.x + (column + 0.5) / kBasinPixels * window.width(),
                                           window.max.y - (row + 0.5) / kBasinPixels * window.height());
      const auto* const at =
          std::find_if(std::begin(kKinds), std::end(kKinds), [kind](const auto& one) { return one.first == kind; });
      labels->push_back(at == std::end(kKinds) ? 0 : static_cast<std::uint8_t>(at - std::begin(kKinds) + 1));
    }
  }
  map.labels = std::move(labels);
  return map;
}

std::vector<render::Item> sets(const PlacedChart& chart, const markov::Chain& chain, const Theme& theme) {
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

/// The gradient flow of the theory, dashed.
void addFlow(std::vector<render::Item>& items, const PlacedChart& chart, const markov::Chain& chain, double e, double w,
             render::Color color) {
  const Result<markov::FlowResult> flow = markov::flowFrom(chain, markov::Model::EW, stateOf(e, w), {.points = 200});
  if (!flow) return;
  render::Polyline line;
  line.stroke = {color, 1.5f, render::Dash::Dashed};
  line.space = render::Space::Page;
  for (const markov::State& at : flow->path.theta)
    line.points.push_back(chart.page({at[0], at[1]}));
  items.emplace_back(std::move(line));
}

std::vector<render::Item> TheoryPage::paths(const RaceShared& shared, const PlacedChart& chart,
                                            const markov::Chain& chain, const Theme& theme) const {
  std::vector<render::Item> items;
  // Names do not overlap the markers, including that of the start, or each other.
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
    const render::Color color = runLook(theme, i).color;
    addFlow(items, chart, chain, path.e.front(), path.w.front(), color);
    const std::size_t until = std::max<std::size_t>(1, path.until(shared.step));
    const std::vector<double> halo = path.halo();
    addHaloPath(
        items, chart.camera(),
        {.x = path.e, .y = path.w, .radius = halo, .until = until, .color = color, .name = shared.runs[i].name()},
        theme, &taken);
  }
  return items;
}

/// The marked point with the gradient flow of the theory from it. A drag moves the point, and its end starts a
/// transformer there.
PictureContent TheoryPage::startPicture(const RaceShared& shared, const markov::Chain& chain, double half) const {
  PictureContent made{.of = Digest().add(chain.p, chain.q, half, e_, w_).value()};
  made.draw = [chain, half, now = render::Point{e_, w_}](const ViewPlace& place) {
    const Theme& theme = place.theme;
    const PlacedChart chart = planeIn(place, half);
    const render::Rect& plot = chart.camera().plot;
    std::vector<render::Item> items;
    addFlow(items, chart, chain, now.x, now.y, theme.accent);
    items.emplace_back(
        render::Marker{chart.page(now), render::Shape::Ring, 13, theme.accent, theme.accent, 2, render::Space::Page});
    const std::string text =
        fitting({tr("solid: real transformer, dashed: gradient flow, halo: residual"), tr("drag to start another")},
                "; ", theme.smallSize, plot.width() - 16);
    render::Label label = textAt({plot.min.x + 8, plot.min.y + 12}, text, theme.smallSize, theme.text);
    label.backdrop = faded(theme.surface, 0.92f);
    items.emplace_back(std::move(label));
    return items;
  };
  made.hold = [this, half, &shared](const ViewPlace& place, render::Point at) -> std::optional<PictureGrip> {
    const Camera camera = planeIn(place, half).camera();
    if (!camera.plot.contains(at)) return std::nullopt;
    const auto mark = [camera](Editor& editor, render::Point page) {
      const render::Point to = toData(camera, page);
      editor.replace(editor.document().with("training.theory.e", to.x).with("training.theory.w", to.y));
      return to;
    };
    return PictureGrip{.drag = [mark](Editor& editor, render::Point page, bool) { mark(editor, page); },
                       .cursor = Cursor::Cross,
                       .drop =
                           [this, mark, &shared](ExhibitContext& context, render::Point page) {
                             const render::Point to = mark(context.editor, page);
                             start(shared, context, to.x, to.y);
                           }};
  };
  made.clipped = true;
  return made;
}

Views TheoryPage::views(const RaceFrame& frame) const {
  const RaceShared& shared = frame.shared;
  const markov::Chain chain = chainShown(shared);
  const double half = halfOf(shared);
  const std::uint64_t plane = Digest().add(chain.p, chain.q, half).value();
  const auto grounds = [chain, half](const ViewPlace& place) {
    const render::Rect window = planeIn(place, half).camera().window;
    return std::vector<render::Item>{lossGround(window, chain, place.theme), basinGround(window, chain, place.theme)};
  };
  const auto curves = [chain, half](const ViewPlace& place) { return sets(planeIn(place, half), chain, place.theme); };
  const auto runs = [this, chain, half, &shared](const ViewPlace& place) {
    return paths(shared, planeIn(place, half), chain, place.theme);
  };
  Views made{
      {{"loss", PictureContent{.of = plane, .draw = grounds, .clipped = true}},
       {"plane", PictureContent{.of = plane, .draw = curves}},
       {"paths", PictureContent{.of = Digest().add(plane, contentDigest(shared), documents(), frameKey(frame)).value(),
                                .draw = runs,
                                .clipped = true}},
       {"start", startPicture(shared, chain, half)}},
      {.kind = Arrangement::Kind::Column, .gap = frame.theme.space, .margin = frame.theme.space}};
  made.camera = [this, half](const PageArea& area) {
    const std::optional<render::Rect> box = board().boxOf("plane");
    return box ? planeIn({*box, area.theme}, half).camera() : Camera{flipped(area.area), area.area};
  };
  Arrangement stack{.kind = Arrangement::Kind::Stack};
  for (const View& view : made.views)
    stack.parts.push_back(viewNamed(view.name));
  made.arrangement.parts.push_back(std::move(stack));
  ChartContent losses{makeRunChart(shared, RaceMetric::Loss, frame.theme, true)};
  showSteps(losses, frame);
  made.views.push_back({"losses", std::move(losses)});
  if (!frame.figure) {  // a figure has them in its caption
    made.views.push_back({"verdict", verdict(frame)});
    Arrangement words = asHighAsContent("verdict");
    if (wide(frame)) {
      made.arrangement.kind = Arrangement::Kind::Row;
      Arrangement chart = viewNamed("losses");  // if the text leaves room
      chart.leastHeight = kLeastCurves * static_cast<double>(frame.theme.textSize);
      chart.order = 1;
      words = {.kind = Arrangement::Kind::Column,
               .parts = {std::move(words), std::move(chart)},
               .gap = 2 * frame.theme.space,
               .length = wordsWidth(frame)};
    }
    made.arrangement.parts.push_back(std::move(words));
  }
  return made;
}

void TheoryPage::start(const RaceShared& shared, ExhibitContext& context, double e, double w) const {
  studies::CanonicalStart wanted;
  wanted.chain = chainShown(shared);
  wanted.e = e;
  wanted.w = w;
  wanted.d_model = width_;
  wanted.seed = context.seed;
  Result<train::RunConfig> config = studies::canonicalRun(wanted);
  if (!config) return context.editor.say(config.error().message);
  config->name = fmt::format("({}, {})", shownFixed(e, 2), shownFixed(w, 2));
  shared.addRun(context, {*std::move(config), {}, 0}, AddTo::OwnRuns);
}

std::vector<RacePage::Command> TheoryPage::commands(const RaceShared& shared, const Document& document) {
  std::vector<Command> all = RacePage::commands(shared, document);
  all.push_back({"training.theory-start", tr("Start a real transformer at the marked point"), "", tr("Run"), true,
                 [this, &shared](ExhibitContext& context) { start(shared, context, e_, w_); }});
  return all;
}

void TheoryPage::panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.group(tr("A real transformer"), "training.theory.", {"p", "q", "e", "w", "d"});
  if (panel.button(tr("Start at this point"), "training.theory-start")) start(frame.shared, context, e_, w_);
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

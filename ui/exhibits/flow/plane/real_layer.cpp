// SPDX-License-Identifier: Apache-2.0
// A real transformer beside the flow of theory. When the drag of a point ends, the window's run service starts a run of
// the single-layer transformer of Section 2 at that (e, w), on data of the page's chain. While it trains, its
// projection onto the canonical model is drawn over the plane: the path, the residual as a halo, the flow from the same
// initial point, and the distance between them. Frame thread.
#include "ui/exhibits/flow/plane/real_layer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/markov/chain.h"
#include "engine/markov/flow.h"
#include "engine/render/scene.h"
#include "engine/studies/canonical_start.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/page/requests.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/projected_path.h"
#include "ui/runs/run.h"
#include "ui/runs/runs.h"
#include "ui/runs/state_words.h"
#include "ui/views/halo_path.h"

namespace sepx::ui {

namespace {

/// The latest projection of a run, compared with the flow.
struct RealPlace {
  std::int64_t step = 0;  ///< of the projection
  render::Point at;       ///< (e, w) of the projection
  double residual = 0;    ///< of the projection
  render::Point nearest;  ///< place on the flow's path that is nearest to `at`
  double distance = 0;    ///< from `at` to `nearest`
  double time = 0;        ///< sum of the learning rates
  render::Point then;     ///< where the flow is at that time
  double apart = 0;       ///< distance from `at` to `then`
};

class RealRun {
 public:
  /// Takes over what the run has reported. The flow is integrated once per run, in less than a millisecond. `run` may
  /// be null: there is no run. Returns whether anything changed.
  bool update(const RunPointer& run);

  const RunPointer& run() const { return run_; }
  const ProjectedPath& path() const { return path_; }
  const std::vector<double>& halo() const { return halo_; }  ///< residual * |(e, w)| at each point of path()
  const std::vector<render::Point>& flow() const { return flow_; }
  const std::optional<RealPlace>& place() const { return place_; }  ///< the latest; empty before the first
  std::optional<markov::Chain> chain() const { return chain_; }  ///< of the run's data; empty until its config is read
  std::uint64_t revision() const { return revision_; }

 private:
  void integrate();
  void measure();
  render::Point flowAt(double time) const;

  RunPointer run_;
  std::uint64_t seen_ = 0, revision_ = 0;
  std::optional<markov::Chain> chain_;
  ProjectedPath path_;
  std::vector<double> halo_;
  std::vector<render::Point> flow_;
  std::vector<double> times_;  ///< of flow_
  std::optional<RealPlace> place_;
};

constexpr int kFlowPoints = 400;

/// The point of the segment from a to b that is nearest to p.
render::Point nearestOf(render::Point a, render::Point b, render::Point p) {
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  const double share = length2 > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0, 1.0) : 0;
  return {a.x + share * dx, a.y + share * dy};
}

double between(render::Point a, render::Point b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

}  // namespace

bool RealRun::update(const RunPointer& run) {
  if (run == run_ && (!run || run->revision() == seen_)) return false;
  if (run != run_) {
    run_ = run;
    chain_.reset();
    path_ = {};
    halo_.clear();
    flow_.clear();
    times_.clear();
    place_.reset();
  }
  ++revision_;
  if (!run_) return true;
  seen_ = run_->revision();
  if (flow_.empty() && run_->config()) integrate();
  path_ = projectedPathOf(*run_);
  halo_ = path_.halo();
  measure();
  return true;
}

void RealRun::integrate() {
  const train::RunConfig& config = *run_->config();
  chain_ = markov::Chain{config.data.p, config.data.q};
  const Result<markov::FlowResult> flow = markov::flowFrom(
      *chain_, markov::Model::EW, Eigen::Vector2d(config.initial.e, config.initial.w), {.points = kFlowPoints});
  if (!flow) return;
  times_ = flow->path.t;
  for (const markov::State& theta : flow->path.theta)
    flow_.push_back({theta[0], theta[1]});
}

render::Point RealRun::flowAt(double time) const {
  const auto after = std::upper_bound(times_.begin(), times_.end(), time);
  if (after == times_.end()) return flow_.back();
  if (after == times_.begin()) return flow_.front();
  const auto i = static_cast<std::size_t>(after - times_.begin());
  const double share = (time - times_[i - 1]) / (times_[i] - times_[i - 1]);
  return {flow_[i - 1].x + share * (flow_[i].x - flow_[i - 1].x),
          flow_[i - 1].y + share * (flow_[i].y - flow_[i - 1].y)};
}

void RealRun::measure() {
  place_.reset();
  if (path_.empty() || flow_.empty()) return;
  RealPlace place;
  place.step = static_cast<std::int64_t>(path_.steps.back());
  place.at = {path_.e.back(), path_.w.back()};
  place.residual = path_.residual.back();
  place.nearest = flow_.front();
  place.distance = between(place.at, place.nearest);
  for (std::size_t i = 1; i < flow_.size(); ++i) {
    const render::Point candidate = nearestOf(flow_[i - 1], flow_[i], place.at);
    if (const double distance = between(place.at, candidate); distance < place.distance) {
      place.distance = distance;
      place.nearest = candidate;
    }
  }
  place.time = flowTimeAt(*run_, place.step);
  place.then = flowAt(place.time);
  place.apart = between(place.at, place.then);
  place_ = place;
}

namespace {

constexpr double kPause = 0.4;  // seconds that a point rests before a transformer starts there
constexpr const char* kFolder = "flow.real.folder";

class RealLayer final : public PlaneLayer {
 public:
  RealLayer() : PlaneLayer("flow.show.real") {}
  void declare(PropertyRegistry& registry, const FlowShared&) override;
  void read(const Document& document, const PropertyRegistry& registry, const FlowState& state) override;
  void update(const FlowFrame& frame, ExhibitContext& context) override;
  void views(const FlowFrame& frame, PlaneViews& into) const override;
  void legend(const FlowFrame& frame, std::vector<LegendRow>& rows) const override;
  std::uint64_t contentDigest() const override {
    return Digest().add(real_.revision(), real_.flow().size(), drawn()).value();
  }
  void panel(const FlowFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override { return !due_; }
  bool animating() const override { return due_.has_value(); }
  void numbers(const FlowState& state, Numbers& numbers) const override;
  std::string caption(const FlowState& state) const override;
  std::vector<FlowPage::Command> commands(const Document& document) override;
  std::string status() const override;

 private:
  bool drawn() const { return shown_ && canonical_ && real_.run(); }
  bool trains() const { return real_.run() && real_.run()->here() && real_.run()->trains(); }
  void start(const FlowState& state, ExhibitContext& context, std::size_t point);
  void startSelected(const FlowState& state, ExhibitContext& context);
  void stop(ExhibitContext& context) const;
  void declareRun(PropertyRegistry& registry);
  RunPointer runIn(Runs& runs);

  RealRun real_;
  std::string folder_;
  std::string opened_;  ///< the folder whose run real_ holds
  bool canonical_ = true;
  int width_ = 8;
  double rate_ = 0.01;
  std::int64_t steps_ = 2000, stepsPerFrame_ = 8;
  std::optional<double> due_;  ///< host time at which a run starts at the dropped point
  std::size_t point_ = 0;      ///< index of the dropped point
};

void RealLayer::declare(PropertyRegistry& registry, const FlowShared&) {
  using namespace declaring;
  const char* const where = "Local-to-Global, A.1";
  const Condition shown = both(canonical, whenOn("flow.show.real"));
  // clang-format off
  declareParameters(registry, {.applies = onPlane(canonical), .equation = where}, {
      {.key = "flow.show.real", .label = N_("Real model"), .fallback = false,
       .help = N_("Trains a real transformer from this point: when a moved point is released, the single-layer "
                  "transformer of Section 2 starts at its (e, w), without layer norms, with softmax attention, on "
                  "sequences of 64 bits of the chain p, q of this page, with plain SGD. No parameter is frozen. The "
                  "path drawn is its projection onto the canonical model; the halo is the residual of the projection. "
                  "Moving the point again stops the run, which stays in the library of runs."),
       .formula = "x_n = e\\,b_n\\,\\alpha-\\frac e2\\,\\alpha,\\quad W_1 = \\frac{2|w|}{\\sqrt{r}}\\,1\\,\\alpha^\\top,"
                  "\\quad W_2 = \\frac{2w}{\\sqrt{r}}\\,\\alpha\\,1^\\top"}});
  declareParameters(registry, {.prefix = "flow.real.", .applies = onPlane(shown), .equation = where}, {
      {.key = "d",
       .into = &RealLayer::width_,
       .label = N_("Width"), .symbol = "d", .kind = Kind::Integer, .min = 2, .max = 512, .fallback = 8.0,
       .help = N_("The width d_model of the next real transformer. Theory does not depend on it.")},
      {.key = "rate", .into = &RealLayer::rate_, .label = N_("Learning rate"), .symbol = "η", .min = 1e-5, .max = 1,
       .scale = Scale::Logarithmic, .step = 0.1, .digits = 5, .fallback = 0.01,
       .help = N_("The constant learning rate of the next real transformer. A step of plain SGD corresponds to a time "
                  "η of the network's own gradient flow. That is not the flow of the plane: at first w of the network "
                  "moves an eighth as fast, because w|w| is a product of two matrices of norm 2|w|, and the position "
                  "embeddings move independently."),
       .formula = "t_k = \\sum_{i=1}^{k}\\eta_i,\\qquad \\left(\\frac{dw}{dt}\\right)_{\\mathrm{network}} = "
                  "-\\frac18\\,\\frac{\\partial L}{\\partial w}"},
      {.key = "steps", .into = &RealLayer::steps_, .label = N_("Steps"), .kind = Kind::Integer, .min = 1, .max = 1e6,
       .scale = Scale::Logarithmic, .fallback = 2000.0,
       .help = N_("Number of steps of the next real transformer.")}});
  declareParameters(registry, {.applies = onPlane(shown), .undoable = false, .detail = true}, {
      {.key = kFolder, .into = &RealLayer::folder_, .label = N_("Run folder"), .fallback = "",
       .help = N_("The folder of the run that is drawn over the plane; empty: none."), .file = true}});
  // clang-format on
  declareRun(registry);
}

void RealLayer::declareRun(PropertyRegistry& registry) {
  using namespace declaring;
  const Condition shown = both(canonical, whenOn("flow.show.real"));
  const Getters of([this](int) -> const Run* { return real_.run().get(); });
  const Getters at([this](int) { return real_.place() ? &*real_.place() : nullptr; });
  const Common common{.prefix = "flow.real.", .applies = onPlane(shown), .equation = "Local-to-Global, A.1"};
  // clang-format off
  declareReadOuts(registry, common, {
      {.key = "state", .label = N_("State"),
       .help = N_("What the run does: preparing, running, paused, finished, stopped or failed."),
       .get = of([](const Run& run) { return std::string(train::toString(run.state())); }),
       .words = [](const std::string& word) { return stateWords(word); }},
      {.key = "failure", .label = N_("What is wrong"),
       .help = N_("Why the run stopped or cannot be read; empty if there is no error."),
       .get = of([](const Run& run) { return run.failure(); })},
      {.key = "step", .label = N_("Step"), .help = N_("Number of steps that the run has completed."), .digits = 0,
       .get = of([](const Run& run) { return run.step(); })},
      {.key = "start.e", .label = N_("Initial e"), .help = N_("Initial point of the run."), .digits = 4,
       .get = of([](const Run& run) { return run.config() ? std::optional(run.config()->initial.e) : std::nullopt; })},
      {.key = "start.w", .label = N_("Initial w"), .help = N_("Initial point of the run."), .digits = 4,
       .get = of([](const Run& run) { return run.config() ? std::optional(run.config()->initial.w) : std::nullopt; })},
      {.key = "e", .label = N_("Projected e"), .symbol = "e",
       .help = N_("The embedding scale of the real transformer, projected onto the canonical model."), .digits = 4,
       .get = at([](const RealPlace& place) { return place.at.x; })},
      {.key = "w", .label = N_("Projected w"), .symbol = "w",
       .help = N_("The feed-forward scale of the real transformer, projected onto the canonical model."), .digits = 4,
       .get = at([](const RealPlace& place) { return place.at.y; })},
      {.key = "residual", .label = N_("Residual"),
       .help = N_("How far the network is from its projection, relative to the size of its parameters: 0 on the "
                  "canonical model, 1 if no part of it is canonical."), .digits = 4,
       .get = at(&RealPlace::residual)},
      {.key = "distance", .label = N_("Distance to the path"),
       .help = N_("Distance in (e, w) from the projection to the nearest point of the flow's path from the same "
                  "initial point. Times are not compared."),
       .formula = "\\min_t\\left\\|(e_k,w_k)-\\theta(t)\\right\\|", .digits = 4, .get = at(&RealPlace::distance)},
      {.key = "time", .label = N_("Time"), .symbol = "t",
       .help = N_("The sum of the learning rates of all steps: the time that plain SGD has covered along the gradient "
                  "flow of the network."),
       .formula = "t_k = \\sum_{i=1}^{k}\\eta_i", .digits = 4, .get = at(&RealPlace::time)},
      {.key = "time_distance", .label = N_("Distance at that time"),
       .help = N_("Distance from the projection to the point of the theoretical flow at the same time. The network "
                  "has a different time scale, so the distance is not 0 even on the same path: at first its w moves "
                  "an eighth as fast."),
       .formula = "\\left\\|(e_k,w_k)-\\theta(t_k)\\right\\|", .digits = 4, .get = at(&RealPlace::apart)}});
  // clang-format on
}

void RealLayer::read(const Document& document, const PropertyRegistry& registry, const FlowState& state) {
  shown_ = registry.toggle(document, toggle());
  canonical_ = state.canonical;
  registry.read(document, *this);
  stepsPerFrame_ = stepsPerFrame(document);
}

/// The run in folder_. Runs::open() resolves the folder in the file system, so it is called once, not in every frame.
RunPointer RealLayer::runIn(Runs& runs) {
  if (real_.run() && opened_ == folder_) return real_.run();
  opened_ = folder_;
  return runs.open(folder_);
}

void RealLayer::update(const FlowFrame& frame, ExhibitContext& context) {
  const bool wanted = shown_ && canonical_;
  real_.update(wanted && context.runs && !folder_.empty() ? runIn(*context.runs) : nullptr);
  if (trains() && context.scripted) context.runs->setStepsPerFrame(stepsPerFrame_);
  if (drawn() && context.runs) context.runs->see(*real_.run());
  if (!wanted || frame.held >= 0) due_.reset();
  if (wanted && frame.dropped) {
    due_ = context.seconds + kPause;
    point_ = static_cast<std::size_t>(*frame.dropped);
  }
  if (!due_ || context.seconds < *due_) return;
  due_.reset();
  start(frame.state, context, point_);
}

void RealLayer::stop(ExhibitContext& context) const {
  const RunPointer& run = real_.run();
  if (!context.runs || !run || !run->here()) return;
  if (!run->trains() && run->state() != train::RunState::Paused) return;
  const Result<void> sent = context.runs->send(*run, {train::CommandKind::Stop});
  if (!sent) context.editor.say(sent.error().message);
}

void RealLayer::start(const FlowState& state, ExhibitContext& context, std::size_t point) {
  if (point >= state.points.size()) return;
  if (!context.runs) return context.editor.say(tr("runs are not available here"));
  studies::CanonicalStart wanted;
  wanted.chain = state.chain;
  wanted.e = state.points[point].e;
  wanted.w = state.points[point].w;
  wanted.d_model = width_;
  wanted.seed = context.seed;
  Result<train::RunConfig> config = studies::canonicalRun(wanted);
  if (!config) return context.editor.say(config.error().message);
  config->name = fmt::format("({}, {})", shownFixed(wanted.e, 2), shownFixed(wanted.w, 2));
  config->optimisation.rule.learningRate = rate_;
  config->schedule.steps = steps_;
  stop(context);
  const Result<RunPointer> run = context.runs->start(*config);
  if (!run) return context.editor.say(run.error().message);
  context.editor.replace(context.editor.document().with("flow.show.real", true).with(kFolder, (*run)->folder()));
}

constexpr std::size_t kMostNamed = 200;  // with more points, labels do not avoid their handles and names
constexpr double kBold = 1.14;           // width of a bold name relative to a normal one

/// The boxes of the points' handles and names, in page coordinates.
std::vector<render::Rect> handleBoxes(const FlowFrame& frame) {
  std::vector<render::Rect> boxes;
  if (frame.state.points.size() > kMostNamed) return boxes;
  const double size = frame.theme.smallSize, handle = 0.8 * frame.theme.handleSize;
  for (const FlowPoint& point : frame.state.points) {
    const render::Point at = toPage(frame.camera(), {point.e, point.w});
    boxes.push_back({{at.x - handle, at.y - handle}, {at.x + handle, at.y + handle}});
    const render::Label name =
        nameAt(frame, {point.e, point.w}, point.name, frame.theme.text, frame.theme.handleSize / 2 + 6, true);
    const double width = kBold * textWidth(point.name, size);
    const double left = at.x + name.offset.x - (name.alignX == render::AlignX::Right ? width : 0);
    boxes.push_back(
        {{left - 4, at.y + name.offset.y - 0.75 * size}, {left + width + 4, at.y + name.offset.y + 0.75 * size}});
  }
  return boxes;
}

std::uint64_t pointsDigest(const FlowState& state) {
  Digest digest;
  for (std::size_t i = 0; i < std::min(state.points.size(), kMostNamed + 1); ++i)
    digest.add(state.points[i].e, state.points[i].w, state.points[i].name);
  return digest.value();
}

void RealLayer::views(const FlowFrame& now, PlaneViews& into) const {
  if (!drawn()) return;
  const auto flow = [this](const FlowFrame& frame) {
    std::vector<render::Item> items;
    addLine(items, real_.flow(), {frame.theme.accent, frame.theme.lineWidth, render::Dash::Dashed}, frame);
    return items;
  };
  const auto path = [this](const FlowFrame& frame) {
    std::vector<render::Item> items;
    const Camera camera = frame.camera();
    const render::Color color = frame.theme.accent;
    if (real_.place()) {
      const render::Point at = toPage(camera, real_.place()->at), near = toPage(camera, real_.place()->nearest);
      items.emplace_back(pageLine(at, near, frame.theme.text));
      items.emplace_back(render::Marker{toPage(camera, real_.place()->then), render::Shape::Diamond, 10,
                                        frame.theme.plotBackground, color, 2, render::Space::Page});
    }
    std::string name;
    if (!frame.layout.tiny && real_.place())
      name = trFormat("real, {} from theory", shownFixed(real_.place()->distance, 3));
    std::vector<render::Rect> taken = handleBoxes(frame);
    addHaloPath(items, camera,
                {.x = real_.path().e,
                 .y = real_.path().w,
                 .radius = real_.halo(),
                 .until = real_.path().e.size(),
                 .color = color,
                 .casing = frame.theme.plotBackground,
                 .shade = 0.35f,
                 .name = std::move(name)},
                frame.theme, &taken);
    return items;
  };
  into.add(PlaneLevel::Lines, "real flow", Digest().add(folder_, real_.flow().size()), flow);
  into.add(PlaneLevel::Lines, "real path",
           Digest().add(folder_, real_.revision(), now.layout.tiny, pointsDigest(now.state)), path, false);
}

void RealLayer::legend(const FlowFrame& frame, std::vector<LegendRow>& rows) const {
  if (!drawn()) return;
  rows.push_back(overlay::lineRow(frame.theme.accent, render::Dash::Solid, tr("real transformer, residual as halo")));
  if (!frame.layout.legendOpen) return;
  rows.push_back(overlay::lineRow(frame.theme.accent, render::Dash::Dashed, tr("gradient flow from the same point")));
}

void RealLayer::panel(const FlowFrame& frame, ExhibitContext& context, PagePanel& panel) {
  if (!shown_ || !canonical_) return;
  panel.group(tr("A real transformer"), "flow.real.", {"d", "rate", "steps"});
  const bool any = !frame.state.points.empty();
  if (panel.button(tr("Train from this point"), "flow.real-start", any)) startSelected(frame.state, context);
  panel.sameLine();
  if (panel.button(tr("Stop"), "flow.real-stop", trains())) stop(context);
  if (!real_.run()) {
    panel.sentence(any ? tr("Release a moved point to start a real transformer there.")
                       : tr("Double-click the plane to add a point, then move it."));
    return;
  }
  panel.rows("flow.real.", {"state", "step", "e", "w", "residual", "distance", "time", "time_distance"});
  if (!real_.run()->failure().empty()) panel.sentence(real_.run()->failure());
  const std::optional<markov::Chain> chain = real_.chain();
  if (chain && !(chain->p == frame.state.chain.p && chain->q == frame.state.chain.q))
    panel.sentence(
        trFormat("It was started on the chain p = {}, q = {}. Move the point to start a run on the current chain.",
                 shownProbability(chain->p, 3), shownProbability(chain->q, 3)));
}

void RealLayer::numbers(const FlowState&, Numbers& numbers) const {
  if (!drawn()) return;
  Table table{"real_transformer",
              {numberColumn("step"), numberColumn("e"), numberColumn("w"), numberColumn("residual")}};
  for (std::size_t i = 0; i < real_.path().steps.size(); ++i)
    addRow(table, real_.path().steps[i], real_.path().e[i], real_.path().w[i], real_.path().residual[i]);
  numbers.tables.push_back(std::move(table));
}

std::string RealLayer::caption(const FlowState&) const {
  if (!drawn()) return "";
  return tr(
      "solid with a halo: a real transformer projected onto the plane, with the residual of the projection; dashed: "
      "the gradient flow from the same initial point; diamond: the flow at the same time");
}

void RealLayer::startSelected(const FlowState& state, ExhibitContext& context) {
  if (!state.canonical || state.points.empty())
    return context.editor.say(tr("Add a point to the canonical plane first."));
  start(state, context, static_cast<std::size_t>(std::max(0, state.selected)));
}

std::vector<FlowPage::Command> RealLayer::commands(const Document& document) {
  const bool point = canonical(document) && !document.at("flow.points").empty();
  return {{"flow.real-start", tr("Train a real transformer from this point"), "", tr("Run"), point,
           [this](const FlowPageFrame& frame, ExhibitContext& context) { startSelected(frame.state(), context); }},
          {"flow.real-stop", tr("Stop the real transformer"), "", tr("Run"), trains(),
           [this](ExhibitContext& context) { stop(context); }}};
}

std::string RealLayer::status() const {
  if (!drawn()) return {};
  if (!real_.run()->failure().empty()) return real_.run()->failure();
  return trFormat("real transformer: step {} of {}", real_.run()->step(), real_.run()->steps());
}

}  // namespace

std::unique_ptr<PlaneLayer> makeRealLayer() {
  return std::make_unique<RealLayer>();
}

}  // namespace sepx::ui

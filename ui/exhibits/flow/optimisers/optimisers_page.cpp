// SPDX-License-Identifier: Apache-2.0
// The page of optimisers: its properties, job, panel, exported numbers and caption. optimisers_scene.cpp draws it.
#include "ui/exhibits/flow/optimisers/optimisers_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/properties/formula.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

using namespace declaring;

namespace {

constexpr const char* kOtherBatches = "flow.optimisers.reseed";
constexpr double kMostSeed = 1e6;

}  // namespace

namespace {

using markov::OptimiserKind;
using markov::OptimiserPath;

constexpr const char* kPaper = "Local-to-Global, section 3 and A.3";
constexpr const char* kEuler = "\\theta_{k+1} = \\theta_k-\\eta\\,\\nabla L(\\theta_k)";
constexpr const char* kMomentum = "m_{k+1} &= \\mu\\,m_k+g_k \\\\ \\theta_{k+1} &= \\theta_k-\\eta\\,m_{k+1}";
constexpr const char* kAdam =
    "m_k &= \\beta_1m_{k-1}+(1-\\beta_1)\\,g_k \\\\ v_k &= \\beta_2v_{k-1}+(1-\\beta_2)\\,g_k^2 "
    "\\\\ \\theta_{k+1} &= (1-\\eta\\lambda)\\,\\theta_k-\\eta\\,\\frac{m_k}{1-\\beta_1^k}\\,\\frac{1}{\\sqrt{v_k/"
    "(1-\\beta_2^k)}+\\epsilon}";

Condition here() {
  return onPages({"optimisers"});
}
/// Holds while this optimiser is shown.
Condition whenShown(OptimiserKind kind) {
  return both(here(), whenOn(optimiserKey(kind, "show"), true));
}

// clang-format off
void declareShown(PropertyRegistry& registry) {
  declareParameters(registry, {.applies = here()}, {
      {.key = optimiserKey(OptimiserKind::Flow, "show"), .label = N_("Flow"), .fallback = true,
       .help = N_("The gradient flow itself, at time k times the rate of gradient descent after step k.")},
      {.key = optimiserKey(OptimiserKind::GradientDescent, "show"), .label = N_("GD"), .fallback = true,
       .help = N_("A step along the negative gradient of the population loss, scaled by the learning rate.")},
      {.key = optimiserKey(OptimiserKind::Sgd, "show"), .label = N_("SGD"), .fallback = true,
       .help = N_("Gradient descent on the loss of sampled sequences.")},
      {.key = optimiserKey(OptimiserKind::Momentum, "show"), .label = N_("Momentum"), .fallback = true,
       .help = N_("Gradient descent with a memory of earlier gradients.")},
      {.key = optimiserKey(OptimiserKind::AdamW, "show"), .label = N_("AdamW"), .fallback = true,
       .help = N_("Adam with decoupled weight decay: the step of each coordinate is about as large as the learning "
                  "rate.")}});
}

std::string biasWords(const std::string& key) {
  return key == "exact" ? tr("exact b*") : key == "1" ? std::string(tr("1 step")) : key + tr(" steps");
}

void declareCommon(PropertyRegistry& registry) {
  const auto biasSteps = [](OptimiserRequest& request, const Value& word) {
    request.options.biasSteps = toString(word) == "exact" ? 0 : static_cast<int>(toString(word).front() - '0');
  };
  declareParameters(registry, {.prefix = "flow.optimisers.", .applies = here()}, {
      {.key = "steps",
       .into = {&OptimiserRequest::options, &markov::OptimiserRunOptions::steps},
       .label = N_("Steps"), .kind = Kind::Integer, .min = 1, .max = 20000,
       .scale = Scale::Logarithmic, .step = 10, .fallback = 300.0, .help = N_("Number of steps of each optimiser.")},
      {.key = "batch",
       .into = {&OptimiserRequest::options, &markov::OptimiserRunOptions::batch},
       .label = N_("Batch"), .symbol = "B", .kind = Kind::Integer, .min = 1, .max = 4096,
       .scale = Scale::Logarithmic, .fallback = 16.0,
       .help = N_("Sequences in one batch. Every optimiser that samples sees the same batch at the same step.")},
      {.key = "length",
       .into = {&OptimiserRequest::options, &markov::OptimiserRunOptions::length},
       .label = N_("Length"), .symbol = "N", .kind = Kind::Integer, .min = 1, .max = 16384,
       .scale = Scale::Logarithmic, .fallback = 64.0,
       .help = N_("Predictions in one sequence; its first symbol is drawn from the stationary distribution.")},
      {.key = "seed",
       .into = {&OptimiserRequest::options, &markov::OptimiserRunOptions::seed},
       .label = N_("Seed"), .kind = Kind::Integer, .max = 1e6, .fallback = 0.0,
       .help = N_("The same seed draws the same sequences on every machine.")},
      {.key = "bias",
       .into = Into::by<OptimiserRequest>(biasSteps),
       .label = N_("Bias"), .symbol = "b", .choices = {"exact", "1", "2", "5"},
       .help = N_("After every step the bias is set to the best one, as in the theory, or takes this number of steps."),
       .equation = kPaper, .errata = {"l2g-16"}, .choiceLabel = biasWords},
      {.key = "log-steps", .into = &OptimisersState::logSteps, .label = N_("Log step axis"), .fallback = false,
       .help = N_("Logarithmic axis of steps, which shows the first steps in detail.")}});
}

void declareRates(PropertyRegistry& registry) {
  constexpr const char* kNames[] = {N_("Time per step"), N_("GD: rate"), N_("SGD: rate"), N_("Momentum: rate"),
                                    N_("AdamW: rate")};
  for (const markov::OptimiserSettings& settings : markov::usualOptimisers()) {
    const OptimiserKind kind = settings.kind;
    declareParameters(registry, {.applies = whenShown(kind)}, {
        {.key = optimiserKey(kind, "rate"), .label = kNames[static_cast<std::size_t>(kind)], .symbol = "η",
         .min = 1e-4, .max = 10, .scale = Scale::Logarithmic, .digits = 4, .fallback = settings.rule.learningRate,
         .help = kind == OptimiserKind::Flow ? N_("Time of the flow that one step of the chart represents.")
                                      : N_("Learning rate: the size of a step."),
         .formula = kind == OptimiserKind::Momentum ? kMomentum : kind == OptimiserKind::AdamW ? kAdam : kEuler}});
  }
}

void declareRules(PropertyRegistry& registry) {
  const char* const forgets = N_("Decay rates of the running means of the gradient and of its square.");
  const char* const samples = N_("Uses the gradient of a batch of sequences in place of the population gradient.");
  declareParameters(registry, {.applies = whenShown(OptimiserKind::Momentum)}, {
      {.key = optimiserKey(OptimiserKind::Momentum, "mu"), .label = N_("Momentum"), .symbol = "μ", .max = 0.999, .fallback = 0.9,
       .help = N_("Share of the previous step that is kept."), .formula = kMomentum},
      {.key = optimiserKey(OptimiserKind::Momentum, "nesterov"), .label = N_("Nesterov"), .fallback = false,
       .help = N_("Nesterov momentum: the gradient as if it were evaluated one step ahead.")}});
  declareParameters(registry, {.applies = whenShown(OptimiserKind::AdamW)}, {
      {.key = optimiserKey(OptimiserKind::AdamW, "beta1"), .label = N_("AdamW"), .symbol = "β₁", .max = 0.99999, .fallback = 0.9,
       .help = forgets, .formula = kAdam},
      {.key = optimiserKey(OptimiserKind::AdamW, "beta2"), .label = N_("AdamW"), .symbol = "β₂", .max = 0.99999, .digits = 4,
       .fallback = 0.999, .help = forgets, .formula = kAdam},
      {.key = optimiserKey(OptimiserKind::AdamW, "decay"), .label = N_("Decay"), .symbol = "λ", .fallback = 0.0,
       .help = N_("Decoupled: both coordinates shrink by this share times the rate at every step."),
       .formula = kAdam}});
  declareParameters(registry, {.applies = whenShown(OptimiserKind::Momentum)}, {
      {.key = optimiserKey(OptimiserKind::Momentum, "sampled"), .label = N_("Momentum: on samples"), .fallback = false,
       .help = samples}});
  declareParameters(registry, {.applies = whenShown(OptimiserKind::AdamW)}, {
      {.key = optimiserKey(OptimiserKind::AdamW, "sampled"), .label = N_("AdamW: on samples"), .fallback = false,
       .help = samples}});
}

std::string pointText(const markov::State& at) {
  return "(" + formulaNumber(at[0]) + ",\\," + formulaNumber(at[1]) + ")";
}

/// The read-outs of one optimiser. `path` returns its path.
template <class Path>
std::vector<ReadOut> readings(const Path& path) {
  return {
      {.key = "basin", .label = N_("in the basin of"),
       .help = N_("The kind of limit of gradient flow from the last point, by Theorems 2 and 8."), .digits = 0,
       .get = path([](const OptimiserPath& p) { return markov::limitName(p.label.back()); }), .words = labelWords},
      {.key = "loss", .label = N_("loss"), .symbol = "L", .unit = "nats",
       .help = N_("Population loss at the last point, with the bias that the optimiser has there."),
       .formula = "L(e_K,w_K,b_K)", .withNumbers = path.text([](const OptimiserPath& p) {
         return "L" + pointText(p.last()) + " = " + formulaNumber(p.loss.back());
       }),
       .get = path([](const OptimiserPath& p) { return p.loss.back(); })},
      {.key = "left", .label = N_("leaves at step"),
       .help = N_("First step whose point is not in the basin of the initial point; empty if there is none."),
       .formula = "\\min\\left\\{k:\\ (e_k,w_k)\\notin\\mathcal{I}(e_0,w_0)\\right\\}",
       .withNumbers = path.text([](const OptimiserPath& p) {
         if (!p.leftAt) return std::string();
         return "k = " + formulaNumber(*p.leftAt, 0) + ":\\ " + pointText(p.theta[static_cast<std::size_t>(*p.leftAt)]);
       }),
       .digits = 0, .get = path(&OptimiserPath::leftAt)},
      {.key = "farthest", .label = N_("orbit error"),
       .help = N_("Largest distance of a point of the path from the orbit of the flow."),
       .formula = "\\max_k\\,\\min_t\\,|\\theta_k-\\theta(t)|",
       .withNumbers = path.text([](const OptimiserPath& p) { return "= " + formulaNumber(p.farthest); }),
       .digits = 4, .get = path(&OptimiserPath::farthest)},
      {.key = "behind", .label = N_("global error"),
       .help = N_("Largest distance between step k and the flow at time k times the rate. For gradient descent it "
                  "halves when the rate is halved. Momentum and AdamW have no such time."),
       .formula = "\\max_k\\,|\\theta_k-\\theta(k\\eta)|",
       .withNumbers = path.text([](const OptimiserPath& p) { return p.behind ? "= " + formulaNumber(*p.behind) : ""; }),
       .digits = 4, .get = path(&OptimiserPath::behind), .detail = true},
      {.key = "gradient", .label = N_("gradient"),
       .help = N_("Norm of the population gradient at the last point. Above 0.0001 the optimiser has not converged."),
       .formula = "|\\nabla L(e_K,w_K)|",
       .withNumbers = path.text([](const OptimiserPath& p) { return "= " + formulaNumber(p.endGradient, 9); }),
       .get = path(&OptimiserPath::endGradient), .detail = true}};
}

void declareResults(PropertyRegistry& registry, const OptimiserPage& page) {
  const Getters run([&page](int) { return page.result(); });
  declareReadOuts(registry, {.applies = here()}, {
      {.key = "flow.optimisers.basin", .label = N_("Limit of the flow"),
       .help = N_("The kind of limit that gradient flow reaches from the initial point."),
       .equation = "Local-to-Global, Theorems 2 and 8",
       .get = run([](const markov::OptimiserRun& of) { return markov::limitName(of.basin); }), .words = labelWords}});
  for (const OptimiserKind kind : kAllOptimisers) {
    std::vector<ReadOut> rows = readings(Getters([&page, kind](int) { return page.path(kind); }));
    if (kind == OptimiserKind::Flow) std::erase_if(rows, [](const ReadOut& row) { return row.key == "behind"; });
    declareReadOuts(registry, {.prefix = optimiserKey(kind, ""), .applies = whenShown(kind),
                               .subject = [kind] { return optimiserWords(kind, true); }}, std::move(rows));
  }
}
// clang-format on

}  // namespace

void OptimiserPage::declare(PropertyRegistry& registry, const FlowShared&) {
  declareShown(registry);
  declareCommon(registry);
  declareRates(registry);
  declareRules(registry);
  declareResults(registry, *this);
}

std::unique_ptr<FlowPage> makeOptimiserPage(const FlowShared&) {
  return std::make_unique<OptimiserPage>();
}

void OptimiserPage::readOptions(const Document& document, const PropertyRegistry& registry, const FlowState& state) {
  state_ = readOptimisersState(document, registry, state, start_, seed_);
}

void OptimiserPage::updateResult(ExhibitContext& context) {
  result_.refresh(context.jobs);
  if (!state_.request) {
    result_.clear();
    return;
  }
  result_.request(context.jobs, *state_.request, tr("optimisers"), [](const OptimiserRequest& request, auto& output) {
    markov::State theta0(2);
    theta0 << request.e, request.w;
    return markov::runOptimisers({request.p, request.q}, theta0, request.options, [&output](double share) {
      output.progress(share);
      return !output.cancelled();
    });
  });
}

std::vector<std::vector<render::Point>> OptimiserPage::places() const {
  std::vector<std::vector<render::Point>> all;
  for (const markov::OptimiserPath& path : result()->paths)
    all.push_back(planePlaces(path.theta));
  return all;
}

const markov::OptimiserPath* OptimiserPage::path(markov::OptimiserKind kind) const {
  if (!result()) return nullptr;
  for (const markov::OptimiserPath& path : result()->paths)
    if (path.settings.kind == kind) return &path;
  return nullptr;
}

void OptimiserPage::panel(const FlowPageFrame&, ExhibitContext&, PagePanel& panel) {
  panel.group(tr("Run"), "flow.optimisers.", {"steps", "batch", "length", "seed", "bias", "log-steps", "basin"});
  for (const markov::OptimiserKind kind : kAllOptimisers) {
    panel.heading(optimiserWords(kind));
    panel.rows(optimiserKey(kind, ""), {"show", "rate", "mu", "nesterov", "beta1", "beta2", "decay", "sampled", "basin",
                                        "loss", "left", "farthest"});
  }
  if (const std::string why = failure(); !why.empty()) panel.sentence(sentenceCase(why));
  panel.group(tr("Plane"), "flow.show.", {"basin", "critical", "separatrix"});
}

Numbers OptimiserPage::numbers(const FlowShared&) const {
  Numbers numbers;
  if (!result()) return numbers;
  Table steps{"race",
              {textColumn("optimiser"), numberColumn("step"), numberColumn("e"), numberColumn("w"), numberColumn("b"),
               numberColumn("loss", "nats"), numberColumn("energy"), textColumn("basin")}};
  Table ends{"ends",
             {textColumn("optimiser"), textColumn("basin"), numberColumn("left_basin_at_step"),
              numberColumn("farthest_from_orbit")}};
  for (const markov::OptimiserPath& path : result()->paths) {
    const std::string_view name = markov::optimiserName(path.settings.kind);
    for (std::size_t k = 0; k < path.theta.size(); ++k)
      addRow(steps, name, static_cast<double>(k), path.theta[k][0], path.theta[k][1], path.bias[k], path.loss[k],
             path.energy[k], markov::limitName(path.label[k]));
    addRow(ends, name, markov::limitName(path.label.back()), path.leftAt, path.farthest);
  }
  numbers.tables = {std::move(steps), std::move(ends)};
  return numbers;
}

std::string OptimiserPage::caption(const FlowShared&) const {
  if (!result()) return tr("Optimisers from one point: no initial point is selected.");
  std::string text = startCaption(N_("Optimisers from"), startPlace(), request().p, request().q) + ": " +
                     kindWords(result()->basin) + ".";
  for (const markov::OptimiserPath& path : result()->paths) {
    text += " " + optimiserWords(path.settings.kind) + " (η = " + formatShortest(path.settings.rule.learningRate) +
            "): " +
            (path.end == markov::OptimiserEnd::Diverged ? std::string(tr("diverged")) : kindWords(path.label.back()));
    text += path.leftAt ? fmt::format(", {} {}.", tr("leaves the basin of the flow at step"), *path.leftAt) : ".";
  }
  return text;
}

std::string OptimiserPage::status(const FlowShared&) const {
  if (result_.pending()) return tr("optimisers: running");
  return result() ? fmt::format("{}: {} {}", tr("optimisers"), request().options.steps, tr("steps")) : std::string();
}

std::vector<FlowPage::Command> OptimiserPage::commands(const FlowShared&, const Document&) {
  const auto draw = [](ExhibitContext& context) {
    const double seed = context.editor.properties().real(context.editor.document(), "flow.optimisers.seed");
    setAsStep(context.editor, "flow.optimisers.seed", std::fmod(seed + 1, kMostSeed));
  };
  return {{kOtherBatches, tr("Draw other batches"), "N", tr("Exhibit"), result() != nullptr, draw}};
}

namespace {

using markov::OptimiserKind;

markov::OptimiserSettings readSettings(const Document& document, const PropertyRegistry& registry,
                                       markov::OptimiserSettings settings) {
  const auto number = [&](const char* member) { return registry.real(document, optimiserKey(settings.kind, member)); };
  const auto toggle = [&](const char* member) {
    return registry.toggle(document, optimiserKey(settings.kind, member));
  };
  nn::OptimiserOptions& rule = settings.rule;
  rule.learningRate = number("rate");
  if (settings.kind == OptimiserKind::Momentum) {
    rule.momentum = number("mu");
    rule.nesterov = rule.momentum > 0 && toggle("nesterov");
    settings.sampled = toggle("sampled");
  } else if (settings.kind == OptimiserKind::AdamW) {
    rule.beta1 = number("beta1");
    rule.beta2 = number("beta2");
    rule.weightDecay = number("decay");
    settings.sampled = toggle("sampled");
  }
  return settings;
}

}  // namespace

OptimisersState readOptimisersState(const Document& document, const PropertyRegistry& registry, const FlowState& state,
                                    const std::optional<std::size_t>& start, std::uint64_t seed) {
  OptimisersState read;
  registry.read(document, read);
  OptimiserRequest request;
  registry.read(document, request);
  request.options.optimisers.clear();
  for (const markov::OptimiserSettings& usual : markov::usualOptimisers()) {
    const bool shown = registry.toggle(document, optimiserKey(usual.kind, "show"));
    if (shown) request.options.optimisers.push_back(readSettings(document, registry, usual));
  }
  if (!start || request.options.optimisers.empty()) return read;
  request.p = state.chain.p;
  request.q = state.chain.q;
  request.e = state.points[*start].e;
  request.w = state.points[*start].w;
  request.options.seed |= seed << 32;
  read.request = request;
  return read;
}

std::string optimiserKey(OptimiserKind kind, const char* member) {
  return "flow.optimisers." + std::string(markov::optimiserName(kind)) + "." + member;
}

std::string optimiserWords(OptimiserKind kind, bool brief) {
  switch (kind) {
    case OptimiserKind::Flow:
      return brief ? tr("flow") : tr("Gradient flow");
    case OptimiserKind::GradientDescent:
      return brief ? tr("GD") : tr("Gradient descent");
    case OptimiserKind::Sgd:
      return brief ? tr("SGD") : tr("SGD on sampled chains");
    case OptimiserKind::Momentum:
      return brief ? tr("momentum") : tr("Momentum");
    case OptimiserKind::AdamW:
      return "AdamW";
  }
  return {};
}

ChartLook optimiserLook(const Theme& theme, OptimiserKind kind) {
  using render::Dash;
  switch (kind) {
    case OptimiserKind::Flow:
      return {theme.text, Dash::Solid, theme.strongLine + 1};
    case OptimiserKind::GradientDescent:
      return {theme.attractor, Dash::Dashed, theme.lineWidth + 0.5f};
    case OptimiserKind::Sgd:
      return {theme.localMax, Dash::Dotted, theme.strongLine};
    case OptimiserKind::Momentum:
      return {theme.saddle, Dash::Solid, theme.lineWidth + 0.5f};
    case OptimiserKind::AdamW:
      return {theme.globalMin, Dash::Dashed, theme.lineWidth + 0.5f};
  }
  return {theme.text};
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The page of the free bias: its properties, job, panel, exported numbers and sentences. bias_scene.cpp draws it.
#include "ui/exhibits/flow/bias/bias_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/properties/formula.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

using namespace declaring;

namespace {

constexpr int kSurveySteps = 6000;  // least number for the survey: most starts come to rest within them

/// The number of decimals that distinguish two numbers with this difference, plus one; from 3 to 9.
int digitsApart(double difference) {
  const double size = std::abs(difference);
  if (!(size > 0)) return 3;
  return std::clamp(1 - static_cast<int>(std::floor(std::log10(size))), 3, 9);
}

int biasStepsOf(BiasKind kind, int own) {
  switch (kind) {
    case BiasKind::Two:
      return 2;
    case BiasKind::Five:
      return 5;
    case BiasKind::Own:
      return own;
    case BiasKind::Exact:
      return 0;
    default:
      return 1;
  }
}

BiasResult compute(const BiasRequest& request, ThreadPool& pool, LaneOutput<BiasResult>& output) {
  BiasResult result;
  result.request = request;
  markov::State theta0(request.attention ? 3 : 2);
  theta0[0] = request.e;
  theta0[1] = request.w;
  if (request.attention) theta0[2] = request.a;
  const markov::Chain chain{request.p, request.q};
  const double part = request.survey ? 0.5 : 1;
  Result<markov::BiasComparison> comparison =
      markov::compareBias(chain, request.attention ? markov::Model::EWA : markov::Model::EW, theta0, request.m,
                          request.options, [&](double share) {
                            output.progress(part * share);
                            return !output.cancelled();
                          });
  if (!comparison) {
    result.failure = comparison.error().message;
    return result;
  }
  result.comparison = std::make_shared<const markov::BiasComparison>(std::move(*comparison));
  if (!request.survey || chain.degenerate()) return result;
  markov::BiasOptions options = request.options;
  options.steps = std::max(options.steps, kSurveySteps);
  const auto surveyed = [&](int m) -> std::optional<markov::BiasSurvey> {
    const Result<markov::BiasSurvey> survey =
        markov::surveyBias(chain, request.sigma, request.starts, m, request.seed, options, pool,
                           [&output] { return !output.cancelled(); });
    return survey ? std::optional(*survey) : std::nullopt;
  };
  result.survey = surveyed(request.surveySteps);
  output.progress(0.75);
  result.exactSurvey = surveyed(0);
  return result;
}

}  // namespace

const char* biasWord(BiasKind kind) {
  constexpr const char* kWords[] = {"free", "m1", "m2", "m5", "own", "exact"};
  return kWords[static_cast<std::size_t>(kind)];
}

namespace {

using markov::BiasPath;

constexpr const char* kPaper = "Local-to-Global, section 3 and A.3";
constexpr const char* kErratum = "l2g-16";
constexpr const char* kSteps =
    "\\theta_{k+1} &= \\theta_k-\\eta\\,\\frac{\\partial L}{\\partial\\theta}(\\theta_k,b_{k,0}) \\\\ b_{k,i+1} &= "
    "b_{k,i}-\\eta\\,\\frac{\\partial L}{\\partial b}(\\theta_{k+1},b_{k,i}),\\quad i<m \\\\ b_{k+1,0} &= b_{k,m}";
constexpr const char* kFreeFlow =
    "\\frac{d\\theta}{dt} &= -\\frac{\\partial L}{\\partial\\theta}(\\theta,b) \\\\ \\frac{db}{dt} &= "
    "-\\frac{\\partial L}{\\partial b}(\\theta,b)";

Condition here() {
  return onPages({"bias"});
}
std::string showKey(BiasKind kind) {
  return std::string("flow.bias.show.") + biasWord(kind);
}
bool shownAtFirst(BiasKind kind) {
  return kind != BiasKind::Own;
}
Condition whenShown(BiasKind kind) {
  return both(here(), whenOn(showKey(kind), shownAtFirst(kind)));
}

// clang-format off
void declareShown(PropertyRegistry& registry) {
  const auto steps = [](BiasKind kind, const char* label, const char* help) {
    const auto show = [kind](BiasState& state, const Value& on) {
      state.shown[static_cast<std::size_t>(kind)] = isTrue(on);
    };
    return Property{.key = showKey(kind), .into = Into::by<BiasState>(show),
                    .label = label, .fallback = shownAtFirst(kind), .help = help,
                    .formula = kind == BiasKind::Free ? kFreeFlow : kSteps};
  };
  declareParameters(registry, {.applies = here(), .equation = kPaper, .errata = {kErratum}}, {
      steps(BiasKind::Free, N_("Free flow"),
            N_("The flow of the loss in which the bias is a parameter like the others.")),
      steps(BiasKind::One, N_("1 bias step"),
            N_("After every step of e and w the bias takes one step of the same size.")),
      steps(BiasKind::Two, N_("2 bias steps"),
            N_("After every step of e and w the bias takes two steps of the same size: the additional step of the "
               "paper.")),
      steps(BiasKind::Five, N_("5 bias steps"),
            N_("After every step of e and w the bias takes five steps of the same size.")),
      steps(BiasKind::Own, N_("m bias steps"),
            N_("After every step of e and w the bias takes the number of steps set below.")),
      steps(BiasKind::Exact, N_("Exact bias"),
            N_("After every step of e and w the bias is set to the best one, which the theory assumes."))});
}

void declareNumbers(PropertyRegistry& registry) {
  const Condition surveyed = whenOn("flow.bias.survey");
  declareParameters(registry, {.prefix = "flow.bias.", .applies = here()}, {
      {.key = "model",
       .into = &BiasRequest::attention,
       .label = N_("Model"), .options = {{"ewb", "(e, w, b)"}, {"ewab", "(e, w, a, b)"}},
       .help = N_("Whether the attention scalar a is a parameter too; the plane then shows e and w of the path."),
       .equation = "Local-to-Global, A.2"},
      {.key = "m",
       .into = &BiasState::own, .label = N_("Bias steps"), .symbol = "m", .kind = Kind::Integer, .min = 1, .max = 200,
       .fallback = 10.0,
       .help = N_("Number of bias steps after every step of e and w. With more steps the bias is closer to the exact "
                  "one."),
       .formula = kSteps, .applies = whenShown(BiasKind::Own)},
      {.key = "rate",
       .into = {&BiasRequest::options, &markov::BiasOptions::learningRate},
       .label = N_("Rate"), .symbol = "η", .min = 1e-3, .max = 5, .scale = Scale::Logarithmic,
       .fallback = 0.1,
       .help = N_("Learning rate of e, w and the bias. One step corresponds to this much time of the flow."),
       .formula = kSteps},
      {.key = "steps",
       .into = {&BiasRequest::options, &markov::BiasOptions::steps},
       .label = N_("Steps"), .kind = Kind::Integer, .min = 1, .max = 20000,
       .scale = Scale::Logarithmic, .step = 10, .fallback = 400.0,
       .help = N_("Number of steps of e and w. The charts end at the time steps × rate.")},
      {.key = "survey", .into = &BiasRequest::survey, .label = N_("Many points"), .fallback = false,
       .help = N_("Draws initial points with the σ of the Gaussian cloud and counts those whose kind of limit differs "
                  "from the theory."),
       .errata = {kErratum}},
      {.key = "starts",
       .into = &BiasRequest::starts, .label = N_("Points"), .kind = Kind::Integer, .min = 10, .max = 5000,
       .scale = Scale::Logarithmic, .step = 10, .fallback = 400.0, .help = N_("Number of initial points that are drawn."),
       .applies = surveyed},
      {.key = "survey-m",
       .into = &BiasRequest::surveySteps,
       .label = N_("Bias steps"), .symbol = "m", .kind = Kind::Integer, .max = 50, .fallback = 2.0,
       .help = N_("Bias steps after every step, for all of these points: 2 with the additional step of the paper, 1 "
                  "without it; 0 is the exact bias."),
       .applies = surveyed}});
}

/// The read-outs of one kind of bias. `path` returns its path.
template <class Path>
std::vector<ReadOut> readings(const Path& path) {
  return {
      {.key = "end", .label = N_("ends in"),
       .help = N_("The kind of limit that the flow with this bias reaches from the last point. For the exact bias it "
                  "is given by Theorems 2 and 8."),
       .get = path([](const BiasPath& p) { return p.diverged ? Value() : valueOf(markov::limitName(p.kind)); }),
       .words = labelWords},
      {.key = "energy", .label = N_("energy"), .symbol = "ΔE",
       .help = N_("Energy at the last point minus energy at the initial point. It is 0 on the orbit of the theory; "
                  "with a free bias the energy is not conserved."),
       .formula = "\\Delta E = E(\\theta_K)-E(\\theta_0),\\quad E = e^2-\\left(w^2+\\sgn(w)\\,\\log|w|\\right)-2a^2",
       .withNumbers = path.text([](const BiasPath& p) -> std::string {
         if (p.energy.empty() || !std::isfinite(p.energyChange)) return {};
         return "\\Delta E = " + formulaNumber(p.energy.back()) + "-" + formulaFactor(p.energy.front()) + " = " +
                formulaNumber(p.energyChange);
       }),
       .get = path(&BiasPath::energyChange)},
      {.key = "distance", .label = N_("endpoint error"),
       .help = N_("Distance between the last point and the limit of the theory."),
       .formula = "|\\theta_K-\\theta_\\infty|",
       .withNumbers = path.text([](const BiasPath& p) {
         return p.endDistance ? "= " + formulaNumber(*p.endDistance) : "";
       }),
       .get = path(&BiasPath::endDistance)},
      {.key = "farthest", .label = N_("orbit error"),
       .help = N_("Largest distance of a point of the path from the theory's orbit between initial point and limit."),
       .formula = "\\max_k\\,\\min_t\\,|\\theta_k-\\theta(t)|",
       .withNumbers = path.text([](const BiasPath& p) { return "= " + formulaNumber(p.farthest); }),
       .get = path(&BiasPath::farthest)},
      {.key = "offset", .label = N_("bias error"), .help = N_("Largest distance of the bias from the best one."),
       .formula = "\\max_k\\,|b_k-b_\\star(\\theta_k)|",
       .withNumbers = path.text([](const BiasPath& p) { return "= " + formulaNumber(p.largestOffset); }),
       .get = path(&BiasPath::largestOffset), .detail = true}};
}

void declareResults(PropertyRegistry& registry, const BiasPage& page) {
  const Getters theory([&page](int) { return page.result().comparison.get(); });
  declareReadOuts(registry, {.applies = here()}, {
      {.key = "flow.bias.theory.end", .label = N_("Limit by theory"),
       .help = N_("The kind of limit of the flow with the best bias from this initial point."),
       .equation = "Local-to-Global, Theorems 2 and 8",
       .get = theory([](const markov::BiasComparison& of) { return markov::limitName(of.kind); }),
       .words = labelWords}});
  for (const BiasKind kind : kBiasKinds) {
    std::vector<ReadOut> rows = readings(Getters([&page, kind](int) { return page.path(kind); }));
    for (ReadOut& row : rows)
      row.digits = 4;
    declareReadOuts(registry, {.prefix = std::string("flow.bias.") + biasWord(kind) + ".", .applies = whenShown(kind),
                               .equation = kPaper, .errata = {kErratum},
                               .subject = [&page, kind] { return biasName(kind, page.state().own); }},
                    std::move(rows));
  }
}

void declareSurvey(PropertyRegistry& registry, const BiasPage& page) {
  using Survey = markov::BiasSurvey;
  const auto at = [](const std::optional<Survey>& survey) { return survey ? &*survey : nullptr; };
  const Getters survey([&page, at](int) { return at(page.result().survey); });
  const Getters exact([&page, at](int) { return at(page.result().exactSurvey); });  // of the same starts
  declareReadOuts(registry, {.prefix = "flow.bias.many.", .applies = both(here(), whenOn("flow.bias.survey")),
                             .equation = kPaper, .errata = {kErratum}}, {
      {.key = "other", .label = N_("Different limit"),
       .help = N_("Initial points whose kind of limit differs from the theory."), .digits = 0,
       .get = survey(&Survey::otherEnd)},
      {.key = "other-exact", .label = N_("Exact bias"),
       .help = N_("The same count with the exact bias: the effect of the step size alone."), .digits = 0,
       .get = exact(&Survey::otherEnd)},
      {.key = "unsettled", .label = N_("Still moving"),
       .help = N_("Initial points whose paths had not come to rest after all steps, at least 6,000; they are not counted."),
       .digits = 0, .get = survey(&Survey::unsettled)},
      {.key = "distance", .label = N_("Endpoint error"),
       .help = N_("Median distance from the limit of the theory, over the points that end at the same kind of limit."),
       .digits = 4, .get = survey(&Survey::medianDistance)},
      {.key = "energy", .label = N_("Energy error"),
       .help = N_("Median absolute change of energy, over the points that end at the same kind of limit."),
       .digits = 4, .get = survey(&Survey::medianEnergy)}});
}
// clang-format on

}  // namespace

void BiasPage::declare(PropertyRegistry& registry, const FlowShared&) {
  declareShown(registry);
  declareNumbers(registry);
  declareResults(registry, *this);
  declareSurvey(registry, *this);
}

std::unique_ptr<FlowPage> makeBiasPage(const FlowShared&) {
  return std::make_unique<BiasPage>();
}

void BiasPage::readOptions(const Document& document, const PropertyRegistry& registry, const FlowState& state) {
  state_ = {};
  registry.read(document, state_);
  BiasRequest request;
  registry.read(document, request);
  for (const BiasKind kind : kBiasKinds)
    if (state_.shown[static_cast<std::size_t>(kind)] && kind != BiasKind::Free)
      request.m.push_back(biasStepsOf(kind, state_.own));
  request.attention = start_ && request.attention;
  ground_.setBare(request.attention);
  if (!start_) return;
  const FlowPoint& point = state.points[*start_];
  request.p = state.chain.p;
  request.q = state.chain.q;
  request.e = point.e;
  request.w = point.w;
  request.a = request.attention ? point.a : 0;
  if (request.survey) {
    request.sigma = state.sigma;
    request.seed = static_cast<std::uint64_t>(state.seed) | seed_ << 32;
  } else {
    request.starts = BiasRequest{}.starts;
    request.surveySteps = BiasRequest{}.surveySteps;
  }
  state_.request = request;
}

void BiasPage::updateResult(ExhibitContext& context) {
  result_.refresh(context.jobs);
  if (!state_.request) {
    result_.clear();
    return;
  }
  result_.request(
      context.jobs, *state_.request, tr("bias steps"),
      [&pool = context.pool](const BiasRequest& request, auto& output) { return compute(request, pool, output); });
}

std::vector<std::vector<render::Point>> BiasPage::places() const {
  std::vector<std::vector<render::Point>> all{planePlaces(result().comparison->orbit)};
  for (const markov::BiasPath& path : result().comparison->paths)
    all.push_back(planePlaces(path.theta));
  return all;
}

const markov::BiasPath* BiasPage::path(BiasKind kind) const {
  if (!result().comparison || !state_.shown[static_cast<std::size_t>(kind)]) return nullptr;
  const std::vector<markov::BiasPath>& paths = result().comparison->paths;
  if (kind == BiasKind::Free) return paths.empty() ? nullptr : &paths.front();
  // The paths with bias steps come after the free flow, in the order in which they were requested.
  const std::vector<int>& m = result().request.m;
  const int wanted = biasStepsOf(kind, state_.own);
  for (std::size_t i = 0; i < m.size() && i + 1 < paths.size(); ++i)
    if (m[i] == wanted) return &paths[i + 1];
  return nullptr;
}

std::vector<std::string> BiasPage::sentences() const {
  std::vector<std::string> all;
  if (!result().comparison) return all;
  const markov::BiasComparison& comparison = *result().comparison;
  if (result().request.attention)
    all.emplace_back(
        tr("The plane shows the projections of the paths in (e, w, a); the basins and exact sets of the plane hold "
           "for a = 0 and are not drawn."));
  if (std::string words = startWords({result().request.p, result().request.q}, result().request.e, result().request.w);
      !words.empty())
    all.push_back(std::move(words));
  const markov::BiasPath* const one = path(BiasKind::One);
  const markov::BiasPath* const free = path(BiasKind::Free);
  if (const markov::BiasPath* const shown = one ? one : free; shown && !shown->energy.empty() && !shown->diverged) {
    const bool there = std::isfinite(shown->energyChange);
    const int digits = digitsApart(shown->energyChange);
    if (there)
      all.push_back(trEither(one,
                             "The energy is not conserved with a free bias: with one bias step after each step it "
                             "changes from {} to {}.",
                             "The energy is not conserved with a free bias: along the free flow it changes from {} to "
                             "{}.",
                             shownFixed(shown->energy.front(), digits), shownFixed(shown->energy.back(), digits)));
  }
  // The paper's additional step is the second bias step of an iteration.
  const markov::BiasPath* const two = path(BiasKind::Two);
  if (two && !two->diverged) {
    const std::string end = kindWords(two->kind), theory = kindWords(comparison.kind);
    const bool basin =
        comparison.kind == markov::LimitKind::GlobalMin || comparison.kind == markov::LimitKind::LocalMin;
    if (basin && two->kind != comparison.kind)
      all.push_back(
          trFormat("“One additional step is usually sufficient” fails here: with it (m = 2) the path ends at a {}, "
                   "but the theory predicts a {}.",
                   end, theory));
    else if (basin && !two->settled)
      all.push_back(
          trFormat("After {} iterations the path with one additional bias step (m = 2) is still moving: it approaches "
                   "a {}, as the theory predicts, and is {} away from that limit; so far it is at most {} off the "
                   "orbit.",
                   result().request.options.steps, end, two->endDistance ? formatReading(*two->endDistance) : "–",
                   formatReading(two->farthest)));
    else if (basin && two->endDistance)
      all.push_back(trFormat(
          "“One additional step is usually sufficient” (m = 2): the kind of limit agrees with the theory ({}), the "
          "endpoint error is {}, and the path is up to {} off the orbit.",
          end, formatReading(*two->endDistance), formatReading(two->farthest)));
  } else if (two) {
    all.push_back(tr("With one additional bias step (m = 2) and this rate the path diverges."));
  }
  const std::optional<markov::BiasSurvey>&survey = result().survey, &exact = result().exactSurvey;
  if (!survey || !exact) return all;
  all.push_back(
      trFormat("Of {} initial points drawn with σ = {}, {} came to rest with m = {}; {} of these end at a different "
               "kind of limit than the theory predicts ({} with the exact bias and the same rate), the others {} away "
               "from the limit of the theory (median; {} with the exact bias).",
               survey->starts, shownFixed(result().request.sigma, 2), survey->starts - survey->unsettled,
               result().request.surveySteps, survey->otherEnd, exact->otherEnd, formatReading(survey->medianDistance),
               formatReading(exact->medianDistance)));
  return all;
}

void BiasPage::panel(const FlowPageFrame&, ExhibitContext& context, PagePanel& panel) {
  panel.group(tr("Free bias"), "flow.bias.", {"model", "rate", "steps", "theory.end"});
  for (const BiasKind kind : kBiasKinds) {
    const std::string key = std::string("flow.bias.show.") + biasWord(kind);
    const auto found = context.editor.properties().find(key);
    panel.heading(found && found->property ? std::string(tr(found->property->label)) : std::string());
    panel.row(key);
    if (kind == BiasKind::Own) panel.row("flow.bias.m");
    panel.rows(std::string("flow.bias.") + biasWord(kind) + ".", {"end", "energy", "distance", "farthest"});
  }
  panel.heading(tr("Is one additional step sufficient?"));
  for (const std::string& sentence : sentences())
    panel.sentence(sentence);
  if (!result().failure.empty()) panel.sentence(sentenceCase(result().failure));
  panel.group(tr("Many points"), "flow.bias.",
              {"survey", "starts", "survey-m", "many.other", "many.other-exact", "many.unsettled", "many.distance",
               "many.energy"});
  panel.group(tr("Plane"), "flow.show.", {"basin", "critical", "separatrix"});
}

Numbers BiasPage::numbers(const FlowShared&) const {
  Numbers numbers;
  if (!result().comparison) return numbers;
  Table paths{
      "bias",
      {textColumn("run"), numberColumn("t"), numberColumn("e"), numberColumn("w"), numberColumn("a"), numberColumn("b"),
       numberColumn("b_minus_best"), numberColumn("energy"), numberColumn("distance_from_orbit")}};
  for (const BiasKind kind : kBiasKinds) {
    const markov::BiasPath* const one = path(kind);
    for (std::size_t i = 0; one && i < one->t.size(); ++i) {
      const markov::State& theta = one->theta[i];
      addRow(paths, biasWord(kind), one->t[i], theta[0], theta[1], theta.size() > 2 ? theta[2] : 0.0, one->bias[i],
             one->offset[i], one->energy[i], one->distance[i]);
    }
  }
  numbers.tables.push_back(std::move(paths));
  return numbers;
}

std::string BiasPage::caption(const FlowShared&) const {
  if (!result().comparison) return tr("The bias trained instead of solved for: no initial point is selected.");
  std::string text = startCaption(N_("The bias trained instead of solved for, from"), startPlace(), result().request.p,
                                  result().request.q) +
                     ".";
  for (const std::string& sentence : sentences())
    text += " " + sentence;
  return text;
}

std::string BiasPage::status(const FlowShared&) const {
  return result_.complete() ? std::string() : std::string(tr("bias steps: running"));
}

}  // namespace sepx::ui

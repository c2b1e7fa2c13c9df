// SPDX-License-Identifier: Apache-2.0
// Parameters and read-outs of the page of the free bias, each with its card.
#include <cmath>

#include "ui/exhibits/flow/bias/bias_page.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/properties/formula.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

using namespace declaring;

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
            N_("After every step of e and w the bias makes one step of the same size.")),
      steps(BiasKind::Two, N_("2 bias steps"),
            N_("After every step of e and w the bias makes two steps of the same size: the additional step of the "
               "paper.")),
      steps(BiasKind::Five, N_("5 bias steps"),
            N_("After every step of e and w the bias makes five steps of the same size.")),
      steps(BiasKind::Own, N_("m bias steps"),
            N_("After every step of e and w the bias makes the number of steps set below.")),
      steps(BiasKind::Exact, N_("Exact bias"),
            N_("After every step of e and w the bias is set to the best one, which the theory assumes."))});
}

void declareNumbers(PropertyRegistry& registry) {
  const Condition surveyed = whenOn("flow.bias.survey");
  declareParameters(registry, {.prefix = "flow.bias.", .applies = here()}, {
      {.key = "model",
       .into = &BiasRequest::attention,
       .label = N_("Model"), .options = {{"ewb", "(e, w, b)"}, {"ewab", "(e, w, a, b)"}},
       .help = N_("Whether the attention scalar a takes part; the plane then shows e and w of the path."),
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
      {.key = "survey", .into = &BiasRequest::survey, .label = N_("Many starts"), .fallback = false,
       .help = N_("Draws starts with the σ of the Gaussian cloud and counts those whose kind of limit differs from "
                  "the theory."),
       .errata = {kErratum}},
      {.key = "starts",
       .into = &BiasRequest::starts, .label = N_("Starts"), .kind = Kind::Integer, .min = 10, .max = 5000,
       .scale = Scale::Logarithmic, .step = 10, .fallback = 400.0, .help = N_("Number of starts that are drawn."),
       .applies = surveyed},
      {.key = "survey-m",
       .into = &BiasRequest::surveySteps,
       .label = N_("Bias steps"), .symbol = "m", .kind = Kind::Integer, .max = 50, .fallback = 2.0,
       .help = N_("Bias steps after every step, for all of these starts: 2 with the additional step of the paper, 1 "
                  "without it; 0 is the exact bias."),
       .applies = surveyed}});
}

/// Of one kind of bias: `path` reads its path.
template <class Path>
std::vector<ReadOut> readings(const Path& path) {
  return {
      {.key = "end", .label = N_("ends in"),
       .help = N_("The kind of limit that the flow with this bias reaches from the last point. For the exact bias it "
                  "is given by Theorems 2 and 8."),
       .get = path([](const BiasPath& p) { return p.diverged ? Value() : valueOf(markov::limitName(p.kind)); }),
       .words = labelWords},
      {.key = "energy", .label = N_("energy"), .symbol = "ΔE",
       .help = N_("Energy at the last point minus energy at the start. It is 0 on the orbit of the theory; with a "
                  "free bias the energy is not conserved."),
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
       .help = N_("Largest distance of a point of the path from the theory's orbit between start and limit."),
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
      {.key = "flow.bias.theory.end", .label = N_("Theory ends in"),
       .help = N_("The kind of limit of the flow with the best bias from this start."),
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
      {.key = "other", .label = N_("End elsewhere"),
       .help = N_("Starts whose kind of limit is not that of the theory."), .digits = 0,
       .get = survey(&Survey::otherEnd)},
      {.key = "other-exact", .label = N_("Exact bias"),
       .help = N_("The same count with the exact bias: the effect of the step size alone."), .digits = 0,
       .get = exact(&Survey::otherEnd)},
      {.key = "unsettled", .label = N_("Still moving"),
       .help = N_("Starts that had not come to rest after all steps, 6,000 at least; they are not counted."),
       .digits = 0, .get = survey(&Survey::unsettled)},
      {.key = "distance", .label = N_("Endpoint error"),
       .help = N_("Median distance from the theory's end, over the starts that end at the same kind of limit."),
       .digits = 4, .get = survey(&Survey::medianDistance)},
      {.key = "energy", .label = N_("Energy error"),
       .help = N_("Median size of the change of energy, over the starts that end at the same kind of limit."),
       .digits = 4, .get = survey(&Survey::medianEnergy)}});
}
// clang-format on

}  // namespace

void declareBias(PropertyRegistry& registry, const BiasPage& page) {
  declareShown(registry);
  declareNumbers(registry);
  declareResults(registry, page);
  declareSurvey(registry, page);
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Declarations of the page of (p,q) with their cards. A getter returns monostate for a value that is not available, and
// computes no more than a formula.
#include "ui/exhibits/flow/chain/chain_declare.h"

#include <cmath>

#include <fmt/format.h>

#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/properties/formula.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

using namespace declaring;

namespace {

Condition here() {
  return onPages({"chain"});
}

// clang-format off
void declareShown(PropertyRegistry& registry) {
  Options quantities;
  for (const ChainQuantity quantity : {ChainQuantity::Excess, ChainQuantity::Gap, ChainQuantity::S_star,
                                       ChainQuantity::Distance, ChainQuantity::Time})
    quantities.emplace_back(quantityWord(quantity), quantityName(quantity));
  const auto model = [](ChainState& state, const Value& word) {
    state.model = toString(word) == "ewa" ? markov::Model::EWA : markov::Model::EW;
  };
  declareParameters(registry, {.prefix = "flow.chain.", .applies = here()}, {
      {.key = "show", .into = &ChainState::show, .label = N_("Colour"), .options = std::move(quantities),
       .help = N_("The quantity shown over the square of p and q: the expected excess loss of a Gaussian "
                  "initialisation, the gap between the two entropies, S⋆, the distance of the global minima from the "
                  "origin, or the time that the flow takes.")},
      {.key = "model", .into = Into::by<ChainState>(model), .label = N_("Basins of"),
       .options = {{"ew", N_("(e, w)")}, {"ewa", N_("(e, w, a), with attention")}},
       .help = N_("The model whose probability and times are shown: without attention or with it. With attention a "
                  "wide initialisation reaches a global minimum more often."),
       .equation = "Local-to-Global, Theorem 11", .errata = {"l2g-2"}},
      {.key = "contours", .into = &ChainState::contours, .label = N_("Contour lines"), .fallback = true,
       .help = N_("Lines of equal value, at the ticks of the colour bar.")},
      {.key = "counts", .into = &ChainState::counts, .label = N_("Sampled counts"), .fallback = true,
       .help = N_("Random initial points whose orbits are integrated and counted, with their 95 % interval, beside "
                  "the exact probability.")},
      {.key = "samples",
       .into = &ChainState::samples,
       .label = N_("Points"), .symbol = "N", .kind = Kind::Integer, .min = 10, .max = 1000000,
       .scale = Scale::Logarithmic, .step = 100, .fallback = 2000.0, .help = N_("Number of initial points at each σ.")}});
}

void declarePath(PropertyRegistry& registry) {
  const auto end = [](const char* key, double ChainPath::*member, const char* label, const char* symbol, double at) {
    return Property{.key = key, .into = {&ChainState::path, member},
                    .label = label, .symbol = symbol, .open = true, .fallback = at,
                    .help = N_("An end of the path.")};
  };
  declareParameters(registry, {.prefix = "flow.chain.", .applies = here()}, {
      {.key = "path.show", .into = &ChainState::showPath, .label = N_("Path"), .fallback = true,
       .help = N_("A straight line through the (p, q) square, along which charts show how quantities vary. Play moves "
                  "the marker.")},
      end("path.p0", &ChainPath::p0, N_("Start"), "p₀", 0.2), end("path.q0", &ChainPath::q0, N_("Start"), "q₀", 0.4),
      end("path.p1", &ChainPath::p1, N_("End"), "p₁", 0.7), end("path.q1", &ChainPath::q1, N_("End"), "q₁", 0.8),
      {.key = "path.at", .into = &ChainState::head, .label = N_("Marker"), .fallback = 0.0,
       .help = N_("Where on the path the marker is: 0 at the start, 1 at the end."), .undoable = false},
      {.key = "follow", .into = &ChainState::follow, .label = N_("p, q follow"), .fallback = false,
       .help = N_("While the marker moves, p and q of all pages follow it. This is one undo step.")}});
}
// clang-format on

std::string number(double value) {
  return formulaNumber(value);
}

std::string times(const ChainReading& at) {
  if (!at.probability || !at.excess) return {};
  return fmt::format("{}\\cdot{} = {}", formulaNumber(*at.probability), formulaNumber(at.gap),
                     formulaNumber(*at.excess));
}

/// With attention the integral is over the Airy curves that reach e = 0, and w must not reach -1/sqrt 2 on them.
std::string probabilityFormula() {
  return std::string(kGaussFormula) + " \\\\ \\text{" + N_("with attention") +
         "}:\\ & \\begin{cases} "
         "\\int\\varphi_\\sigma(e)\\,\\varphi_\\sigma(a)\\,\\Phi\\left(\\frac{w_D}{\\sigma}\\right)de\\,da "
         "& p+q>1,\\ w_D<1/\\sqrt2 \\\\ "
         "\\int\\varphi_\\sigma(e)\\,\\varphi_\\sigma(a)\\,\\Phi\\left(-\\frac{w_D}{\\sigma}"
         "\\right)de\\,da & p+q<1,\\ w_D>1/\\sqrt2 \\end{cases} \\\\ g(-w_D)^2 &= e^2-2a^2+2\\alpha^2,\\quad "
         "\\alpha:\\ \\text{" +
         N_("a where the Airy curve through (e, a) reaches e = 0") + "}";
}

std::string excessWords(double value) {
  constexpr double kTiny = 5e-7;  // six decimals would show 0
  return value != 0 && std::abs(value) < kTiny ? shownPower(value) : shownFixed(value, 6);
}

// clang-format off
/// The read-outs of the document's place or of the head. `at` returns the reading there.
template <class At>
std::vector<ReadOut> readings(const At& at, bool head) {
  return {
      {.key = "probability", .label = head ? N_("At the marker: bad minimum") : N_("Bad minimum"), .symbol = "P(I_min)",
       .help = N_("Probability that an initialisation N(0, σ²I) ends in a local minimum, by quadrature over the exact "
                  "basins."),
       .equation = "Local-to-Global, Theorems 2, 8 and 11", .formula = probabilityFormula(),
       .withNumbers = at.text([](const ChainReading& r) {
         return r.probability ? "= " + formulaNumber(*r.probability, 9) : "";
       }),
       .errata = {"l2g-14", "l2g-2", "l2g-19"}, .get = at(&ChainReading::probability),
       .numberWords = shownProbability6},
      {.key = "excess", .label = head ? N_("At the marker: excess loss") : N_("Excess loss"), .unit = "nats",
       .help = N_("Mean loss above the entropy rate H(x′|x) after training from a Gaussian initialisation."),
       .formula = "P(I_{\\mathrm{min}})\\,\\left(H(\\pi)-H(x_{n+1}\\mid x_n)\\right)", .withNumbers = at.text(times),
       .errata = {"l2g-19"}, .get = at(&ChainReading::excess), .numberWords = excessWords},
      {.key = "time", .label = head ? N_("At the marker: time to 99 %") : N_("Time to 99 %"),
       .help = N_("Median over nine fixed Gaussian initial points of the first time at which less than 1 % of the "
                  "loss above the limit is left."),
       .formula = "\\min\\left\\{t:\\ L(\\theta_t)-L(\\theta_\\infty)<0.01\\,\\left(L(\\theta_0)-L(\\theta_\\infty)"
                  "\\right)\\right\\}",
       .withNumbers = at.text([](const ChainReading& r) { return r.time ? "= " + number(*r.time) : ""; }),
       .errata = {"l2g-18"}, .digits = 4, .get = at(&ChainReading::time)}};
}

void declareReadings(PropertyRegistry& registry, const ChainState& state, const ChainResults& results) {
  const auto reading = [&state, &results](bool head) {
    return std::optional(results.reading(head ? state.path.at(state.head) : state.chain));
  };
  const Getters place([reading](int) { return reading(false); });
  const Getters head([reading](int) { return reading(true); });
  /// Empty for a chain with p + q = 1, for which these numbers are undefined.
  const Getters apart([reading](int) {
    const auto at = reading(false);
    return at->chain.degenerate() ? std::nullopt : at;
  });
  const Condition page = onPages({"chain"});
  declareReadOuts(registry, {.prefix = "flow.chain.", .applies = page}, readings(place, false));
  declareReadOuts(registry, {.prefix = "flow.chain.", .applies = page}, {
      {.key = "distance", .label = N_("Nearest"), .symbol = "|Θ⋆|",
       .help = N_("Distance from the origin to the nearest global minimum of the plane."),
       .equation = "Local-to-Global, Theorem 1",
       .formula = "\\min\\left\\{\\sqrt{e^2+w^2}:\\ e^2(1+2w|w|)=S_\\star\\right\\} = \\begin{cases} \\sqrt{S_\\star} & "
                  "0\\le S_\\star\\le\\frac12 \\\\ \\sqrt{\\sqrt{2S_\\star}-\\frac12} & S_\\star>\\frac12 \\\\ "
                  "\\sqrt{\\sqrt{2|S_\\star|}+\\frac12} & S_\\star<0 \\end{cases}",
       .withNumbers = apart.text([](const ChainReading& at) {
         return fmt::format("\\sqrt{{{}^2+{}^2}} = {}", formulaFactor(at.nearest.e), formulaFactor(at.nearest.w),
                            formulaFixed(at.distance));
       }),
       .errata = {"l2g-17"}, .digits = 4, .get = apart(&ChainReading::distance)},
      {.key = "clock", .label = N_("e-fold time near e = 0"),
       .help = N_("The time in which |e| changes by a factor of e where e and w are small. Times of small "
                  "initialisations scale with it: they grow as 1/|p + q − 1| towards the line p + q = 1 as long as S "
                  "stays small compared with S⋆."),
       .equation = "Local-to-Global, (110)", .formula = "\\frac1{2\\pi_0\\pi_1\\,|p+q-1|}",
       .withNumbers = apart.text([](const ChainReading& at) {
         return fmt::format("\\frac1{{2\\cdot{}\\cdot{}\\cdot{}}} = {}", number(at.chain.pi0()), number(at.chain.pi1()),
                            number(std::abs(at.chain.switching())), number(at.clock));
       }),
       .errata = {"l2g-18", "l2g-19"}, .digits = 4, .get = apart(&ChainReading::clock)}});
  declareReadOuts(registry, {.prefix = "flow.chain.head.", .applies = page}, readings(head, true));
  declareReadOuts(registry, {.prefix = "flow.chain.head.", .applies = page}, {
      {.key = "gap", .label = N_("At the marker: gap"), .unit = "nats",
       .help = N_("Loss of a local minimum minus the entropy rate H(x′|x), at the marker."),
       .formula = "H(\\pi)-H(x_{n+1}\\mid x_n) = I(x_n;x_{n+1})",
       .withNumbers = head.text([](const ChainReading& at) { return gapWithNumbers(at.chain); }),
       .errata = {"l2g-17"}, .get = head(&ChainReading::gap)}});
}
// clang-format on

}  // namespace

void declareChain(PropertyRegistry& registry, const ChainState& state, const ChainResults& results) {
  declareShown(registry);
  declarePath(registry);
  declareReadings(registry, state, results);
}

}  // namespace sepx::ui

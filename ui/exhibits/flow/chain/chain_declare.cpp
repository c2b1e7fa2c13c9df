// SPDX-License-Identifier: Apache-2.0
// Declarations of the page of (p,q) with their cards. Getters answer monostate for what is not there now; they never
// compute more than a formula.
#include <cmath>

#include <fmt/format.h>

#include "ui/exhibits/flow/chain/chain_page.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/properties/formula.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

using namespace declaring;

namespace {

std::function<bool(const Document&)> here() {
  return onPages({"chain"});
}

void put(PropertyRegistry& registry, Property property) {
  property.applies = here();
  registry.declare(std::move(property));
}

void declareShown(PropertyRegistry& registry) {
  Property show;
  show.key = "flow.chain.show";
  show.label = N_("Colour");
  show.kind = Kind::Choice;
  constexpr std::array kAll{ChainQuantity::Excess, ChainQuantity::Gap, ChainQuantity::S_star, ChainQuantity::Distance,
                            ChainQuantity::Time};
  for (const ChainQuantity quantity : kAll)
    show.choices.emplace_back(quantityWord(quantity));
  show.choiceLabel = [kAll](const std::string& key) {
    for (const ChainQuantity quantity : kAll)
      if (key == quantityWord(quantity)) return quantityName(quantity);
    return key;
  };
  show.fallback = std::string("excess");
  show.help =
      N_("What varies over the square of p and q: the loss that a Gaussian initialisation is expected to be left with "
         "above the best, what a bad minimum costs, S⋆, how far the global minima are from the origin, and how long "
         "the flow takes.");
  put(registry, show);

  Property model;
  model.key = "flow.chain.model";
  model.label = N_("Basins of");
  model.kind = Kind::Choice;
  model.choices = {"ew", "ewa"};
  model.choiceLabel = [](const std::string& key) {
    return std::string(key == "ewa" ? tr("(e, w, a), with attention") : tr("(e, w)"));
  };
  model.fallback = std::string("ew");
  model.help =
      N_("Whose probability and times are shown: without attention, or with it, where an initialisation that is not "
         "small reaches the global minimum more often.");
  model.equation = "Local-to-Global, Theorem 11";
  model.errata = {"l2g-2"};
  put(registry, model);
  put(registry, toggle("flow.chain.contours", N_("Contour lines"), true,
                       N_("Lines of equal value, at the marks of the colour bar.")));
  put(registry, toggle("flow.chain.counts", N_("Sampled counts"), true,
                       N_("Random starts whose orbits are integrated and counted, with their 95 % interval, beside the "
                          "exact probability.")));
  Property samples =
      real("flow.chain.samples", N_("Starts"), "N", 10, 1000000, 2000, 100, 0, N_("How many at each σ."));
  samples.kind = Kind::Integer;
  samples.scale = Scale::Logarithmic;
  put(registry, samples);
}

void declarePath(PropertyRegistry& registry) {
  put(registry, toggle("flow.chain.path.show", N_("Path"), true,
                       N_("A straight line through the square and what varies along it; play moves its head.")));
  const auto end = [&](const char* key, const char* label, const char* symbol, double fallback) {
    Property property = real(key, label, symbol, 0, 1, fallback, 0.01, 3, N_("An end of the path."));
    property.open = true;
    put(registry, property);
  };
  end("flow.chain.path.p0", N_("Start"), "p₀", 0.2);
  end("flow.chain.path.q0", N_("Start"), "q₀", 0.4);
  end("flow.chain.path.p1", N_("End"), "p₁", 0.7);
  end("flow.chain.path.q1", N_("End"), "q₁", 0.8);
  Property head = real("flow.chain.path.at", N_("Head"), "", 0, 1, 0, 0.01, 3,
                       N_("Where on the path the head is: 0 at the start, 1 at the end."));
  head.undoable = false;
  put(registry, head);
  put(registry, toggle("flow.chain.follow", N_("p, q follow"), false,
                       N_("While the head plays, p and q of every page go with it; at the end that is one step.")));
}

/// A read-out of this page, its card and its number in the formula.
struct Said {
  const char *key, *label, *symbol, *unit, *help, *equation;
  std::string formula;
  std::function<std::optional<double>(const ChainReading&)> value;
  std::function<std::string(const ChainReading&)> withNumbers;
  std::vector<std::string> errata;
  std::function<std::string(double)> numberWords;
  int digits = 6;
};

std::string number(double value) {
  return formulaNumber(value);
}

std::string times(const ChainReading& at) {
  if (!at.probability || !at.excess) return {};
  return fmt::format("{}\\cdot{} = {}", formulaNumber(*at.probability), formulaNumber(at.gap),
                     formulaNumber(*at.excess));
}

std::string distanceNumbers(const ChainReading& at) {
  if (at.chain.degenerate()) return {};
  return fmt::format("\\sqrt{{{}^2+{}^2}} = {}", formulaFactor(at.nearest.e), formulaFactor(at.nearest.w),
                     formulaFixed(at.distance));
}

std::string clockNumbers(const ChainReading& at) {
  if (at.chain.degenerate()) return {};
  return fmt::format("\\frac1{{2\\cdot{}\\cdot{}\\cdot{}}} = {}", number(at.chain.pi0()), number(at.chain.pi1()),
                     number(std::abs(at.chain.switching())), number(at.clock));
}

std::string gapNumbers(const ChainReading& at) {
  return fmt::format("{}-{} = {}", formulaFixed(at.chain.marginalEntropy(), 8), formulaFixed(at.chain.entropyRate(), 8),
                     formulaFixed(at.gap));
}

constexpr const char* kProbability =
    "P(I_{\\mathrm{min}}) &= \\begin{cases} \\frac12+\\int_{-1/\\sqrt2}^{0}\\varphi_\\sigma(w)\\,"
    "\\erf\\frac{g(w)}{\\sigma\\sqrt2}\\,dw & p+q>1 \\\\ \\int_{-\\infty}^{-1/\\sqrt2}\\varphi_\\sigma(w)\\,"
    "\\erf\\frac{g(w)}{\\sigma\\sqrt2}\\,dw & p+q<1 \\end{cases}";

/// With attention the integral goes over the Airy curves that come down to e = 0, and w must not climb past -1/sqrt 2.
std::string probabilityFormula() {
  return std::string(kProbability) + " \\\\ \\text{" + tr(N_("with attention")) +
         "}:\\ & \\begin{cases} "
         "\\int\\varphi_\\sigma(e)\\,\\varphi_\\sigma(a)\\,\\Phi\\left(\\frac{w_D}{\\sigma}\\right)de\\,da "
         "& p+q>1,\\ w_D<1/\\sqrt2 \\\\ "
         "\\int\\varphi_\\sigma(e)\\,\\varphi_\\sigma(a)\\,\\Phi\\left(-\\frac{w_D}{\\sigma}"
         "\\right)de\\,da & p+q<1,\\ w_D>1/\\sqrt2 \\end{cases} \\\\ g(-w_D)^2 &= e^2-2a^2+2\\alpha^2,\\quad "
         "\\alpha:\\ \\text{" +
         tr(N_("a where the Airy curve through (e, a) comes to e = 0")) + "}";
}

constexpr const char* kTimeFormula =
    "\\min\\left\\{t:\\ "
    "L(\\theta_t)-L(\\theta_\\infty)<0.01\\,\\left(L(\\theta_0)-L(\\theta_\\infty)\\right)\\right\\}";

/// Of the document's place, or of the head.
std::vector<Said> saidOfBoth(bool head) {
  const auto key = [head](const char* own, const char* ofHead) { return head ? ofHead : own; };
  const auto shownProbability6 = [](double value) { return shownProbability(value, 6); };
  std::vector<Said> all;
  all.push_back(
      {key("flow.chain.probability", "flow.chain.head.probability"),
       head ? N_("At the head: bad minimum") : N_("Bad minimum"),
       "P(I_min)",
       "",
       N_("How often an initialisation N(0, σ²I) ends in a local minimum: by quadrature over the exact basins."),
       "Local-to-Global, Theorems 2, 8 and 11",
       probabilityFormula(),
       [](const ChainReading& at) { return at.probability; },
       [](const ChainReading& at) { return at.probability ? "= " + formulaNumber(*at.probability, 9) : std::string(); },
       {"l2g-14", "l2g-2", "l2g-19"},
       shownProbability6});
  all.push_back({key("flow.chain.excess", "flow.chain.head.excess"),
                 head ? N_("At the head: excess loss") : N_("Excess loss"),
                 "",
                 "nats",
                 N_("What a Gaussian initialisation is left with above the best loss, on average."),
                 "",
                 "P(I_{\\mathrm{min}})\\,\\left(H(\\pi)-H(x_{n+1}\\mid x_n)\\right)",
                 [](const ChainReading& at) { return at.excess; },
                 times,
                 {"l2g-19"},
                 [](double value) {
                   constexpr double kTiny = 5e-7;  // six decimals would say nothing
                   return value != 0 && std::abs(value) < kTiny ? shownPower(value) : shownFixed(value, 6);
                 }});
  all.push_back({key("flow.chain.time", "flow.chain.head.time"),
                 head ? N_("At the head: time to 99 %") : N_("Time to 99 %"),
                 "",
                 "",
                 N_("Median over nine fixed Gaussian starts of the first time at which less than 1 % of the loss above "
                    "the limit is left."),
                 "",
                 kTimeFormula,
                 [](const ChainReading& at) { return at.time; },
                 [](const ChainReading& at) { return at.time ? "= " + number(*at.time) : std::string(); },
                 {"l2g-18"},
                 {},
                 4});
  return all;
}

Said gapOfHead() {
  return {"flow.chain.head.gap",
          N_("At the head: gap"),
          "",
          "nats",
          N_("What a bad minimum costs at the head."),
          "",
          "H(\\pi)-H(x_{n+1}\\mid x_n) = I(x_n;x_{n+1})",
          [](const ChainReading& at) { return std::optional<double>(at.gap); },
          gapNumbers,
          {"l2g-17"},
          {}};
}

std::vector<Said> saidOfPlace() {
  std::vector<Said> all;
  all.push_back(
      {"flow.chain.distance",
       N_("Nearest"),
       "|Θ⋆|",
       "",
       N_("From the origin to the nearest global minimum of the plane."),
       "Local-to-Global, Theorem 1",
       "\\min\\left\\{\\sqrt{e^2+w^2}:\\ e^2(1+2w|w|)=S_\\star\\right\\} = \\begin{cases} \\sqrt{S_\\star} & "
       "0\\le S_\\star\\le\\frac12 \\\\ \\sqrt{\\sqrt{2S_\\star}-\\frac12} & S_\\star>\\frac12 \\\\ "
       "\\sqrt{\\sqrt{2|S_\\star|}+\\frac12} & S_\\star<0 \\end{cases}",
       [](const ChainReading& at) { return at.chain.degenerate() ? std::nullopt : std::optional<double>(at.distance); },
       distanceNumbers,
       {"l2g-17"},
       {},
       4});
  all.push_back(
      {"flow.chain.clock",
       N_("Clock"),
       "",
       "",
       N_("The time in which |e| changes by a factor of e where e and w are small. Times of small initialisations "
          "scale with it: they grow as 1/|p + q − 1| towards the line as long as S stays small against S⋆."),
       "Local-to-Global, (110)",
       "\\frac1{2\\pi_0\\pi_1\\,|p+q-1|}",
       [](const ChainReading& at) { return at.chain.degenerate() ? std::nullopt : std::optional<double>(at.clock); },
       clockNumbers,
       {"l2g-18", "l2g-19"},
       {},
       4});
  return all;
}

std::vector<Said> saidOf(bool head) {
  std::vector<Said> all = saidOfBoth(head);
  if (head) {
    all.push_back(gapOfHead());
    return all;
  }
  for (Said& one : saidOfPlace())
    all.push_back(std::move(one));
  return all;
}

}  // namespace

void declareChain(PropertyRegistry& registry, const FlowShared&, const ChainState& state, const ChainResults& results) {
  declareShown(registry);
  declarePath(registry);
  for (const bool head : {false, true}) {
    const auto at = [&state, &results, head] {
      return results.reading(head ? state.path.at(state.head) : state.chain);
    };
    for (const Said& said : saidOf(head)) {
      ReadOut made;
      made.key = said.key;
      made.label = said.label;
      made.symbol = said.symbol;
      made.unit = said.unit;
      made.help = said.help;
      made.equation = said.equation;
      made.applies = here();
      made.numberWords = said.numberWords;
      made.digits = said.digits;
      made.get = [at, value = said.value](int) { return valueOf(value(at())); };
      registry.declare(std::move(made));
      registry.explain(said.key,
                       {said.formula, [at, words = said.withNumbers](int) { return words(at()); }, said.errata, {}});
    }
  }
}

}  // namespace sepx::ui

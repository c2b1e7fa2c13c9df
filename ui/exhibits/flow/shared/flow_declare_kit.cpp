// SPDX-License-Identifier: Apache-2.0
// Helpers for the declarations of the Flow exhibit, and formulas with numbers in them. See flow_declare_kit.h.

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "engine/markov/canonical_model.h"
#include "engine/markov/energy.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/properties/formula.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace declaring {

Condition onPlane(Condition also) {
  return onPages({"plane"}, std::move(also));
}

Condition whenField(const std::string& key) {
  return [key](const Document& document) { return chosenField(document) == key; };
}

std::function<std::string(const Document&)> coordinateName(const std::vector<FieldPointer>& fields, const char* words,
                                                           const char* other, std::size_t variable) {
  return [fields, words, other, variable](const Document& document) {
    const dynamics::VectorField& field = fieldOf(fields, document);
    const char* const name = field.info().key == kCanonicalField ? words : other;
    return std::string(tr(name)) + "  " + field.info().variables[variable];
  };
}

std::string shownProbability6(double value) {
  return shownProbability(value, 6);
}

std::string labelOf(markov::LimitKind kind) {
  return kind == markov::LimitKind::Attractor ? "attractor" : std::string(markov::limitName(kind));
}

std::string labelWords(const std::string& label) {
  for (const markov::LimitKind kind : kLimitKinds)
    if (label == labelOf(kind)) return kindWords(kind);
  return label;
}

}  // namespace declaring

namespace {

std::string n(double value) {
  return formulaNumber(value);
}
std::string fixed(double value) {
  return formulaFixed(value);
}
/// A factor or the base of a power: in parentheses if negative.
std::string f(double value) {
  return formulaFactor(value);
}
/// A further summand, with its sign.
std::string plus(double value) {
  return value < 0 ? "-" + fixed(-value) : "+" + fixed(value);
}

double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

std::string kindText(markov::LimitKind kind) {
  return formulaWords(kindName(kind));
}

double reduced(double e, double w) {
  return e * e * (1 + 2 * w * std::abs(w));
}

std::string reducedWithNumbers(double e, double w) {
  return fmt::format("{}^2\\,(1+2\\cdot{}\\cdot{})", f(e), f(w), n(std::abs(w)));
}

std::string coin(double x) {
  return fmt::format("-{0}\\log{0}-{1}\\log{1}", n(x), n(1 - x));
}

}  // namespace

std::string formulaWords(const char* words) {
  return std::string("\\text{") + words + "}";
}

std::string basinFormula() {
  const std::string localMin = formulaWords(N_("local minimum")), saddle = formulaWords(N_("saddle")),
                    max = formulaWords(N_("local maximum")), global = formulaWords(N_("global minimum")),
                    other = formulaWords(N_("otherwise"));
  return "p+q>1:\\ & \\begin{cases}" + localMin + " & w\\ge0 \\\\" + localMin + " & -1/\\sqrt2<w<0,\\ e^2<g(w)^2 \\\\" +
         saddle + " & -1/\\sqrt2\\le w<0,\\ e^2=g(w)^2 \\\\" + max + " & w<-1/\\sqrt2,\\ e=0 \\\\" + global + " & " +
         other + "\\end{cases} \\\\ p+q<1:\\ & \\begin{cases}" + localMin + " & w<-1/\\sqrt2,\\ e^2<g(w)^2 \\\\" +
         saddle + " & w\\le-1/\\sqrt2,\\ e^2=g(w)^2 \\\\" + max + " & w>-1/\\sqrt2,\\ e=0 \\\\" + global + " & " +
         other + "\\end{cases} \\\\ & " + kSeparatrixFormula;
}

std::string limitFormula() {
  return "\\begin{cases}" + formulaWords(N_("global minimum")) + " & S = S_\\star \\\\" +
         formulaWords(N_("local minimum")) + " & e=0,\\ (p+q-1)(1+2w|w|)>0 \\\\" + formulaWords(N_("local maximum")) +
         " & e=0,\\ (p+q-1)(1+2w|w|)<0 \\\\" + formulaWords(N_("saddle")) + " & e=0,\\ w=-1/\\sqrt2 \\end{cases}";
}

std::string marginalWithNumbers(const markov::Chain& chain) {
  const std::string p0 = n(chain.pi0()), p1 = n(chain.pi1());
  return fmt::format("\\pi_0 &= {}/{} = {} \\\\ H(\\pi) &= -{}\\log{}-{}\\log{} = {}", n(chain.q), n(chain.p + chain.q),
                     p0, p0, p0, p1, p1, fixed(chain.marginalEntropy()));
}

std::string entropyRateWithNumbers(const markov::Chain& chain) {
  return fmt::format(
      "h({}) &= {} = {} \\\\ h({}) &= {} = {} \\\\ H &= {}\\cdot{}+{}\\cdot{} = {}", n(chain.p), coin(chain.p),
      fixed(-chain.p * std::log(chain.p) - (1 - chain.p) * std::log1p(-chain.p)), n(chain.q), coin(chain.q),
      fixed(-chain.q * std::log(chain.q) - (1 - chain.q) * std::log1p(-chain.q)), n(chain.pi0()),
      fixed(-chain.p * std::log(chain.p) - (1 - chain.p) * std::log1p(-chain.p)), n(chain.pi1()),
      fixed(-chain.q * std::log(chain.q) - (1 - chain.q) * std::log1p(-chain.q)), fixed(chain.entropyRate()));
}

std::string gapWithNumbers(const markov::Chain& chain) {
  // Two decimals more than the difference, so that the subtraction can be checked.
  return fmt::format("{}-{} = {}", formulaFixed(chain.marginalEntropy(), 8), formulaFixed(chain.entropyRate(), 8),
                     fixed(chain.marginalEntropy() - chain.entropyRate()));
}

std::string bestSWithNumbers(const markov::Chain& chain) {
  return fmt::format("S_\\star = \\log\\frac{{(1-{0})(1-{1})}}{{{0}\\cdot{1}}} = {2}", n(chain.p), n(chain.q),
                     fixed(chain.S_star()));
}

std::string switchingWithNumbers(const markov::Chain& chain) {
  const double value = chain.switching();
  return fmt::format("{}+{}-1 = {} {} 0", n(chain.p), n(chain.q), n(value), value > 0 ? ">" : value < 0 ? "<" : "=");
}

std::string lossWithNumbers(const markov::Chain& chain, double e, double w) {
  const double S = reduced(e, w);
  if (!std::isfinite(S)) return {};
  const markov::Lambda at = markov::lambda(chain, S);
  return fmt::format(
      "S &= {} = {} \\\\ c &= {} \\\\ L &= {}\\,({}\\cdot{}+{}\\cdot{}) + {}\\,({}\\cdot{}+{}\\cdot{}) = {}",
      reducedWithNumbers(e, w), fixed(S), fixed(at.c), n(chain.pi0()), n(1 - chain.p), fixed(softplus(at.c)),
      n(chain.p), fixed(softplus(-at.c)), n(chain.pi1()), n(chain.q), fixed(softplus(S + at.c)), n(1 - chain.q),
      fixed(softplus(-S - at.c)), fixed(at.value));
}

std::string energyWithNumbers(double e, double w) {
  if (w == 0) return "w = 0: " + formulaWords(N_("no energy on this axis"));
  dynamics::State theta(2);
  theta << e, w;
  const std::optional<double> energy = markov::energy(markov::Model::EW, theta);
  if (!energy) return {};
  return fmt::format("E = {}^2-{}^2{}\\log{} = {}", f(e), f(w), w > 0 ? "-" : "+", n(std::abs(w)), fixed(*energy));
}

std::string basinWithNumbers(const markov::Chain& chain, double e, double w) {
  if (chain.degenerate()) return "p+q = 1: " + formulaWords(N_("no basins"));
  std::string text = fmt::format("p+q = {} {} 1", n(chain.p + chain.q), chain.switching() > 0 ? ">" : "<");
  const double edge = -1 / std::sqrt(2.0);
  if (w >= 0) {
    text += fmt::format(",\\quad w = {} \\ge 0", n(w));
  } else {
    const double g2 = markov::separatrixSquared(w);
    const int side = markov::sideOfSeparatrix(e, w);
    text += fmt::format(",\\quad w = {} {} -1/\\sqrt2 \\\\ e^2 = {} {} g({})^2 = {}", n(w),
                        w < edge   ? "<"
                        : w > edge ? ">"
                                   : "=",
                        fixed(e * e),
                        side < 0   ? "<"
                        : side > 0 ? ">"
                                   : "=",
                        n(w), fixed(g2));
  }
  return text + " \\\\ \\Rightarrow\\ " + kindText(markov::basinLabel(chain, e, w));
}

std::string limitWithNumbers(const markov::Chain& chain, const PointResult& point) {
  if (!point.limit) return {};
  const double e = point.limit->x, w = point.limit->y;
  const std::string end = " \\\\ \\Rightarrow\\ " + kindText(point.limitKind);
  if (point.limitKind == markov::LimitKind::GlobalMin)
    return fmt::format("S = {} = {} = S_\\star", reducedWithNumbers(e, w), fixed(chain.S_star())) + end;
  const double sign = chain.switching() * (1 + 2 * w * std::abs(w));
  if (point.limitKind == markov::LimitKind::Saddle) return "e = 0,\\quad w = -1/\\sqrt2" + end;
  return fmt::format("e = 0,\\quad {}\\,(1+2\\cdot{}\\cdot{}) = {} {} 0", f(chain.switching()), f(w), n(std::abs(w)),
                     n(sign), sign > 0 ? ">" : "<") +
         end;
}

std::string limitLossWithNumbers(const PointResult& point) {
  if (!point.limitLoss) return {};
  const bool global = point.limitKind == markov::LimitKind::GlobalMin;
  return fmt::format("L = {} = {}", global ? "H(x_{n+1}\\mid x_n)" : "H(\\pi)", fixed(*point.limitLoss));
}

std::string limitPlaceWithNumbers(const markov::Chain& chain, double e, double w, const PointResult& point) {
  if (!point.limit) return {};
  const double le = point.limit->x, lw = point.limit->y;
  std::string text =
      fmt::format("(e_0, w_0) = ({}, {}),\\quad (e_\\infty, w_\\infty) = ({}, {})", n(e), n(w), n(le), n(lw));
  dynamics::State start(2), end(2);
  start << e, w;
  end << le, lw;
  const auto before = markov::energy(markov::Model::EW, start), after = markov::energy(markov::Model::EW, end);
  if (before && after)
    text += fmt::format(" \\\\ E(\\theta_0) = {},\\quad E(\\theta_\\infty) = {}", fixed(*before), fixed(*after));
  text += fmt::format(" \\\\ S(\\theta_\\infty) = {}", fixed(reduced(le, lw)));
  if (point.limitKind == markov::LimitKind::GlobalMin) text += fmt::format(" = S_\\star = {}", fixed(chain.S_star()));
  return text;
}

std::string time99WithNumbers(const markov::Chain& chain, double e, double w, const PointResult& point) {
  if (!point.time99 || !point.loss || chain.degenerate()) return {};
  // Even if the limit is not known exactly, the loss of a path tends to one of these two values.
  const bool global = point.kind == markov::LimitKind::GlobalMin;
  const double limit = global ? chain.entropyRate() : chain.marginalEntropy();
  dynamics::State start(2);
  start << e, w;
  const double first = markov::loss(chain, markov::Model::EW, start);
  const double target = limit + 0.01 * (first - limit);
  return fmt::format("L(0) = {},\\quad L_\\infty = {} \\\\ L(t) = L_\\infty+0.01\\,(L(0)-L_\\infty) = {} \\\\ t = {}",
                     fixed(first), fixed(limit), formulaFixed(target, 8), n(*point.time99));
}

std::string rateTheoryWithNumbers(const markov::Chain& chain, const PointResult& point) {
  if (!point.rateTheory || !point.limit) return {};
  const double w = point.limit->y;
  return fmt::format("2\\cdot{}\\cdot{}\\cdot{}\\cdot(1+2\\cdot{}\\cdot{}) = {}", n(chain.pi0()), n(chain.pi1()),
                     f(chain.switching()), f(w), n(std::abs(w)), formulaFixed(*point.rateTheory, 8));
}

std::string rateWithNumbers(const PointResult& point) {
  if (!point.rate || !point.rateTheory) return {};
  return fmt::format("{},\\quad {}\\ {}", formulaFixed(*point.rate, 8), formulaWords(N_("by theory")),
                     formulaFixed(*point.rateTheory, 8));
}

std::string shareWithNumbers(double share, std::size_t count) {
  if (count == 0) return {};
  const double of = static_cast<double>(count);
  return fmt::format("\\frac{{{:.0f}}}{{{:.0f}}} = {}", std::round(share * of), of, fixed(share));
}

std::string countWithNumbers(std::size_t count, std::size_t all) {
  return "= " + formulaNumber(static_cast<double>(count), 0) +
         ",\\quad N = " + formulaNumber(static_cast<double>(all), 0);
}

std::string gaussWithNumbers(const markov::Chain& chain, double sigma, double probability) {
  std::string value = fixed(probability);
  if (probability > 0.5 && 1 - probability < 5e-7) value = "1-" + formulaNumber(1 - probability);
  std::string integral;
  if (chain.switching() > 0) integral = fmt::format("\\frac12{} = ", plus(probability - 0.5));
  return fmt::format("\\sigma = {},\\quad p+q = {} {} 1 \\\\ P = {}{}", n(sigma), n(chain.p + chain.q),
                     chain.switching() > 0 ? ">" : "<", integral, value);
}

}  // namespace sepx::ui

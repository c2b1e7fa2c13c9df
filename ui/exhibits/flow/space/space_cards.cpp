// SPDX-License-Identifier: Apache-2.0
// The cards of the space page: every formula, the formula with the present numbers, and which errors of the paper a
// person should know there. Getters compute no more than a formula.
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "engine/markov/unbounded_surface.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/space/space_page.h"
#include "ui/properties/formula.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kS = "S = e^2\\,(1+ae^2)\\,(1+2w|w|)";
constexpr const char* kEnergy = "E(e,w,a) = e^2-\\left(w^2+\\sgn(w)\\,\\log|w|\\right)-2a^2";
constexpr const char* kSurface =
    "a = k\\,\\frac{\\mathrm{Ai}'(-ks)}{\\mathrm{Ai}(-ks)},\\quad s = e^2-4a^2,\\quad k = 4^{-1/3},\\quad p+q>1,\\ "
    "w\\ge0";
constexpr const char* kAngle =
    "\\frac{da}{ds} &= a^2+\\frac s4,\\quad s = e^2-4a^2,\\quad k = 4^{-1/3} \\\\ \\tan\\varphi &= "
    "\\frac{a\\,\\mathrm{Ai}(-ks)-k\\,\\mathrm{Ai}'(-ks)}{a\\,\\mathrm{Bi}(-ks)-k\\,\\mathrm{Bi}'(-ks)}";

std::string text(const char* words) {
  return std::string("\\text{") + tr(words) + "}";
}

std::string basinFormula() {
  return "p+q>1,\\ w\\ge0:\\ & \\begin{cases}" + text(N_("global minimum")) +
         " & s\\ge3.71151 \\text{ or } a<k\\,\\frac{\\mathrm{Ai}'(-ks)}{\\mathrm{Ai}(-ks)} \\\\" +
         text(N_("local minimum")) + " & " + text(N_("otherwise")) +
         "\\end{cases} \\\\ p+q<1,\\ w\\ge0,\\ e\\ne0:\\ & " + text(N_("global minimum")) +
         " \\\\ & s = e^2-4a^2,\\quad k = 4^{-1/3}";
}

class Cards {
 public:
  Cards(PropertyRegistry& registry, const SpaceReadings& readings) : registry_(registry), r_(readings) {}

  void all() {
    const std::string point = "flow.points[].space.";
    add(point + "S", kS, [](const FlowPoint& at, const SpacePoint& of) { return sWithNumbers(at, of); });
    add(point + "loss", "L = \\Lambda(S),\\quad " + std::string(kS));
    add(point + "energy", kEnergy, energyWithNumbers);
    add(point + "angle", kAngle, angleWithNumbers, {"l2g-2"});
    for (const char* key : {"kind", "theory", "words"})
      add(point + key, basinFormula(), sideWithNumbers, {"l2g-1", "l2g-2"});
    add(point + "planekind", "", {}, {"l2g-2"});
    add(point + "plane", "", {}, {"l2g-2"});
    add(point + "status", kSurface, sideWithNumbers, {"l2g-1"});
    add(point + "reason", kSurface, sideWithNumbers, {"l2g-1", "l2g-3"});
    add(point + "distance", "|e|-e(a),\\quad " + std::string(kSurface), distanceWithNumbers, {"l2g-1"});
    add(point + "drift.energy", "\\max_t \\frac{|E(\\theta_t)-E(\\theta_0)|}{1+|E(\\theta_0)|}");
    add(point + "drift.angle", "\\max_t |\\varphi(\\theta_t)-\\varphi(\\theta_0)|");
    for (const char* key : {"limit.e", "limit.w", "limit.a"})
      add(point + key,
          "E(\\theta_\\infty) = E(\\theta_0),\\quad \\varphi(\\theta_\\infty) = \\varphi(\\theta_0),\\quad "
          "\\begin{cases} S = S_\\star & " +
              text(N_("global minimum")) + " \\\\ e = 0 & " + text(N_("otherwise")) + "\\end{cases}");
    add(point + "limit.loss", "L(\\theta_\\infty) = \\begin{cases} H(x_{n+1}\\mid x_n) & " +
                                  text(N_("global minimum")) + " \\\\ H(\\pi) & " + text(N_("otherwise")) +
                                  "\\end{cases}");
    shown();
  }

 private:
  using WithNumbers = std::function<std::string(const FlowPoint&, const SpacePoint&)>;

  void add(const std::string& key, std::string formula, WithNumbers numbers = {},
           std::vector<std::string> errata = {}) {
    CardText card;
    card.formula = std::move(formula);
    card.errata = std::move(errata);
    card.formulaApplies = [](const Document& document) { return chosenField(document) == kCanonicalField; };
    if (numbers)
      card.withNumbers = [&r = r_, numbers = std::move(numbers)](int index) -> std::string {
        const auto i = static_cast<std::size_t>(index);
        if (index < 0 || i >= r.results.points() || i >= r.shared.state.points.size()) return {};
        return numbers(r.shared.state.points[i], r.results.point(i));
      };
    registry_.explain(key, std::move(card));
  }

  void shown() {
    add("flow.space.show.theta_star", std::string(kS) + " = S_\\star = \\log\\frac{(1-p)(1-q)}{p\\,q}");
    add("flow.space.show.separatrix", kSurface, {}, {"l2g-1", "l2g-2"});
    add("flow.space.show.energy", kEnergy);
    add("flow.space.show.curves", "1+ae^2 = 0,\\quad 1+2w|w| = 0", {}, {"l2g-3"});
    add("flow.space.show.minima", "e = 0,\\quad \\sgn\\left((p+q-1)(1+2w|w|)\\right)");
    const SpaceReadings& r = r_;
    const auto share = [&](markov::LimitKind kind) {
      CardText card;
      card.formula = "\\frac1N\\sum_{i=1}^{N}\\mathbb{1}\\left[k_i = \\text{" + kindWords(kind) + "}\\right]";
      card.errata = {"l2g-2"};
      registry_.explain("flow.space.slice.share." + std::string(markov::limitName(kind)), std::move(card));
    };
    share(markov::LimitKind::GlobalMin);
    share(markov::LimitKind::LocalMin);
    CardText differ;
    differ.formula = "\\sum_{i=1}^{N}\\mathbb{1}\\left[k_i\\ne k_i'\\right]";
    differ.withNumbers = [&r](int) -> std::string {
      const auto& section = r.results.section();
      if (!section || !section->of.integrate || !section->finished) return {};
      return fmt::format("= {},\\quad N = {}", formulaNumber(static_cast<double>(section->disagreements), 0),
                         formulaNumber(static_cast<double>(section->side) * section->side, 0));
    };
    registry_.explain("flow.space.slice.disagreements", std::move(differ));
  }

  static std::string sWithNumbers(const FlowPoint& at, const SpacePoint& of) {
    if (!of.S) return {};
    const std::string e = formulaFactor(at.e, 4), w = formulaNumber(std::abs(at.w), 4);
    return fmt::format("= {0}^2\\left(1{1}{2}\\cdot{0}^2\\right)\\left(1{3}2\\cdot{4}^2\\right) = {5}", e,
                       at.a < 0 ? "-" : "+", formulaNumber(std::abs(at.a), 4), at.w < 0 ? "-" : "+", w,
                       formulaNumber(*of.S));
  }

  static std::string energyWithNumbers(const FlowPoint& at, const SpacePoint& of) {
    if (!of.energy) return {};
    const std::string e = formulaFactor(at.e, 4), w = formulaNumber(std::abs(at.w), 4), a = formulaFactor(at.a, 4);
    return fmt::format("= {0}^2-{1}^2{2}\\log {1}-2\\cdot{3}^2 = {4}", e, w, at.w < 0 ? "+" : "-", a,
                       formulaNumber(*of.energy));
  }

  static std::string angleWithNumbers(const FlowPoint& at, const SpacePoint& of) {
    if (!of.angle) return {};
    return fmt::format("s = {},\\quad \\varphi = {}", formulaNumber(at.e * at.e - 4 * at.a * at.a),
                       formulaNumber(*of.angle));
  }

  /// s, a, and where the surface is at this s.
  static std::string sideWithNumbers(const FlowPoint& at, const SpacePoint&) {
    const double s = at.e * at.e - 4 * at.a * at.a, surface = markov::unboundedSurfaceA(s);
    std::string words = fmt::format("s = {},\\quad a = {}", formulaNumber(s), formulaNumber(at.a));
    if (std::isfinite(surface))
      words +=
          fmt::format(",\\quad k\\,\\frac{{\\mathrm{{Ai}}'(-ks)}}{{\\mathrm{{Ai}}(-ks)}} = {}", formulaNumber(surface));
    return words;
  }

  static std::string distanceWithNumbers(const FlowPoint& at, const SpacePoint& of) {
    if (!of.distance) return {};
    return fmt::format("= {}-{} = {}", formulaNumber(std::abs(at.e)), formulaNumber(std::abs(at.e) - *of.distance),
                       formulaNumber(*of.distance));
  }

  PropertyRegistry& registry_;
  const SpaceReadings& r_;
};

}  // namespace

void declareSpaceCards(PropertyRegistry& registry, const SpaceReadings& readings) {
  Cards(registry, readings).all();
}

}  // namespace sepx::ui

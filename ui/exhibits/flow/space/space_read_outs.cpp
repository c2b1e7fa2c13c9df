// SPDX-License-Identifier: Apache-2.0
// The read-outs of the space page: what is known of every point in (e, w, a) and of the section, with their cards.
// Getters answer monostate for what is not there now; they compute no more than a formula.
#include <cmath>

#include <fmt/format.h>

#include "engine/markov/unbounded_surface.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_declare_numbers.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/space/space_page.h"
#include "ui/properties/formula.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

using namespace declaring;

namespace {

constexpr const char* kAngle =
    "\\frac{da}{ds} &= a^2+\\frac s4,\\quad s = e^2-4a^2,\\quad k = 4^{-1/3} \\\\ \\tan\\varphi &= "
    "\\frac{a\\,\\mathrm{Ai}(-ks)-k\\,\\mathrm{Ai}'(-ks)}{a\\,\\mathrm{Bi}(-ks)-k\\,\\mathrm{Bi}'(-ks)}";

std::string sideFormula() {
  const std::string global = formulaWords(N_("global minimum"));
  return "p+q>1,\\ w\\ge0:\\ & \\begin{cases}" + global +
         " & s\\ge3.71151 \\text{ or } a<k\\,\\frac{\\mathrm{Ai}'(-ks)}{\\mathrm{Ai}(-ks)} \\\\" +
         formulaWords(N_("local minimum")) + " & " + formulaWords(N_("otherwise")) +
         "\\end{cases} \\\\ p+q<1,\\ w\\ge0,\\ e\\ne0:\\ & " + global + " \\\\ & s = e^2-4a^2,\\quad k = 4^{-1/3}";
}

/// A point with what became of it.
struct Placed {
  const FlowPoint& at;
  const SpacePoint& of;
};

std::string driftWords(double value) {
  return value == 0 ? std::string("0") : shownPower(value);
}
Value sentence(const std::string& text) {
  return text.empty() ? Value() : Value(sentenceCase(text));
}

std::string sWithNumbers(const Placed& placed) {
  const auto& [at, of] = placed;
  if (!of.S) return {};
  const std::string e = formulaFactor(at.e, 4), w = formulaNumber(std::abs(at.w), 4);
  return fmt::format("= {0}^2\\left(1{1}{2}\\cdot{0}^2\\right)\\left(1{3}2\\cdot{4}^2\\right) = {5}", e,
                     at.a < 0 ? "-" : "+", formulaNumber(std::abs(at.a), 4), at.w < 0 ? "-" : "+", w,
                     formulaNumber(*of.S));
}

std::string spaceEnergyWithNumbers(const Placed& placed) {
  const auto& [at, of] = placed;
  if (!of.energy) return {};
  const std::string e = formulaFactor(at.e, 4), w = formulaNumber(std::abs(at.w), 4), a = formulaFactor(at.a, 4);
  return fmt::format("= {0}^2-{1}^2{2}\\log {1}-2\\cdot{3}^2 = {4}", e, w, at.w < 0 ? "+" : "-", a,
                     formulaNumber(*of.energy));
}

std::string angleWithNumbers(const Placed& placed) {
  const auto& [at, of] = placed;
  if (!of.angle) return {};
  return fmt::format("s = {},\\quad \\varphi = {}", formulaNumber(at.e * at.e - 4 * at.a * at.a),
                     formulaNumber(*of.angle));
}

/// s, a, and where the surface is at this s.
std::string sideWithNumbers(const Placed& placed) {
  const FlowPoint& at = placed.at;
  const double s = at.e * at.e - 4 * at.a * at.a, surface = markov::unboundedSurfaceA(s);
  std::string words = fmt::format("s = {},\\quad a = {}", formulaNumber(s), formulaNumber(at.a));
  if (std::isfinite(surface))
    words +=
        fmt::format(",\\quad k\\,\\frac{{\\mathrm{{Ai}}'(-ks)}}{{\\mathrm{{Ai}}(-ks)}} = {}", formulaNumber(surface));
  return words;
}

std::string distanceWithNumbers(const Placed& placed) {
  const auto& [at, of] = placed;
  if (!of.distance) return {};
  return fmt::format("= {}-{} = {}", formulaNumber(std::abs(at.e)), formulaNumber(std::abs(at.e) - *of.distance),
                     formulaNumber(*of.distance));
}

/// The two ways to read a point: by what became of it, and also by where it is.
auto placedOf(const SpaceReadings& r) {
  return Getters([&r](int index) -> std::optional<Placed> {
    const auto i = static_cast<std::size_t>(index);
    if (index < 0 || i >= r.results.points() || i >= r.shared.state.points.size()) return std::nullopt;
    return Placed{r.shared.state.points[i], r.results.point(i)};
  });
}
auto resultOf(const SpaceReadings& r) {
  return Getters([&r](int index) {
    const auto i = static_cast<std::size_t>(index);
    return index >= 0 && i < r.results.points() && i < r.shared.state.points.size() ? &r.results.point(i) : nullptr;
  });
}
Common ofPoints() {
  return {.prefix = "flow.points[].space.", .applies = onPages({"space"}, canonical), .formulaApplies = canonical};
}

// clang-format off
void readEnds(PropertyRegistry& registry, const SpaceReadings& r) {
  const auto point = resultOf(r);
  const auto placed = placedOf(r);
  const auto side = placed.text(sideWithNumbers);
  declareReadOuts(registry, ofPoints(), {
      {.key = "kind", .label = N_("Limit in space"),
       .help = N_("Where gradient flow of (e, w, a) comes to rest from this point, by integration."),
       .equation = "Local-to-Global, Theorem 10", .formula = sideFormula(), .withNumbers = side,
       .errata = {"l2g-1", "l2g-2"}, .get = point([](const SpacePoint& p) { return labelOf(p.kind); }),
       .words = labelWords},
      {.key = "theory", .label = N_("Limit by theory"),
       .help = N_("The same by the two invariants of the flow, without following it."),
       .equation = "Local-to-Global, Theorem 3", .formula = sideFormula(), .withNumbers = side,
       .errata = {"l2g-1", "l2g-2"}, .get = point([](const SpacePoint& p) { return labelOf(p.theory); }),
       .words = labelWords, .detail = true},
      {.key = "planekind", .label = N_("Limit in the plane"),
       .help = N_("What the theorems of the plane say of the same e and w; attention changes the basins."),
       .equation = "Local-to-Global, Theorems 2 and 8", .errata = {"l2g-2"},
       .get = point([](const SpacePoint& p) { return labelOf(p.plane); }), .words = labelWords, .detail = true},
      {.key = "status", .label = N_("Status in space"),
       .help = N_("Whether the point came to rest, or why nothing can be said: unbounded, on the separatrix, out of "
                  "time, p + q = 1."),
       .equation = "Local-to-Global, Theorem 3", .formula = kSpaceSurface, .withNumbers = side, .errata = {"l2g-1"},
       .get = point([](const SpacePoint& p) { return p.onSurface ? "unbounded" : markov::statusName(p.status); }),
       .words = statusWords, .detail = true},
      {.key = "words", .label = N_("In words"),
       .help = N_("Where the point ends, and how its loss compares with the two entropies."),
       .formula = sideFormula(), .withNumbers = side, .errata = {"l2g-1", "l2g-2"},
       .get = point([&chain = r.shared.state.chain](const SpacePoint& p) { return sentence(spaceWords(chain, p)); })},
      {.key = "reason", .label = N_("Because"),
       .help = N_("Why nothing can be said of a limit, or why the point stays."), .formula = kSpaceSurface,
       .withNumbers = side, .errata = {"l2g-1", "l2g-3"},
       .get = point([](const SpacePoint& p) { return sentence(spaceReason(p)); })},
      {.key = "plane", .label = N_("The plane says"),
       .help = N_("Where the theorem of the plane differs from what happens in three dimensions."),
       .equation = "Local-to-Global, Theorems 2 and 8", .errata = {"l2g-2"},
       .get = placed([](const Placed& p) { return sentence(planeWords(p.of, p.at.a)); })}});
}

void readInvariants(PropertyRegistry& registry, const SpaceReadings& r) {
  const auto point = resultOf(r);
  const auto placed = placedOf(r);
  declareReadOuts(registry, ofPoints(), {
      {.key = "loss", .label = N_("Loss"), .symbol = "L", .unit = "nats",
       .help = N_("Loss at the point, with the best bias."), .equation = "Local-to-Global, Lemma 13",
       .formula = "L = \\Lambda(S),\\quad " + std::string(kSpaceS), .get = point(&SpacePoint::loss)},
      {.key = "S", .label = N_("Reduced"), .symbol = "S",
       .help = N_("The one number through which the loss depends on the point."),
       .equation = "Local-to-Global, Theorem 10", .formula = kSpaceS, .withNumbers = placed.text(sWithNumbers),
       .get = point(&SpacePoint::S)},
      {.key = "energy", .label = N_("Energy"), .symbol = "E",
       .help = N_("Constant along the flow of (e, w, a) with the best bias."), .equation = "Local-to-Global, (10)",
       .formula = kSpaceEnergy, .withNumbers = placed.text(spaceEnergyWithNumbers), .get = point(&SpacePoint::energy)},
      {.key = "angle", .label = N_("Airy angle"), .symbol = "φ",
       .help = N_("The second invariant of the flow: with s = e² − 4a², a obeys da/ds = a² + s/4, solved by Airy "
                  "functions; the angle of the solution is constant."),
       .formula = kAngle, .withNumbers = placed.text(angleWithNumbers), .errata = {"l2g-2"},
       .get = point(&SpacePoint::angle)},
      {.key = "drift.energy", .label = N_("Drift of E"),
       .help = N_("Largest relative change on the computed path: the integrator's error, 0 for the true flow."),
       .formula = "\\max_t \\frac{|E(\\theta_t)-E(\\theta_0)|}{1+|E(\\theta_0)|}", .get = point(&SpacePoint::energyDrift),
       .numberWords = driftWords, .detail = true},
      {.key = "drift.angle", .label = N_("Drift of φ"),
       .help = N_("Largest change on the computed path, radians: the integrator's error, 0 for the true flow."),
       .formula = "\\max_t |\\varphi(\\theta_t)-\\varphi(\\theta_0)|", .get = point(&SpacePoint::angleDrift),
       .numberWords = driftWords, .detail = true},
      {.key = "distance", .label = N_("To surface"),
       .help = N_("How far |e| is outside the surface of unbounded orbits at this a: above 0 the point reaches a "
                  "global minimum, below 0 a local one."),
       .equation = "Local-to-Global, Theorem 3", .formula = "|e|-e(a),\\quad " + std::string(kSpaceSurface),
       .withNumbers = placed.text(distanceWithNumbers), .errata = {"l2g-1"}, .get = point(&SpacePoint::distance)}});
}

void readPlaces(PropertyRegistry& registry, const SpaceReadings& r) {
  const auto point = resultOf(r);
  const std::string global = formulaWords(N_("global minimum")), otherwise = formulaWords(N_("otherwise"));
  const auto coordinate = [&](std::size_t axis, const char* help) {
    return ReadOut{
        .key = std::string("limit.") + kSpaceAxes[axis], .label = N_("Limit in space"), .symbol = kSpaceAxes[axis],
        .help = help,
        .formula = "E(\\theta_\\infty) = E(\\theta_0),\\quad \\varphi(\\theta_\\infty) = \\varphi(\\theta_0),\\quad "
                   "\\begin{cases} S = S_\\star & " + global + " \\\\ e = 0 & " + otherwise + "\\end{cases}",
        .get = point([axis](const SpacePoint& p) { return p.limit ? valueOf((*p.limit)[axis]) : Value(); })};
  };
  declareReadOuts(registry, ofPoints(), {
      coordinate(0, N_("First coordinate of the limit in space.")),
      coordinate(1, N_("Second coordinate of the limit in space.")),
      coordinate(2, N_("Third coordinate of the limit in space.")),
      {.key = "limit.loss", .label = N_("Loss at the limit in space"), .symbol = "L", .unit = "nats",
       .help = N_("Compare it with the two entropies: H(π) is what a model reaches that ignores the last symbol."),
       .formula = "L(\\theta_\\infty) = \\begin{cases} H(x_{n+1}\\mid x_n) & " + global + " \\\\ H(\\pi) & " + otherwise +
                  "\\end{cases}",
       .get = point(&SpacePoint::limitLoss)}});
}

void readSection(PropertyRegistry& registry, const SpaceReadings& r) {
  const Getters section([&r](int) { return r.results.section(); });
  const Getters compared([&r](int) {
    const auto at = r.results.section();
    return at && at->of.integrate && at->finished ? at : nullptr;
  });
  const auto share = [&](markov::LimitKind kind, const char* label) {
    const auto index = static_cast<std::size_t>(kind);
    return ReadOut{
        .key = "share." + labelOf(kind), .label = label, .help = N_("Share of the section's pixels that end there."),
        .formula = "\\frac1N\\sum_{i=1}^{N}\\mathbb{1}\\left[k_i = \\text{" + kindWords(kind) + "}\\right]",
        .errata = {"l2g-2"},
        .get = section([index](const auto& of) { return index < of.shares.size() ? valueOf(of.shares[index]) : Value(); }),
        .numberWords = shownShare};
  };
  declareReadOuts(registry, {.prefix = "flow.space.slice.", .applies = onPages({"space"}, canonical)}, {
      {.key = "disagreements", .label = N_("Disagreeing pixels of the section"),
       .help = N_("On how many pixels of the section integration and theory differ."),
       .formula = "\\sum_{i=1}^{N}\\mathbb{1}\\left[k_i\\ne k_i'\\right]",
       .withNumbers = compared.text([](const auto& of) {
         return countWithNumbers(of.disagreements, static_cast<std::size_t>(of.side) * static_cast<std::size_t>(of.side));
       }),
       .digits = 0, .get = compared([](const auto& of) { return of.disagreements; })},
      share(markov::LimitKind::GlobalMin, N_("Of the section to global minima")),
      share(markov::LimitKind::LocalMin, N_("Of the section to local minima"))});
}
// clang-format on

}  // namespace

void declareSpaceReadOuts(PropertyRegistry& registry, const SpaceReadings& readings) {
  readEnds(registry, readings);
  readInvariants(registry, readings);
  readPlaces(registry, readings);
  readSection(registry, readings);
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The properties of the space page and its read-outs of every point in (e, w, a) and of the section, with their cards.
// A getter returns monostate for a value that is not available, and computes no more than a formula.
#include "ui/exhibits/flow/space/space_read_outs.h"

#include <cmath>

#include <fmt/format.h>

#include "engine/markov/unbounded_surface.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/properties/formula.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

using namespace declaring;

namespace {

// The surface of unbounded orbits is a result of this project (l2g-2).
constexpr const char* kUnpublished = "unpublished; against Local-to-Global, Theorem 3";

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

/// A point with its result.
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

/// Two kinds of getters of a point: with its position and its result, and with its result alone.
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
void declareEnds(PropertyRegistry& registry, const SpaceReadings& r) {
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
       .help = N_("The same by the two invariants of the flow, without integration."),
       .equation = kUnpublished, .formula = sideFormula(), .withNumbers = side,
       .errata = {"l2g-1", "l2g-2"}, .get = point([](const SpacePoint& p) { return labelOf(p.theory); }),
       .words = labelWords, .detail = true},
      {.key = "planekind", .label = N_("Limit in the plane"),
       .help = N_("What the theorems of the plane predict for the same e and w; attention changes the basins."),
       .equation = "Local-to-Global, Theorems 2 and 8", .errata = {"l2g-2"},
       .get = point([](const SpacePoint& p) { return labelOf(p.plane); }), .words = labelWords, .detail = true},
      {.key = "status", .label = N_("Status of the path"),
       .help = N_("Whether the path has converged, or why not: unbounded, on the separatrix, time limit reached, or "
                  "p + q = 1."),
       .equation = kUnpublished, .formula = kSpaceSurface, .withNumbers = side, .errata = {"l2g-1"},
       .get = point([](const SpacePoint& p) { return p.onSurface ? "unbounded" : markov::statusName(p.status); }),
       .words = statusWords, .detail = true},
      {.key = "words", .label = N_("Description"),
       .help = N_("The limit of the path, and its loss compared with the two entropies."),
       .formula = sideFormula(), .withNumbers = side, .errata = {"l2g-1", "l2g-2"},
       .get = point([&chain = r.shared.state.chain](const SpacePoint& p) { return sentence(spaceWords(chain, p)); })},
      {.key = "reason", .label = N_("Reason"),
       .help = N_("Why there is no limit, or why the point does not move."), .formula = kSpaceSurface,
       .withNumbers = side, .errata = {"l2g-1", "l2g-3"},
       .get = point([](const SpacePoint& p) { return sentence(spaceReason(p)); })},
      {.key = "plane", .label = N_("Plane theorem"),
       .help = N_("Where the theorem of the plane differs from the limit in three dimensions."),
       .equation = "Local-to-Global, Theorems 2 and 8", .errata = {"l2g-2"},
       .get = placed([](const Placed& p) { return sentence(planeWords(p.of, p.at.a)); })}});
}

void declareInvariants(PropertyRegistry& registry, const SpaceReadings& r) {
  const auto point = resultOf(r);
  const auto placed = placedOf(r);
  declareReadOuts(registry, ofPoints(), {
      {.key = "loss", .label = N_("Loss"), .symbol = "L", .unit = "nats",
       .help = N_("Loss at the point, with the best bias."), .equation = "Local-to-Global, Lemma 13",
       .formula = "L = \\Lambda(S),\\quad " + std::string(kSpaceS), .get = point(&SpacePoint::loss)},
      {.key = "S", .label = N_("Reduced"), .symbol = "S",
       .help = N_("The loss depends on the point through this number alone."),
       .equation = "Local-to-Global, Theorem 10", .formula = kSpaceS, .withNumbers = placed.text(sWithNumbers),
       .get = point(&SpacePoint::S)},
      {.key = "energy", .label = N_("Energy"), .symbol = "E",
       .help = N_("Constant along the flow of (e, w, a) with the best bias."), .equation = "Local-to-Global, (10)",
       .formula = kSpaceEnergy, .withNumbers = placed.text(spaceEnergyWithNumbers), .get = point(&SpacePoint::energy)},
      {.key = "angle", .label = N_("Airy angle"), .symbol = "φ",
       .help = N_("The second invariant of the flow: with s = e² − 4a², a obeys da/ds = a² + s/4, solved by Airy "
                  "functions; the angle of the solution is constant."),
       .equation = kUnpublished, .formula = kAngle, .withNumbers = placed.text(angleWithNumbers), .errata = {"l2g-2"},
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
       .equation = kUnpublished, .formula = "|e|-e(a),\\quad " + std::string(kSpaceSurface),
       .withNumbers = placed.text(distanceWithNumbers), .errata = {"l2g-1"}, .get = point(&SpacePoint::distance)}});
}

void declareSpacePlaces(PropertyRegistry& registry, const SpaceReadings& r) {
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
       .help = N_("Compare it with the two entropies: H(π) is the loss of the best model that ignores the last symbol."),
       .formula = "L(\\theta_\\infty) = \\begin{cases} H(x_{n+1}\\mid x_n) & " + global + " \\\\ H(\\pi) & " + otherwise +
                  "\\end{cases}",
       .get = point(&SpacePoint::limitLoss)}});
}

void declareSectionReadOuts(PropertyRegistry& registry, const SpaceReadings& r) {
  const Getters section([&r](int) { return r.results.section(); });
  const Getters compared([&r](int) {
    const auto at = r.results.section();
    return at && at->of.integrate && at->finished ? at : nullptr;
  });
  const auto share = [&](markov::LimitKind kind, const char* label) {
    const auto index = static_cast<std::size_t>(kind);
    return ReadOut{
        .key = "share." + labelOf(kind), .label = label, .help = N_("Share of the section's pixels with this kind of "
                                                                    "limit."),
        .formula = "\\frac1N\\sum_{i=1}^{N}\\mathbb{1}\\left[k_i = " + formulaWords(kindName(kind)) + "\\right]",
        .errata = {"l2g-2"},
        .get = section([index](const auto& of) { return index < of.shares.size() ? valueOf(of.shares[index]) : Value(); }),
        .numberWords = shownShare};
  };
  declareReadOuts(registry, {.prefix = "flow.space.slice.", .applies = onPages({"space"}, canonical)}, {
      {.key = "disagreements", .label = N_("Disagreeing pixels of the section"),
       .help = N_("Number of pixels of the section on which theory and integration differ."),
       .formula = "\\sum_{i=1}^{N}\\mathbb{1}\\left[k_i\\ne k_i'\\right]",
       .withNumbers = compared.text([](const auto& of) {
         return countWithNumbers(of.disagreements, static_cast<std::size_t>(of.side) * static_cast<std::size_t>(of.side));
       }),
       .digits = 0, .get = compared([](const auto& of) { return of.disagreements; })},
      share(markov::LimitKind::GlobalMin, N_("Section share of global minima")),
      share(markov::LimitKind::LocalMin, N_("Section share of local minima"))});
}
// clang-format on

}  // namespace

void declareSpaceReadOuts(PropertyRegistry& registry, const SpaceReadings& readings) {
  declareEnds(registry, readings);
  declareInvariants(registry, readings);
  declareSpacePlaces(registry, readings);
  declareSectionReadOuts(registry, readings);
}

namespace {

constexpr double kFarthestBox = 1e4;

Condition here() {
  return onPages({"space"}, canonical);
}

// clang-format off
void declareCamera(PropertyRegistry& registry) {
  const OrbitCamera home = homeCamera();
  const auto middle = [](std::size_t axis) {
    const auto set = [axis](SpaceState& state, const Value& at) {
      into::assign(state.camera.target[axis], at);
    };
    return Property{.key = std::string("target.") + kSpaceAxes[axis], .into = Into::by<SpaceState>(set),
                    .label = N_("View centre"), .symbol = kSpaceAxes[axis],
                    .min = -50, .max = 50, .step = 0.05, .digits = 2, .fallback = 0.0,
                    .help = N_("Centre of the view relative to the centre of the box, in half sides of the box.")};
  };
  declareParameters(registry, {.prefix = "flow.space.", .applies = here(), .undoable = false, .detail = true}, {
      {.key = "yaw", .into = {&SpaceState::camera, &OrbitCamera::yaw},
       .label = N_("Azimuth"), .unit = "°", .min = -180, .max = 180, .step = 1, .digits = 1,
       .fallback = home.yaw, .help = N_("Angle about the axis a in degrees; at 0 the view is along w, with e to the right.")},
      {.key = "pitch", .into = {&SpaceState::camera, &OrbitCamera::pitch},
       .label = N_("Elevation"), .unit = "°", .min = -90, .max = 90, .step = 1, .digits = 1,
       .fallback = home.pitch, .help = N_("Angle of the camera above the plane of e and w in degrees.")},
      {.key = "distance",
       .into = {&SpaceState::camera, &OrbitCamera::distance},
       .label = N_("Distance"), .min = kLeastDistance, .max = kLargestDistance,
       .scale = Scale::Logarithmic, .step = 0.1, .digits = 2, .fallback = home.distance,
       .help = N_("The distance of the camera from the centre of the view, in half sides of the box.")},
      middle(0), middle(1), middle(2),
      {.key = "perspective",
       .into = {&SpaceState::camera, &OrbitCamera::perspective}, .label = N_("Perspective"), .fallback = true,
       .help = N_("Near objects look larger; without it, parallel lines stay parallel and lengths can be compared.")}});
}

void declareLegend(PropertyRegistry& registry) {
  const auto fold = [](SpaceState& state, const Value& word) {
    state.legend.open.reset();
    if (toString(word) != "auto") state.legend.open = toString(word) == "open";
  };
  const auto share = [](const char* key, double SpaceLegend::*member, const char* label) {
    return Property{.key = key, .into = {&SpaceState::legend, member},
                    .label = label, .max = 1, .step = 0.01, .digits = 3, .fallback = 0.0,
                    .help = N_("Position of the legend of this page, as a share of the free space. Drag the legend to "
                               "move it.")};
  };
  declareParameters(registry, {.prefix = "flow.space.legend.", .applies = here(), .undoable = false, .detail = true}, {
      share("x", &SpaceLegend::x, N_("Legend, from the left")), share("y", &SpaceLegend::y, N_("Legend, from the top")),
      {.key = "fold", .into = Into::by<SpaceState>(fold), .label = N_("Legend rows"),
       .options = {{"auto", N_("automatic")}, {"open", N_("all")}, {"folded", N_("title only")}},
       .help = N_("How many rows the legend shows; a click on it folds and unfolds it.")}});
}

Result<Document> boxFollows(std::size_t axis, const Document& with) {
  constexpr double kThinnest = 1e-6;
  const double low = numberAt(with, boxKey(axis, true), -2), high = numberAt(with, boxKey(axis, false), 2);
  if (high - low > kThinnest * (1 + std::abs(low))) return with;
  return fail(ErrorKind::Usage, tr("the lower end of the box must be below its upper end"));
}

void declareBox(PropertyRegistry& registry) {
  std::vector<Property> ends;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const bool low : {true, false})
      ends.push_back(
          {.key = boxKey(axis, low),
           .into = Into::by<SpaceState>([axis, low](SpaceState& state, const Value& at) {
             into::assign((low ? state.box.low : state.box.high)[axis], at);
           }),
           .label = low ? N_("Box from") : N_("Box to"), .symbol = kSpaceAxes[axis],
           .min = -kFarthestBox, .max = kFarthestBox, .step = 0.1, .digits = 2, .fallback = low ? -2.0 : 2.0,
           .help = N_("The part of space that is shown: surfaces and paths are cut off at the box."),
           .follow = [axis](const Document&, const Document& with) { return boxFollows(axis, with); }});
  declareParameters(registry, {.applies = here(), .detail = true}, std::move(ends));
}

void declareSurfaces(PropertyRegistry& registry) {
  declareParameters(registry, {.prefix = "flow.space.", .applies = here(), .formulaApplies = canonical}, {
      {.key = "show.theta_star",
       .into = {&SpaceState::show, &SpaceShow::thetaStar}, .label = N_("Minima Θ⋆"), .fallback = true,
       .help = N_("The sheets on which S = S⋆: the loss is the entropy rate H(x′|x). Lines of equal a."),
       .equation = "Local-to-Global, Theorem 10",
       .formula = std::string(kSpaceS) + " = S_\\star = \\log\\frac{(1-p)(1-q)}{p\\,q}"},
      {.key = "show.minima",
       .into = {&SpaceState::show, &SpaceShow::axisPlane}, .label = N_("Plane e = 0"), .fallback = true,
       .help = N_("The plane e = 0: local minima on one side of w = −1/√2, local maxima on the other."),
       .equation = "Local-to-Global, Theorem 10", .formula = "e = 0,\\quad \\sgn\\left((p+q-1)(1+2w|w|)\\right)"},
      {.key = "show.separatrix",
       .into = {&SpaceState::show, &SpaceShow::separatrix}, .label = N_("Unbounded"), .fallback = true,
       .help = N_("The exact surface, for p + q > 1 and w ≥ 0, whose points have no limit. It separates the two "
                  "basins. Lines of equal loss."),
       .equation = kUnpublished, .formula = kSpaceSurface, .errata = {"l2g-1", "l2g-2"}},
      {.key = "show.energy",
       .into = {&SpaceState::show, &SpaceShow::energy}, .label = N_("Energy sheet"), .fallback = false,
       .help = N_("All points with the energy of the selected point, on its side of w = 0. Its path stays on this "
                  "sheet. Lines of equal loss."),
       .equation = "Local-to-Global, (10)", .formula = kSpaceEnergy},
      {.key = "show.curves", .into = {&SpaceState::show, &SpaceShow::curves}, .label = N_("Saddles"), .fallback = true,
       .help = N_("The line of saddles, and the stationary curves 1 + ae² = 0, w = −1/√2: strict saddles."),
       .equation = "Local-to-Global, Theorem 10", .formula = "1+ae^2 = 0,\\quad 1+2w|w| = 0", .errata = {"l2g-3"}},
      {.key = "show.paths", .into = {&SpaceState::show, &SpaceShow::paths}, .label = N_("Paths"), .fallback = true,
       .help = N_("The path of gradient flow from every initial point.")},
      {.key = "opacity",
       .into = &SpaceState::opacity, .label = N_("Opacity"), .min = 0.05, .step = 0.05, .digits = 2, .fallback = 0.3,
       .help = N_("The opacity of the surfaces.")}});
}

void declareClips(PropertyRegistry& registry) {
  for (std::size_t i = 0; i < kSpaceAxes.size(); ++i) {
    const char* const axis = kSpaceAxes[i];
    const std::string keep = std::string("flow.space.clip.") + axis + ".keep";
    const auto cuts = [keep](const Document& document) {
      const Json& keeps = document.at(keep);
      return keeps.is_string() && keeps != "all";
    };
    const auto clip = [i](auto set) {
      return Into::by<SpaceState>([i, set](SpaceState& state, const Value& value) { set(state.clip[i], value); });
    };
    declareParameters(registry, {.applies = here()}, {
        {.key = keep, .into = clip([](SpaceClip& one, const Value& word) {
           one.keep = toString(word) == "below"   ? SpaceClip::Keep::Below
                      : toString(word) == "above" ? SpaceClip::Keep::Above
                                                  : SpaceClip::Keep::All;
         }), .label = N_("Keep"), .symbol = axis,
         .options = {{"all", N_("everything")}, {"below", N_("below the plane")}, {"above", N_("above the plane")}},
         .help = N_("A plane across this axis cuts surfaces and paths, so that the inside is visible.")},
        {.key = std::string("flow.space.clip.") + axis + ".at",
         .into = clip([](SpaceClip& one, const Value& at) { into::assign(one.at, at); }),
         .label = N_("Cut at"), .symbol = axis,
         .min = -kFarthestBox, .max = kFarthestBox, .step = 0.05, .fallback = 0.0,
         .help = N_("Position of the clip plane; drag its corner to move it."), .applies = cuts}});
  }
}

void declareSlice(PropertyRegistry& registry) {
  const auto shade = [](SpaceState& state, const Value& word) { state.basins = toString(word) != "loss"; };
  declareParameters(registry, {.prefix = "flow.space.slice.", .applies = here()}, {
      {.key = "show", .into = &SpaceState::slice, .label = N_("Section"), .fallback = true,
       .help = N_("A plane across one axis; its section is shown beside the picture.")},
      {.key = "axis", .into = {&SpaceState::section, &markov::SectionPlane::axis},
       .label = N_("Across"), .choices = {"e", "w", "a"}, .fallback = "a",
       .help = N_("The coordinate that is constant on the section.")},
      {.key = "at", .into = {&SpaceState::section, &markov::SectionPlane::at},
       .label = N_("At"), .min = -kFarthestBox, .max = kFarthestBox, .step = 0.02, .fallback = 0.0,
       .help = N_("Position of the slice plane; drag its corner or its slider, or turn the wheel over the section.")},
      {.key = "shade", .into = Into::by<SpaceState>(shade),
       .label = N_("Shaded by"), .options = {{"basin", N_("basin")}, {"loss", N_("loss")}},
       .help = N_("What the pixels of the section show: where each would end, or its loss.")},
      {.key = "method", .into = &SpaceState::integrate, .label = N_("Basins by"),
       .options = {{"exact", N_("theory")}, {"integrate", N_("integration")}},
       .help = N_("By the two invariants of the flow, by integrating from every pixel, or by both, counting the "
                  "pixels on which they disagree."),
       .errata = {"l2g-2"}}});
}
// clang-format on

}  // namespace

void declareSpace(PropertyRegistry& registry) {
  declareCamera(registry);
  declareLegend(registry);
  declareBox(registry);
  declareSurfaces(registry);
  declareClips(registry);
  declareSlice(registry);
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Declares the initial points: their coordinates, names, colours and read-outs, and the parameters for placing many
// points at once. A getter returns monostate if its value is not available.
#include "ui/exhibits/flow/shared/points_declare.h"

#include <cmath>

#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/points_sampling.h"
#include "ui/properties/formula.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

using namespace declaring;

namespace {

constexpr const char* kFlowFormula = "\\frac{d\\theta_t}{dt} = -\\nabla L(\\theta_t)";

void declarePlaces(PropertyRegistry& registry, const FlowShared& live) {
  const std::vector<FieldPointer>& fields = live.fields;
  // clang-format off
  declareParameters(registry, {.prefix = "flow.points[].", .formulaApplies = canonical}, {
      {.key = "e", .label = N_("Embedding"), .symbol = "e", .min = -kFarthest, .max = kFarthest, .digits = 4,
       .fallback = 0.0, .help = N_("First coordinate of the initial point: the scale of the embedding."),
       .equation = "Local-to-Global, section 3", .formula = "\\mathbf{x}_n = e\\left(x_n-\\frac12\\right)\\alpha",
       .errata = {"l2g-12", "l2g-15"}, .liveLabel = coordinateName(fields, N_("Embedding"), N_("Coordinate"), 0)},
      {.key = "w", .label = N_("Weight"), .symbol = "w", .min = -kFarthest, .max = kFarthest, .digits = 4,
       .fallback = 0.0, .help = N_("Second coordinate of the initial point: the scale of the feed-forward weights."),
       .equation = "Local-to-Global, section 3",
       .formula = "\\mathbf{W}_1 = \\frac{|w|}{\\sqrt d}\\,\\mathbf{1}\\,\\alpha^\\top,\\quad \\mathbf{W}_2 = "
                  "\\frac{w}{\\sqrt d}\\,\\alpha\\,\\mathbf{1}^\\top",
       .errata = {"l2g-15"}, .liveLabel = coordinateName(fields, N_("Weight"), N_("Coordinate"), 1)},
      {.key = "a", .label = N_("Attention"), .symbol = "a", .min = -kFarthest, .max = kFarthest, .digits = 4,
       .fallback = 0.0,
       .help = N_("Third coordinate of the initial point: the scale of the attention. The plane does not use it."),
       .equation = "Local-to-Global, A.2",
       .applies = onPagesWith(live, &FlowTraits::attention, canonical)},
      {.key = "name", .label = N_("Name"), .fallback = "", .help = N_("A short name, shown beside the point.")},
      {.key = "color", .label = N_("Colour"), .fallback = "",
       .help = N_("The colour of the point and its path. Without one the colour is that of the kind of limit."),
       .color = true}});
  declareParameters(registry, {.prefix = "flow."}, {
      {.key = "selected",
       .into = &FlowState::selected, .label = N_("Selected point"), .kind = Kind::Integer, .min = -1, .max = 1e6,
       .fallback = -1.0, .help = N_("Index of the selected point, −1 for none."), .undoable = false,
       .listOf = "flow.points"}});
  // clang-format on
}

void declareSampling(PropertyRegistry& registry, const FlowShared& live) {
  const Common common{.prefix = "flow.sampling.", .applies = onPagesWith(live, &FlowTraits::points), .detail = true};
  // clang-format off
  declareParameters(registry, common, {
      {.key = "count",
       .into = &Sampling::count,
       .label = N_("Number"), .symbol = "n", .kind = Kind::Integer, .min = 1, .max = kMostSampled,
       .scale = Scale::Logarithmic, .fallback = 25.0,
       .help = N_("Number of initial points that a grid, a ring or a Gaussian cloud places at once.")},
      {.key = "radius", .into = &Sampling::radius, .label = N_("Half width"), .symbol = "r", .min = 1e-6, .max = 1e6,
       .scale = Scale::Logarithmic, .step = 0.05, .fallback = 1.0,
       .help = N_("Radius of the ring; half the side of the square that the grid fills.")},
      {.key = "sigma",
       .into = &Sampling::sigma,
       .label = N_("Spread"), .symbol = "σ", .min = 1e-6, .max = 1e6, .scale = Scale::Logarithmic,
       .fallback = 0.3, .help = N_("Standard deviation of every coordinate of the Gaussian cloud of points."),
       .equation = "Local-to-Global, section 4"},
      {.key = "seed", .into = &Sampling::seed, .label = N_("Seed"), .kind = Kind::Integer, .max = 1e6, .fallback = 0.0,
       .help = N_("The same seed places the same Gaussian cloud on every machine.")},
      {.key = "center", .label = N_("Centre"),
       .options = {{"origin", N_("the origin")}, {"selected", N_("the selected point")}},
       .help = N_("Centre of the points that are placed; the origin if no point is selected.")},
      {.key = "mode", .label = N_("Existing points"), .options = {{"add", N_("stay")}, {"replace", N_("are replaced")}},
       .fallback = "replace",
       .help = N_("Whether the new points are added to the existing ones or replace them.")}});
  declareParameters(registry, {.prefix = "flow.show."}, {
      {.key = "backward", .into = &FlowState::showBackward, .label = N_("Backward paths"), .fallback = false,
       .help = N_("Also draws the flow backwards in time from each point, dashed. The animation starts on this path."),
       .applies = onPagesWith(live, &FlowTraits::backward)}});
  // clang-format on
}

/// Fixed-point, or with a power of ten, because times can have any size: near p + q = 1 they grow without bound.
std::string shownTime(double time) {
  if (time == 0) return "0";
  return time >= 0.001 && time < 1e6 ? shownFixed(time, 3) : shownPower(time);
}

std::string sourceWords(const std::string& source) {
  return source == "exact" ? tr("theory") : tr("integration");
}

/// A point of the canonical plane with its result.
struct Followed {
  const markov::Chain& chain;
  double e, w;
  const PointResult& result;
};

/// Two kinds of getters for a point: of its result, and, for cards, of its result and its position in the canonical
/// plane.
auto resultOf(const FlowShared& readings) {
  return Getters([&results = readings.results](int index) {
    const auto i = static_cast<std::size_t>(index);
    return index >= 0 && i < results.points() ? &results.point(i) : nullptr;
  });
}
auto followedOf(const FlowShared& readings) {
  return Getters([&state = readings.state, &results = readings.results](int index) -> std::optional<Followed> {
    const auto i = static_cast<std::size_t>(index);
    if (!state.canonical || index < 0 || i >= state.points.size() || i >= results.points()) return std::nullopt;
    return Followed{state.chain, state.points[i].e, state.points[i].w, results.point(i)};
  });
}

// Read-outs of points belong to the plane page; other pages follow the points in other models.
Common ofPoints(Condition also = {}) {
  return {.prefix = "flow.points[].", .applies = onPlane(std::move(also)), .formulaApplies = canonical};
}

void declarePlaceReadOuts(PropertyRegistry& registry, const FlowShared& readings) {
  const auto point = resultOf(readings);
  const auto followed = followedOf(readings);
  const auto state = gettersOf(readings.state);
  // clang-format off
  declareReadOuts(registry, {.prefix = "flow.points."}, {
      {.key = "count", .label = N_("Points"),
       .help = N_("Number of initial points. The path of each is computed from there to its limit."),
       .digits = 0, .get = state([](const FlowState& of) { return of.points.size(); })}});
  declareReadOuts(registry, ofPoints(), {
      {.key = "loss", .label = N_("Loss"), .symbol = "L", .unit = "nats",
       .help = N_("Loss at the point, with the best bias."), .equation = "Local-to-Global, Lemma 5",
       .formula = kLossFormula,
       .withNumbers = followed.text([](const Followed& at) { return lossWithNumbers(at.chain, at.e, at.w); }),
       .errata = {"l2g-10", "l2g-6", "l2g-12"}, .get = point(&PointResult::loss), .applies = canonical},
      {.key = "energy", .label = N_("Energy"), .symbol = "E",
       .help = N_("Constant along the flow: every path stays on its energy contour."),
       .equation = "Local-to-Global, (4)", .formula = "E(e,w) = e^2-\\left(w^2+\\sgn(w)\\,\\log|w|\\right)",
       .withNumbers = followed.text([](const Followed& at) { return energyWithNumbers(at.e, at.w); }),
       .errata = {"l2g-11"}, .get = point(&PointResult::energy), .applies = canonical, .detail = true},
      {.key = "basin", .label = N_("Basin"),
       .help = N_("Which basin of attraction the point is in: all points of a basin come to rest on the same kind of "
                  "limit."),
       .equation = "Local-to-Global, Theorems 2 and 8", .formula = basinFormula(),
       .withNumbers = followed.text([](const Followed& at) { return basinWithNumbers(at.chain, at.e, at.w); }),
       .errata = {"l2g-8", "l2g-19"}, .get = point([](const PointResult& p) { return labelOf(p.kind); }),
       .words = labelWords, .detail = true},
      {.key = "status", .label = N_("Status"),
       .help = N_("Whether the path has converged, or why not: on the separatrix, time limit reached, or p + q = 1."),
       .errata = {"l2g-9", "l2g-17"},
       .get = point([](const PointResult& p) { return markov::statusName(p.status); }), .words = statusWords,
       .detail = true}});
  // clang-format on
}

void declareLimitReadOuts(PropertyRegistry& registry, const FlowShared& readings) {
  const auto point = resultOf(readings);
  const auto followed = followedOf(readings);
  const std::vector<FieldPointer>& fields = readings.fields;
  const auto place = [&](const char* key, const char* help, double render::Point::*coordinate, std::size_t variable) {
    return ReadOut{
        .key = key,
        .label = N_("Limit"),
        .symbol = variable == 0 ? "e" : "w",
        .help = help,
        .formula =
            "E(e_\\infty,w_\\infty) = E(e_0,w_0),\\quad \\begin{cases} e_\\infty^2\\,(1+2w_\\infty|w_\\infty|) "
            "= S_\\star & " +
            formulaWords(N_("global minimum")) + " \\\\ e_\\infty = 0 & " + formulaWords(N_("otherwise")) +
            "\\end{cases}",
        .withNumbers =
            followed.text([](const Followed& at) { return limitPlaceWithNumbers(at.chain, at.e, at.w, at.result); }),
        .errata = {"l2g-9"},
        .get =
            point([coordinate](const PointResult& p) { return p.limit ? valueOf((*p.limit).*coordinate) : Value(); }),
        .liveLabel = coordinateName(fields, N_("Limit"), N_("Limit"), variable)};
  };
  // clang-format off
  declareReadOuts(registry, ofPoints(), {
      {.key = "limit.kind", .label = N_("Limit"),
       .help = N_("Where gradient flow comes to rest from this point: on the curve of global minima, on a bad local "
                  "minimum, on the saddle between the basins, or on a local maximum, which is reached only from "
                  "points exactly on it."),
       .equation = "Local-to-Global, Theorem 1", .formula = limitFormula(),
       .withNumbers = followed.text([](const Followed& at) { return limitWithNumbers(at.chain, at.result); }),
       .errata = {"l2g-11"},
       .get = point([](const PointResult& p) { return p.limit ? valueOf(labelOf(p.limitKind)) : Value(); }),
       .words = labelWords},
      {.key = "limit.loss", .label = N_("Loss at the limit"), .symbol = "L", .unit = "nats",
       .help = N_("Compare it with the two entropies: H(π) is the loss of the best model that ignores the last symbol."),
       .formula = "L(\\theta_\\infty) = \\begin{cases} H(x_{n+1}\\mid x_n) & " + formulaWords(N_("global minimum")) +
                  " \\\\ H(\\pi) & " + formulaWords(N_("otherwise")) + "\\end{cases}",
       .withNumbers = followed.text([](const Followed& at) { return limitLossWithNumbers(at.result); }),
       .errata = {"l2g-11"}, .get = point(&PointResult::limitLoss), .applies = canonical},
      place("limit.e", N_("First coordinate of the limit."), &render::Point::x, 0),
      place("limit.w", N_("Second coordinate of the limit."), &render::Point::y, 1),
      {.key = "limit.words", .label = N_("Description"),
       .help = N_("The limit of the path, and its loss compared with the two entropies."),
       .get = point([&state = readings.state](const PointResult& p) { return limitWords(state, p); })},
      {.key = "drift", .label = N_("Energy drift"),
       .help = N_("Largest relative change of the energy on the computed path: the integrator's error, 0 for the true "
                  "flow."),
       .formula = "\\max_t \\frac{|E(\\theta_t)-E(\\theta_0)|}{1+|E(\\theta_0)|}",
       .withNumbers = followed.text([](const Followed& at) {
         return at.result.drift ? "= " + formulaNumber(*at.result.drift) : std::string();
       }),
       .get = point(&PointResult::drift), .applies = canonical, .detail = true}});
  // clang-format on
}

void declareTimes(PropertyRegistry& registry, const FlowShared& readings) {
  const auto point = resultOf(readings);
  const auto followed = followedOf(readings);
  // clang-format off
  declareReadOuts(registry, ofPoints(canonical), {
      {.key = "time99", .label = N_("Time to 1 %"), .symbol = "t₉₉",
       .help = N_("Time of the flow after which less than 1 % of the loss above the limit is left; 0 for a point "
                  "that does not move."),
       .formula = "\\min\\left\\{t : L(\\theta_t)-L_\\infty < 0.01\\,(L(\\theta_0)-L_\\infty)\\right\\},\\quad " +
                  std::string(kFlowFormula),
       .withNumbers = followed.text([](const Followed& at) {
         return time99WithNumbers(at.chain, at.e, at.w, at.result);
       }),
       .errata = {"l2g-19", "l2g-17"}, .get = point(&PointResult::time99), .numberWords = shownTime},
      {.key = "rate", .label = N_("Rate near e = 0"),
       .help = N_("How fast |e| falls on the last e-folds of the computed path: it is proportional to exp(−rate·t) "
                  "there. Not available for a limit away from e = 0 or on the separatrix, where e falls more slowly "
                  "than any exponential."),
       .equation = "Local-to-Global, (110)", .formula = "r = \\frac{\\log|e_{t_1}|-\\log|e_{t_2}|}{t_2-t_1}",
       .withNumbers = followed.text([](const Followed& at) { return rateWithNumbers(at.result); }),
       .errata = {"l2g-18"}, .get = point(&PointResult::rate), .detail = true},
      {.key = "rate.theory", .label = N_("Rate by theory"),
       .help = N_("The same rate from the curvature of the loss at the limit; below 0 where e = 0 repels. The paper's "
                  "equation gives half of it."),
       .equation = "Local-to-Global, (110)",
       .formula = "|e_t| \\sim e^{-rt},\\quad r = 2\\pi_0\\pi_1\\,(p+q-1)\\,(1+2w_\\infty|w_\\infty|)",
       .withNumbers = followed.text([](const Followed& at) { return rateTheoryWithNumbers(at.chain, at.result); }),
       .errata = {"l2g-18"}, .get = point(&PointResult::rateTheory), .detail = true}});
  // clang-format on
}

void declareOrigins(PropertyRegistry& registry, const FlowShared& readings) {
  const auto point = resultOf(readings);
  /// Points with a backward path, while backward paths are shown.
  const Getters withBackwardPath(
      [&state = readings.state, &results = readings.results](int index) -> const PointResult* {
        const auto i = static_cast<std::size_t>(index);
        const bool there = state.showBackward && index >= 0 && i < results.points() && results.point(i).back;
        return there ? &results.point(i) : nullptr;
      });
  // clang-format off
  declareReadOuts(registry, ofPoints(), {
      {.key = "from.words", .label = N_("Came from"),
       .help = N_("Where the backward path leads: uphill to a local maximum, or without bound."),
       .formula = "\\frac{d\\theta_t}{dt} = +\\nabla L(\\theta_t)", .errata = {"l2g-9"},
       .get = withBackwardPath([&state = readings.state](const PointResult& p) { return originWords(state, p); })},
      {.key = "from.kind", .label = N_("Kind of origin"),
       .help = N_("The kind of critical point that the backward path leads to, if it leads to one."),
       .get = withBackwardPath([](const PointResult& p) {
         return p.back->origin ? valueOf(labelOf(p.back->kind)) : Value();
       }),
       .words = labelWords, .detail = true},
      {.key = "source", .label = N_("Determined by"),
       .help = N_("Whether the limit is known in closed form or from integration."),
       .get = point([](const PointResult& p) { return p.exact ? "exact" : "integrated"; }), .words = sourceWords,
       .detail = true}});
  // clang-format on
}

}  // namespace

void declarePoints(PropertyRegistry& registry, const FlowShared& readings) {
  declarePlaces(registry, readings);
  declareSampling(registry, readings);
  declarePlaceReadOuts(registry, readings);
  declareLimitReadOuts(registry, readings);
  declareTimes(registry, readings);
  declareOrigins(registry, readings);
}

}  // namespace sepx::ui

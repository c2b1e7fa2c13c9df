// SPDX-License-Identifier: Apache-2.0
// Declares the parameters and read-outs of the model, the window of the plane, basins, cloud, pointer and playback. A
// getter returns monostate if its value is not available, and it never computes more than a formula.

#include "ui/exhibits/flow/shared/flow_declare.h"

#include <algorithm>
#include <cmath>

#include "engine/markov/basin.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_limits.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/shared/points_declare.h"
#include "ui/properties/interval_ends.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

using namespace declaring;

namespace {

constexpr const char* kSection2 = "Local-to-Global, section 2";
constexpr const char* kMinima = "Local-to-Global, section 2, Theorem 1";
constexpr const char* kTheorems = "Local-to-Global, Theorems 2 and 8";

void declareModel(PropertyRegistry& registry, const std::vector<FieldPointer>& fields) {
  Options systems;
  for (const FieldPointer& known : fields) {
    const dynamics::FieldInfo& info = known->info();
    systems.emplace_back(info.key, info.key == kCanonicalField ? N_("canonical (e, w)") : info.name);
  }
  // clang-format off
  declareParameters(registry, {.prefix = "flow."}, {
      {.key = "field", .label = N_("Field"), .options = systems, .fallback = kCanonicalField,
       .help = N_("The system whose flow is shown: the paper's canonical plane, or a textbook field for comparison."),
       .follow = [](const Document&, const Document& with) -> Result<Document> { return withSoundLimits(with); }}});
  declareParameters(registry, {.prefix = "flow.", .applies = canonical, .equation = kSection2,
                               .errata = {"l2g-19", "l2g-17"}, .formulaApplies = canonical}, {
      {.key = "p",
       .into = Into::of<FlowState>(&FlowState::chain, &markov::Chain::p),
       .label = N_("P(0→1)"), .symbol = "p", .open = true, .fallback = kDefaultP,
       .help = N_("Probability that a 0 is followed by a 1. With q it determines the Markov chain; the basins depend "
                  "only on the sign of p + q − 1."),
       .formula = "p = P(x_{n+1}=1\\mid x_n=0)"},
      {.key = "q",
       .into = Into::of<FlowState>(&FlowState::chain, &markov::Chain::q),
       .label = N_("P(1→0)"), .symbol = "q", .open = true, .fallback = kDefaultQ,
       .help = N_("Probability that a 1 is followed by a 0."), .formula = "q = P(x_{n+1}=0\\mid x_n=1)"}});
  // clang-format on
  for (const FieldPointer& known : fields) {
    const dynamics::FieldInfo& info = known->info();
    if (info.key == kCanonicalField) continue;  // its parameters are flow.p and flow.q
    std::vector<Property> rows;
    for (const dynamics::FieldParameter& parameter : info.parameters)
      rows.push_back({.key = parameter.key,
                      .label = parameter.key,
                      .symbol = parameter.symbol == parameter.key ? "" : parameter.symbol,
                      .min = parameter.min,
                      .max = parameter.max,
                      .step = (parameter.max - parameter.min) / 100,
                      .fallback = parameter.fallback,
                      .help = N_("A parameter of this field.")});
    const std::string prefix = "flow." + info.key + ".";
    declareParameters(registry, {.prefix = prefix, .applies = whenField(info.key), .equation = info.equation}, rows);
  }
}

/// The name of a layer for the canonical field, and for other fields.
std::function<std::string(const Document&)> nameByField(const char* ofCanonical, const char* ofOthers) {
  return [ofCanonical, ofOthers](const Document& document) {
    return std::string(tr(canonical(document) ? ofCanonical : ofOthers));
  };
}

/// The default window of the field of a document.
render::Rect homeOf(const std::vector<FieldPointer>& fields, const Document& document) {
  const std::string chosen = chosenField(document);
  const auto field =
      std::find_if(fields.begin(), fields.end(), [&](const FieldPointer& one) { return one->info().key == chosen; });
  return homeWindow(field == fields.end() ? *fields.front() : **field);
}

void declareView(PropertyRegistry& registry, const FlowShared& live) {
  const std::vector<FieldPointer>& fields = live.fields;
  const render::Rect home = homeWindow(*fields.front());
  const auto edge = [&fields](const char* key, const char* label, double at, char axis) {
    return Property{.key = key,
                    .label = label,
                    .min = -2 * kFarthest,
                    .max = 2 * kFarthest,
                    .step = 0.1,
                    .fallback = at,
                    .help = N_("An edge of the part of the plane that is shown."),
                    .follow = [fields, axis](const Document& before, const Document& with) {
                      const render::Rect whole = homeOf(fields, with);
                      const bool x = axis == 'x';
                      const std::string name = std::string("flow.view.") + axis;
                      return withOrderedEnds(
                          {name + "Min", name + "Max", x ? whole.min.x : whole.min.y, x ? whole.max.x : whole.max.y},
                          2 * kFarthest, before, with);
                    }};
  };
  declareParameters(registry, {.prefix = "flow.view.", .applies = onPlane(), .undoable = false},
                    {edge("xMin", N_("Left edge"), home.min.x, 'x'), edge("xMax", N_("Right edge"), home.max.x, 'x'),
                     edge("yMin", N_("Lower edge"), home.min.y, 'y'), edge("yMax", N_("Upper edge"), home.max.y, 'y')});
  const Condition onPlanes = onPagesWith(live, &FlowTraits::plane);
  // clang-format off
  declareParameters(registry, {.prefix = "flow.show.", .formulaApplies = canonical}, {
      {.key = "loss", .into = &FlowState::showLoss, .label = N_("Loss shading"), .fallback = true,
       .help = N_("Colours the plane by the loss (or the potential of another field)."),
       .applies = onPlane([fields](const Document& document) { return shadeable(fields, document); }),
       .liveLabel = nameByField(N_("Loss shading"), N_("Potential shading"))},
      {.key = "critical", .into = &FlowState::showCritical, .label = N_("Critical sets"), .fallback = true,
       .help = N_("Global minima, local minima, local maxima and the saddle as exact curves; the fixed points of "
                  "another field."),
       .applies = onPlanes, .liveLabel = nameByField(N_("Critical sets"), N_("Fixed points"))},
      {.key = "separatrix", .into = &FlowState::showSeparatrix, .label = N_("Separatrix"), .fallback = true,
       .help = N_("The curve of points that flow into the saddle: the border between the basins."),
       .formula = std::string("e^2 = g(w)^2,\\quad ") + kSeparatrixFormula, .errata = {"l2g-8", "l2g-19"},
       .applies = both(onPlanes, canonical)},
      {.key = "basin",
       .into = &FlowState::showBasin,
       .label = N_("Basins"), .fallback = true, .help = N_("Tints the plane by where each point ends."),
       .applies = onPlanes},
      {.key = "arrows",
       .into = &FlowState::showArrows,
       .label = N_("Arrows"), .fallback = false, .help = N_("The direction of the flow on a grid."),
       .applies = onPlane()},
      {.key = "paths",
       .into = &FlowState::showPaths,
       .label = N_("Paths"), .fallback = true, .help = N_("The whole path of every point and its limit."),
       .applies = onPlane()},
      {.key = "time", .into = &FlowState::showTime, .label = N_("Time bar"), .fallback = false,
       .help = N_("A bar of the flow's time below the plane, with the loss of the selected point over time. Drag in "
                  "it, or press , and . to move the markers."),
       .applies = onPlane()},
      {.key = "cloud", .into = &FlowState::showCloud, .label = N_("Gaussian cloud"), .fallback = false,
       .help = N_("Random initial points around the origin, coloured by where they end."),
       .applies = onPlane(canonical)}});
  // clang-format on
}

void declareLegend(PropertyRegistry& registry) {
  const auto fold = [](FlowState& state, const Value& word) {
    state.legend.open.reset();
    if (toString(word) != "auto") state.legend.open = toString(word) == "open";
  };
  const auto share = [](const char* key, double LegendPlacement::*at, const char* label) {
    return Property{.key = key,
                    .into = {&FlowState::legend, at},
                    .label = label,
                    .max = 1,
                    .step = 0.01,
                    .digits = 3,
                    .fallback = 0.0,
                    .help = N_("Position of a dragged legend, as a share of the free space inside the plot.")};
  };
  // clang-format off
  declareParameters(registry, {.prefix = "flow.legend.", .applies = onPlane(), .undoable = false}, {
      {.key = "place", .into = {&FlowState::legend, &LegendPlacement::place}, .label = N_("Legend"),
       .options = {{"auto", N_("where it fits")}, {"top-left", N_("top left")}, {"top-right", N_("top right")},
                   {"bottom-left", N_("bottom left")}, {"bottom-right", N_("bottom right")},
                   {"beside", N_("beside the picture")}, {"free", N_("where it was dragged")}},
       .help = N_("Position of the legend. Drag it anywhere in the plot to place it there, or to the left of the plot "
                  "to place it beside the picture.")},
      share("x", &LegendPlacement::x, N_("Legend, from the left")),
      share("y", &LegendPlacement::y, N_("Legend, from the top")),
      {.key = "fold", .into = Into::by<FlowState>(fold), .label = N_("Legend rows"),
       .options = {{"auto", N_("automatic")}, {"open", N_("all")}, {"folded", N_("basins only")}},
       .help = N_("How many rows the legend shows; a click on it folds and unfolds it.")}});
  // clang-format on
}

void declareMethods(PropertyRegistry& registry, const FlowShared& live) {
  const Condition drawn = onPagesWith(live, &FlowTraits::cloud, canonical);
  // clang-format off
  declareParameters(registry, {.prefix = "flow.", .formulaApplies = canonical}, {
      {.key = "basin.method", .into = &FlowState::method, .label = N_("Basins by"),
       .options = {{"exact", N_("theory")}, {"integrate", N_("integration")}, {"both", N_("both, compared")}},
       .help = N_("Basins by the theorems, by integrating the flow from every pixel, or by both, counting the pixels "
                  "on which they disagree."),
       .equation = kTheorems, .applies = onPlane(canonical)},
      {.key = "gauss.sigma", .into = &FlowState::sigma, .label = N_("Spread"), .symbol = "σ", .min = 0.001, .max = 10,
       .scale = Scale::Logarithmic, .fallback = 0.3,
       .help = N_("Standard deviation of both coordinates of the Gaussian cloud."),
       .formula = "\\theta_0\\sim\\mathcal{N}(0,\\sigma^2 I_2)", .errata = {"l2g-14"}, .applies = drawn},
      {.key = "gauss.samples",
       .into = &FlowState::samples,
       .label = N_("Samples"), .symbol = "N", .kind = Kind::Integer, .min = 1, .max = 10000,
       .scale = Scale::Logarithmic, .step = 100, .fallback = 1000.0,
       .help = N_("Number of initial points in the cloud."), .applies = drawn},
      {.key = "gauss.seed",
       .into = &FlowState::seed, .label = N_("Seed"), .kind = Kind::Integer, .max = 1e6, .fallback = 0.0,
       .help = N_("The same seed draws the same cloud on every machine."), .applies = drawn},
      {.key = "play.speed",
       .into = &FlowState::speed, .label = N_("Speed"), .min = 0.1, .max = 10, .scale = Scale::Logarithmic, .step = 0.1,
       .digits = 1, .fallback = 1.0, .help = N_("At 1 the slowest path takes about eight seconds.")}});
  // clang-format on
}

// Read-outs.

const char* shareLabel(markov::LimitKind kind) {
  switch (kind) {
    case markov::LimitKind::GlobalMin:
      return N_("Share of global minima");
    case markov::LimitKind::LocalMin:
      return N_("Share of local minima");
    case markov::LimitKind::Saddle:
      return N_("Share of the saddle");
    case markov::LimitKind::LocalMax:
      return N_("Share of local maxima");
    default:
      return N_("Share undecided");
  }
}

void declareModelReadOuts(PropertyRegistry& registry, const FlowShared& readings) {
  const Getters chain([&state = readings.state](int) { return state.canonical ? &state.chain : nullptr; });
  // clang-format off
  declareReadOuts(registry, {.prefix = "flow.", .applies = canonical, .formulaApplies = canonical}, {
      {.key = "entropy.marginal", .label = N_("Unigram entropy"), .symbol = "H(π)", .unit = "nats",
       .help = N_("Loss of a model that knows only how often each symbol occurs: the bad minima."),
       .equation = kMinima,
       .formula = "H(\\pi) = -\\pi_0\\log\\pi_0-\\pi_1\\log\\pi_1,\\quad \\pi_0 = \\frac{q}{p+q},\\ \\pi_1 = "
                  "\\frac{p}{p+q}",
       .withNumbers = chain.text(marginalWithNumbers), .get = chain(&markov::Chain::marginalEntropy)},
      {.key = "entropy.rate", .label = N_("Entropy rate"), .symbol = "H(x′|x)", .unit = "nats",
       .help = N_("Loss of a model that knows the last symbol: the global minima."), .equation = kMinima,
       .formula = "H(x_{n+1}\\mid x_n) = \\pi_0\\,h(p)+\\pi_1\\,h(q),\\quad h(x) = -x\\log x-(1-x)\\log(1-x)",
       .withNumbers = chain.text(entropyRateWithNumbers), .get = chain(&markov::Chain::entropyRate)},
      {.key = "entropy.gap", .label = N_("Gap"), .unit = "nats",
       .help = N_("The loss of a local minimum minus the entropy rate H(x′|x). It is the mutual information of "
                  "successive symbols."),
       .formula = "H(\\pi)-H(x_{n+1}\\mid x_n) = I(x_n;x_{n+1})", .withNumbers = chain.text(gapWithNumbers),
       .errata = {"l2g-11", "l2g-17"},
       .get = chain([](const markov::Chain& of) { return of.marginalEntropy() - of.entropyRate(); })},
      {.key = "S_star", .label = N_("Best value of S"), .symbol = "S⋆",
       .help = N_("The loss depends on the point only through S = e²(1 + 2w|w|) and is least at S⋆."),
       .equation = kMinima, .formula = "S_\\star = \\log\\frac{(1-p)(1-q)}{p\\,q}",
       .withNumbers = chain.text(bestSWithNumbers), .errata = {"l2g-17"}, .get = chain(&markov::Chain::S_star),
       .detail = true},
      {.key = "switching", .label = N_("Switching"), .symbol = "p + q − 1",
       .help = N_("Its sign decides which basin a small initialisation is in."), .equation = kTheorems,
       .formula = "p+q-1", .withNumbers = chain.text(switchingWithNumbers), .errata = {"l2g-19", "l2g-17"},
       .get = chain(&markov::Chain::switching), .detail = true}});
  // clang-format on
}

void declareBasinReadOuts(PropertyRegistry& registry, const FlowShared& readings) {
  const FlowResults& results = readings.results;
  /// The comparison of theory and integration, where there is one.
  const Getters compared([&results](int) { return results.basin().disagreements ? &results.basin() : nullptr; });
  const auto share = [](const BasinPicture& basin) {
    return static_cast<double>(*basin.disagreements) / static_cast<double>(basin.integrated->labels.size());
  };
  const Common common{.prefix = "flow.basin.", .applies = onPlane(canonical), .formulaApplies = canonical};
  // clang-format off
  declareReadOuts(registry, common, {
      {.key = "disagreement", .label = N_("Disagreement"),
       .help = N_("Share of the pixels on which theory and integration differ."),
       .formula = "\\frac1N\\sum_{i=1}^{N}\\mathbb{1}\\left[k_i\\ne k_i'\\right]",
       .withNumbers = compared.text([share](const BasinPicture& basin) {
         return shareWithNumbers(share(basin), basin.integrated->labels.size());
       }),
       .get = compared(share), .numberWords = shownShare},
      {.key = "disagreements", .label = N_("Disagreeing pixels"),
       .help = N_("Number of pixels on which theory and integration differ."),
       .formula = "\\sum_{i=1}^{N}\\mathbb{1}\\left[k_i\\ne k_i'\\right]",
       .withNumbers = compared.text([](const BasinPicture& basin) {
         return countWithNumbers(*basin.disagreements, basin.integrated->labels.size());
       }),
       .digits = 0, .get = compared(&BasinPicture::disagreements)}});
  // clang-format on
  for (const markov::LimitKind kind :
       {markov::LimitKind::GlobalMin, markov::LimitKind::LocalMin, markov::LimitKind::Saddle,
        markov::LimitKind::LocalMax, markov::LimitKind::Undecided}) {
    const auto label = static_cast<std::size_t>(kind);
    const Getters known(
        [&results, label](int) { return label < results.basin().shares.size() ? &results.basin() : nullptr; });
    // clang-format off
    declareReadOuts(registry, common, {
        {.key = "share." + std::string(markov::limitName(kind)), .label = shareLabel(kind),
         .help = N_("Share of the window's pixels with this kind of limit."), .equation = kTheorems,
         .formula = "\\frac1N\\sum_{i=1}^{N}\\mathbb{1}\\left[k_i = " + formulaWords(kindName(kind)) + "\\right]",
         .withNumbers = known.text([label](const BasinPicture& basin) {
           return shareWithNumbers(basin.shares[label], basin.counted);
         }),
         .errata = {"l2g-19"}, .get = known([label](const BasinPicture& basin) { return basin.shares[label]; }),
         .numberWords = shownShare,
         .detail = kind != markov::LimitKind::GlobalMin && kind != markov::LimitKind::LocalMin}});
    // clang-format on
  }
}

void declareCloudReadOuts(PropertyRegistry& registry, const FlowShared& readings) {
  const FlowResults& results = readings.results;
  const auto all = gettersOf(results);
  const Getters cloud([&results](int) { return results.cloud().get(); });
  // clang-format off
  declareReadOuts(registry, {.prefix = "flow.", .applies = onPlane(), .formulaApplies = canonical}, {
      {.key = "basin.device", .label = N_("Basins computed by"),
       .help = N_("The device that computed the basins and how long it took."),
       .get = all([](const FlowResults& of) { return notEmpty(of.basin().device); }), .detail = true},
      {.key = "gauss.probability", .label = N_("P(local minimum)"),
       .help = N_("Exact probability that a Gaussian initialisation ends in a local minimum; it depends on σ and the "
                  "sign of p + q − 1 alone."),
       .equation = kTheorems,
       .formula = kGaussFormula + std::string(" \\\\ g(w)^2 &= w^2-\\log(-w)-\\frac{1+\\log2}{2},\\quad \\varphi_\\sigma(w) "
                                              "= \\frac{e^{-w^2/2\\sigma^2}}{\\sigma\\sqrt{2\\pi}}"),
       .withNumbers = [&state = readings.state, &results](int) {
         const std::optional<double> value = results.gaussProbability();
         return state.canonical && value ? gaussWithNumbers(state.chain, state.sigma, *value) : std::string();
       },
       .errata = {"l2g-14", "l2g-19"}, .get = all(&FlowResults::gaussProbability), .applies = canonical,
       .numberWords = shownProbability6},
      {.key = "gauss.measured", .label = N_("Measured share"),
       .help = N_("Share of the cloud that ends in a local minimum."),
       .formula = "\\frac1N\\sum_{i=1}^{N}\\mathbb{1}\\left[\\theta_i\\in I_{\\mathrm{min}}\\right],\\quad "
                  "\\theta_i\\sim\\mathcal{N}(0,\\sigma^2 I_2)",
       .withNumbers = cloud.text([](const Cloud& of) { return shareWithNumbers(of.share, of.points.size()); }),
       .errata = {"l2g-14"}, .get = cloud(&Cloud::share), .applies = canonical, .numberWords = shownShare}});
  // clang-format on
}

void declarePointerReadOuts(PropertyRegistry& registry, const FlowShared& readings) {
  const FlowState& state = readings.state;
  const std::optional<render::Point>& hover = readings.hover;
  const Getters pointer([&hover](int) { return hover ? &*hover : nullptr; });
  const Getters canonicalPointer([&hover, &state](int) { return state.canonical && hover ? &*hover : nullptr; });
  const auto name = [&](std::size_t variable) {
    return coordinateName(readings.fields, N_("Pointer"), N_("Pointer"), variable);
  };
  const auto play = gettersOf(readings.play);
  // clang-format off
  declareReadOuts(registry, {.prefix = "flow.hover.", .applies = onPlane(), .formulaApplies = canonical}, {
      {.key = "e", .label = N_("Pointer"), .symbol = "e", .help = N_("First coordinate under the pointer."),
       .get = pointer(&render::Point::x), .liveLabel = name(0)},
      {.key = "w", .label = N_("Pointer"), .symbol = "w", .help = N_("Second coordinate under the pointer."),
       .get = pointer(&render::Point::y), .liveLabel = name(1)},
      {.key = "loss", .label = N_("Loss under the pointer"), .symbol = "L", .unit = "nats",
       .help = N_("Loss under the pointer."), .formula = kLossFormula,
       .withNumbers = canonicalPointer.text([&state](render::Point at) {
         return lossWithNumbers(state.chain, at.x, at.y);
       }),
       .errata = {"l2g-10"}, .get = pointer([&state](render::Point at) { return lossAt(state, at.x, at.y); })},
      {.key = "basin", .label = N_("Basin under the pointer"), .help = N_("Where a point under the pointer would end."),
       .equation = kTheorems, .formula = basinFormula(),
       .withNumbers = canonicalPointer.text([&state](render::Point at) {
         return basinWithNumbers(state.chain, at.x, at.y);
       }),
       .errata = {"l2g-8", "l2g-19"},
       .get = canonicalPointer([&state](render::Point at) {
         return markov::limitName(markov::basinLabel(state.chain, at.x, at.y));
       }),
       .applies = canonical, .words = labelWords}});
  declareReadOuts(registry, {.prefix = "flow.play.", .formulaApplies = canonical, .detail = true}, {
      {.key = "active", .label = N_("In motion"), .help = N_("Whether the markers move along the paths."),
       .get = play(&FlowPlay::anywhere)},
      {.key = "time", .label = N_("Time"), .symbol = "t", .help = N_("Time of the flow at the moving markers."),
       .formula = "\\frac{d\\theta_t}{dt} = -\\nabla L(\\theta_t),\\quad \\theta_t = (e_t,w_t)",
       .errata = {"l2g-18", "l2g-8"}, .digits = 2, .get = play(&FlowPlay::time)}});
  // clang-format on
}

}  // namespace

void declareFlow(PropertyRegistry& registry, const FlowShared& readings) {
  const std::vector<FieldPointer>& fields = readings.fields;
  declareModel(registry, fields);
  declarePoints(registry, readings);
  declareView(registry, readings);
  declareLegend(registry);
  declareMethods(registry, readings);
  declareLimits(registry, readings);
  declareModelReadOuts(registry, readings);
  declareBasinReadOuts(registry, readings);
  declareCloudReadOuts(registry, readings);
  declarePointerReadOuts(registry, readings);
}

}  // namespace sepx::ui

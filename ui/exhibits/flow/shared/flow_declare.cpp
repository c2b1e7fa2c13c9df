// SPDX-License-Identifier: Apache-2.0
// The declarations. Getters answer monostate for what is not there now; they never compute more than a formula.
#include "ui/exhibits/flow/shared/flow_declare.h"

#include <cmath>

#include "engine/markov/basin.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

using namespace declaring;

namespace {

void declareModel(PropertyRegistry& registry, const std::vector<FieldPointer>& fields) {
  Property field;
  field.key = "flow.field";
  field.label = N_("Field");
  field.kind = Kind::Choice;
  field.fallback = std::string(kCanonicalField);
  field.help = N_("The system whose flow is shown: the paper's canonical plane, or a textbook field to compare with.");
  for (const FieldPointer& known : fields)
    field.choices.push_back(known->info().key);
  field.choiceLabel = [fields](const std::string& key) {
    if (key == kCanonicalField) return std::string(tr("canonical (e, w)"));
    for (const FieldPointer& known : fields)
      if (known->info().key == key) return tr(known->info().name);
    return key;
  };
  registry.declare(field);

  Property p = real("flow.p", N_("P(0→1)"), "p", 0, 1, 0.5, 0.01, 3,
                    N_("Probability that a 0 is followed by a 1. With q it fixes the Markov chain; only the sign of "
                       "p + q − 1 decides the basins."));
  p.open = true;
  p.equation = "Local-to-Global, section 2";
  p.applies = whenField(kCanonicalField);
  registry.declare(p);
  Property q = real("flow.q", N_("P(1→0)"), "q", 0, 1, 0.8, 0.01, 3, N_("Probability that a 1 is followed by a 0."));
  q.open = true;
  q.equation = "Local-to-Global, section 2";
  q.applies = whenField(kCanonicalField);
  registry.declare(q);

  for (const FieldPointer& known : fields) {
    const dynamics::FieldInfo& info = known->info();
    if (info.key == kCanonicalField) continue;  // its parameters are flow.p and flow.q
    for (const dynamics::FieldParameter& parameter : info.parameters) {
      const std::string symbol = parameter.symbol == parameter.key ? "" : parameter.symbol;
      Property property =
          real("flow." + info.key + "." + parameter.key, parameter.key, symbol, parameter.min, parameter.max,
               parameter.fallback, (parameter.max - parameter.min) / 100, 3, N_("A parameter of this field."));
      property.equation = info.equation;
      property.applies = whenField(info.key);
      registry.declare(property);
    }
  }
}

void declareView(PropertyRegistry& registry, const std::vector<FieldPointer>& fields) {
  const render::Rect home = homeWindow(*fields.front());
  const auto edge = [&](const char* key, const char* label, double fallback) {
    Property property = real(key, label, "", -2 * kFarthest, 2 * kFarthest, fallback, 0.1, 3,
                             N_("An edge of the part of the plane that is shown."));
    property.undoable = false;
    property.applies = onPlane();
    registry.declare(property);
  };
  edge("flow.view.xMin", N_("Left edge"), home.min.x);
  edge("flow.view.xMax", N_("Right edge"), home.max.x);
  edge("flow.view.yMin", N_("Lower edge"), home.min.y);
  edge("flow.view.yMax", N_("Upper edge"), home.max.y);

  Property loss = toggle("flow.show.loss", N_("Loss shading"), true,
                         N_("Colours the plane by the loss (or the potential of another field)."));
  loss.applies = onPlane([fields](const Document& document) { return shadeable(fields, document); });
  loss.liveLabel = [](const Document& document) {
    return std::string(chosenField(document) == kCanonicalField ? tr("Loss shading") : tr("Potential shading"));
  };
  registry.declare(loss);
  Property critical = toggle("flow.show.critical", N_("Critical sets"), true,
                             N_("Global minima, local minima, local maxima and the saddle as exact curves; the fixed "
                                "points of another field."));
  critical.liveLabel = [](const Document& document) {
    return std::string(chosenField(document) == kCanonicalField ? tr("Critical sets") : tr("Fixed points"));
  };
  const std::vector<std::string> planes{"plane", "bias", "optimisers"};
  critical.applies = onPages(planes);
  registry.declare(critical);
  Property separatrix = toggle("flow.show.separatrix", N_("Separatrix"), true,
                               N_("The curve of points that flow into the saddle: the border between the basins."));
  separatrix.applies = onPages(planes, whenField(kCanonicalField));
  registry.declare(separatrix);
  const auto here = [&registry](Property property) {
    property.applies = onPlane();
    registry.declare(std::move(property));
  };
  Property basin = toggle("flow.show.basin", N_("Basins"), true, N_("Tints the plane by where each point ends."));
  basin.applies = onPages(planes);
  registry.declare(basin);
  here(toggle("flow.show.arrows", N_("Arrows"), false, N_("The direction of the flow on a grid.")));
  here(toggle("flow.show.paths", N_("Paths"), true, N_("The whole path of every point and its limit.")));
  Property cloud = toggle("flow.show.cloud", N_("Gaussian cloud"), false,
                          N_("Random initial points around the origin, coloured by where they end."));
  cloud.applies = onPlane(whenField(kCanonicalField));
  registry.declare(cloud);
}

void declareMethods(PropertyRegistry& registry) {
  Property method;
  method.key = "flow.basin.method";
  method.label = N_("Basins by");
  method.kind = Kind::Choice;
  method.choices = {"exact", "integrate", "both"};
  method.choiceLabel = [](const std::string& key) {
    if (key == "exact") return std::string(tr("theory"));
    return std::string(key == "integrate" ? tr("integration") : tr("both, compared"));
  };
  method.fallback = std::string("exact");
  method.help =
      N_("Basins by the theorems, by integrating the flow from every pixel, or both with the pixels counted "
         "on which they disagree.");
  method.equation = "Local-to-Global, Theorems 2 and 8";
  method.applies = onPlane(whenField(kCanonicalField));
  registry.declare(method);

  const auto drawn = onPages({"plane", "bias", "chain"}, whenField(kCanonicalField));
  Property sigma = real("flow.gauss.sigma", N_("Spread"), "σ", 0.001, 10, 0.3, 0.01, 3,
                        N_("Standard deviation of both coordinates of the Gaussian cloud."));
  sigma.scale = Scale::Logarithmic;
  sigma.applies = drawn;
  registry.declare(sigma);
  Property samples = real("flow.gauss.samples", N_("Samples"), "N", 1, 10000, 1000, 100, 0,
                          N_("How many initial points the cloud has."));
  samples.kind = Kind::Integer;
  samples.scale = Scale::Logarithmic;
  samples.applies = drawn;
  registry.declare(samples);
  Property seed = real("flow.gauss.seed", N_("Seed"), "", 0, 1e6, 0, 1, 0,
                       N_("The same seed draws the same cloud on every machine."));
  seed.kind = Kind::Integer;
  seed.applies = drawn;
  registry.declare(seed);
  Property speed = real("flow.play.speed", N_("Speed"), "", 0.1, 10, 1, 0.1, 1,
                        N_("At 1 the slowest path takes about eight seconds."));
  speed.scale = Scale::Logarithmic;
  registry.declare(speed);
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

void readModelOuts(PropertyRegistry& registry, const FlowShared& readings) {
  const FlowState& state = readings.state;
  const auto ofChain = [&state](double (*get)(const markov::Chain&)) -> Getter {
    return [&state, get](int) { return state.canonical ? valueOf(get(state.chain)) : Value(std::monostate{}); };
  };
  readOut(registry, "flow.entropy.marginal", N_("Unigram"), "H(π)", "nats",
          N_("Loss of a model that knows only how often each symbol occurs: the bad minima."),
          "Local-to-Global, section 2", ofChain([](const markov::Chain& chain) { return chain.marginalEntropy(); }), 6,
          {.canonical = true});
  readOut(registry, "flow.entropy.rate", N_("Entropy rate"), "H(x′|x)", "nats",
          N_("Loss of a model that knows the last symbol: the global minima."), "Local-to-Global, section 2",
          ofChain([](const markov::Chain& chain) { return chain.entropyRate(); }), 6, {.canonical = true});
  readOut(registry, "flow.entropy.gap", N_("Gap"), "", "nats",
          N_("What a bad minimum costs: the information that the last symbol holds about the next one."), "",
          ofChain([](const markov::Chain& chain) { return chain.marginalEntropy() - chain.entropyRate(); }), 6,
          {.canonical = true});
  readOut(registry, "flow.S_star", N_("Best value of S"), "S⋆", "",
          N_("The loss depends on the point only through S = e²(1 + 2w|w|) and is least at S⋆."),
          "Local-to-Global, Theorem 1", ofChain([](const markov::Chain& chain) { return chain.S_star(); }), 6,
          {.canonical = true, .detail = true});
  readOut(registry, "flow.switching", N_("Switching"), "p + q − 1", "",
          N_("Its sign decides which basin a small initialisation is in."), "Local-to-Global, Theorems 2 and 8",
          ofChain([](const markov::Chain& chain) { return chain.switching(); }), 6,
          {.canonical = true, .detail = true});
}

void readBasinOuts(PropertyRegistry& registry, const FlowShared& readings) {
  const FlowResults& results = readings.results;
  readOut(registry, "flow.basin.disagreement", N_("Disagreement"), "", "",
          N_("Share of the pixels on which theory and integration differ."), "",
          [&results](int) -> Value {
            const BasinPicture& basin = results.basin();
            if (!basin.disagreements) return std::monostate{};
            return static_cast<double>(*basin.disagreements) / static_cast<double>(basin.integrated->labels.size());
          },
          6, {.canonical = true, .plane = true, .numberWords = shownShare});
  readOut(registry, "flow.basin.disagreements", N_("Disagreeing pixels"), "", "",
          N_("How many pixels theory and integration differ on."), "",
          [&results](int) -> Value {
            const BasinPicture& basin = results.basin();
            if (!basin.disagreements) return std::monostate{};
            return static_cast<double>(*basin.disagreements);
          },
          0, {.canonical = true, .plane = true});
  for (const markov::LimitKind kind :
       {markov::LimitKind::GlobalMin, markov::LimitKind::LocalMin, markov::LimitKind::Saddle,
        markov::LimitKind::LocalMax, markov::LimitKind::Undecided}) {
    const bool basin = kind == markov::LimitKind::GlobalMin || kind == markov::LimitKind::LocalMin;
    readOut(registry, "flow.basin.share." + std::string(markov::limitName(kind)), shareLabel(kind), "", "",
            N_("Share of the window's pixels that end there."), "Local-to-Global, Theorems 2 and 8",
            [&results, kind](int) -> Value {
              const std::vector<double>& shares = results.basin().shares;
              const auto label = static_cast<std::size_t>(kind);
              if (label >= shares.size()) return std::monostate{};
              return shares[label];
            },
            6, {.canonical = true, .plane = true, .detail = !basin, .numberWords = shownShare});
  }
  readOut(registry, "flow.basin.device", N_("Basins computed by"), "", "",
          N_("Which device made the basin picture and how long it took."), "",
          [&results](int) -> Value {
            if (results.basin().device.empty()) return std::monostate{};
            return results.basin().device;
          },
          6, {.plane = true, .detail = true});
  readOut(
      registry, "flow.gauss.probability", N_("P(local minimum)"), "", "",
      N_("Exact probability that a Gaussian initialisation ends in a local minimum; it depends on σ and the sign of "
         "p + q − 1 alone."),
      "Local-to-Global, Theorems 2 and 8", [&results](int) { return valueOf(results.gaussProbability()); }, 6,
      {.canonical = true, .plane = true, .numberWords = [](double value) { return shownProbability(value, 6); }});
  readOut(registry, "flow.gauss.measured", N_("Measured share"), "", "",
          N_("Share of the cloud that ends in a local minimum."), "",
          [&results](int) -> Value {
            if (!results.cloud()) return std::monostate{};
            return results.cloud()->share;
          },
          6, {.canonical = true, .plane = true, .numberWords = shownShare});
}

void readPointerOuts(PropertyRegistry& registry, const FlowShared& readings) {
  const FlowState& state = readings.state;
  const std::optional<render::Point>& hover = readings.hover;
  readOut(registry, "flow.hover.e", N_("Pointer"), "e", "", N_("First coordinate under the pointer."), "",
          [&hover](int) -> Value { return hover ? Value(hover->x) : Value(std::monostate{}); }, 6,
          {.plane = true, .liveLabel = coordinateName(readings.fields, N_("Pointer"), N_("Pointer"), 0)});
  readOut(registry, "flow.hover.w", N_("Pointer"), "w", "", N_("Second coordinate under the pointer."), "",
          [&hover](int) -> Value { return hover ? Value(hover->y) : Value(std::monostate{}); }, 6,
          {.plane = true, .liveLabel = coordinateName(readings.fields, N_("Pointer"), N_("Pointer"), 1)});
  readOut(registry, "flow.hover.loss", N_("Loss under the pointer"), "L", "nats", N_("Loss under the pointer."), "",
          [&hover, &state](int) -> Value {
            if (!hover) return std::monostate{};
            dynamics::State x(2);
            x << hover->x, hover->y;
            if (state.canonical) return valueOf(markov::loss(state.chain, markov::Model::EW, x));
            return valueOf(state.field->potential(x, state.parameters));
          },
          6, {.plane = true});
  readOut(registry, "flow.hover.basin", N_("Basin under the pointer"), "", "",
          N_("Where a point under the pointer would end."), "Local-to-Global, Theorems 2 and 8",
          [&hover, &state](int) -> Value {
            if (!hover || !state.canonical) return std::monostate{};
            return std::string(markov::limitName(markov::basinLabel(state.chain, hover->x, hover->y)));
          },
          6, {.canonical = true, .plane = true, .words = labelWords});
  const FlowPlay& play = readings.play;
  readOut(registry, "flow.play.active", N_("In motion"), "", "", N_("Whether the heads are moving."), "",
          [&play](int) { return Value(play.anywhere()); }, 6, {.detail = true});
  readOut(registry, "flow.play.time", N_("Time"), "t", "", N_("The flow's own time of the moving heads."), "",
          [&play](int) { return Value(play.time()); }, 2, {.detail = true});
}

}  // namespace

void declareFlow(PropertyRegistry& registry, const FlowShared& readings) {
  const std::vector<FieldPointer>& fields = readings.fields;
  declareModel(registry, fields);
  declarePoints(registry, readings);
  declareView(registry, fields);
  declareMethods(registry);
  declareLimits(registry, readings);
  readModelOuts(registry, readings);
  readBasinOuts(registry, readings);
  readPointerOuts(registry, readings);
  declareCards(registry, readings);
}

}  // namespace sepx::ui

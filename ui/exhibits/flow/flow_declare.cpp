// SPDX-License-Identifier: Apache-2.0
// The declarations. Getters answer monostate for what is not there now; they never compute more than a formula.
#include "ui/exhibits/flow/flow_declare.h"

#include <cmath>

#include "engine/markov/basin.h"
#include "ui/exhibits/flow/flow_paths.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kFarthest = 1e9;  // of a point from the origin

Property real(std::string key, std::string label, std::string symbol, double min, double max, double fallback,
              double step, int digits, std::string help) {
  Property property;
  property.key = std::move(key);
  property.label = std::move(label);
  property.symbol = std::move(symbol);
  property.min = min;
  property.max = max;
  property.step = step;
  property.digits = digits;
  property.fallback = fallback;
  property.help = std::move(help);
  return property;
}

/// Whether `key` is the chosen field.
std::function<bool(const Document&)> whenField(const std::string& key) {
  return [key](const Document& document) { return chosenField(document) == key; };
}

/// `words` and the canonical letter, or `other` and the chosen field's own variable.
std::function<std::string(const Document&)> coordinateName(const std::vector<FieldPointer>& fields, const char* words,
                                                           const char* other, std::size_t variable) {
  return [fields, words, other, variable](const Document& document) {
    const dynamics::VectorField& field = fieldOf(fields, document);
    const char* const name = field.info().key == kCanonicalField ? words : other;
    return std::string(tr(name)) + "  " + field.info().variables[variable];
  };
}

Property toggle(std::string key, std::string label, bool fallback, std::string help) {
  Property property;
  property.key = std::move(key);
  property.label = std::move(label);
  property.kind = Kind::Toggle;
  property.fallback = fallback;
  property.help = std::move(help);
  return property;
}

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

void declarePoints(PropertyRegistry& registry, const std::vector<FieldPointer>& fields) {
  Property e = real("flow.points[].e", N_("Embedding"), "e", -kFarthest, kFarthest, 0, 0.01, 4,
                    N_("First coordinate of the initial point: the scale of the embedding."));
  e.equation = "Local-to-Global, section 3";
  e.liveLabel = coordinateName(fields, N_("Embedding"), N_("Coordinate"), 0);
  registry.declare(e);
  Property w = real("flow.points[].w", N_("Weight"), "w", -kFarthest, kFarthest, 0, 0.01, 4,
                    N_("Second coordinate of the initial point: the scale of the feed-forward weights."));
  w.equation = "Local-to-Global, section 3";
  w.liveLabel = coordinateName(fields, N_("Weight"), N_("Coordinate"), 1);
  registry.declare(w);
  Property name;
  name.key = "flow.points[].name";
  name.label = N_("Name");
  name.kind = Kind::Text;
  name.fallback = std::string();
  name.help = N_("A short name, shown beside the point.");
  registry.declare(name);

  Property selected = real("flow.selected", N_("Selected point"), "", -1, 1e6, -1, 1, 0,
                           N_("Index of the selected point, −1 for none."));
  selected.kind = Kind::Integer;
  selected.undoable = false;
  registry.declare(selected);
}

void declareView(PropertyRegistry& registry, const std::vector<FieldPointer>& fields) {
  const render::Rect home = homeWindow(*fields.front());
  const auto edge = [&](const char* key, const char* label, double fallback) {
    Property property = real(key, label, "", -2 * kFarthest, 2 * kFarthest, fallback, 0.1, 3,
                             N_("An edge of the part of the plane that is shown."));
    property.undoable = false;
    registry.declare(property);
  };
  edge("flow.view.xMin", N_("Left edge"), home.min.x);
  edge("flow.view.xMax", N_("Right edge"), home.max.x);
  edge("flow.view.yMin", N_("Lower edge"), home.min.y);
  edge("flow.view.yMax", N_("Upper edge"), home.max.y);

  Property loss = toggle("flow.show.loss", N_("Loss shading"), true,
                         N_("Colours the plane by the loss (or the potential of another field)."));
  loss.applies = [fields](const Document& document) { return shadeable(fields, document); };
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
  registry.declare(critical);
  Property separatrix = toggle("flow.show.separatrix", N_("Separatrix"), true,
                               N_("The curve of points that flow into the saddle: the border between the basins."));
  separatrix.applies = whenField(kCanonicalField);
  registry.declare(separatrix);
  registry.declare(toggle("flow.show.basin", N_("Basins"), true, N_("Tints the plane by where each point ends.")));
  registry.declare(toggle("flow.show.arrows", N_("Arrows"), false, N_("The direction of the flow on a grid.")));
  registry.declare(toggle("flow.show.paths", N_("Paths"), true, N_("The whole path of every point and its limit.")));
  Property cloud = toggle("flow.show.cloud", N_("Gaussian cloud"), false,
                          N_("Random initial points around the origin, coloured by where they end."));
  cloud.applies = whenField(kCanonicalField);
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
  method.applies = whenField(kCanonicalField);
  registry.declare(method);

  Property sigma = real("flow.gauss.sigma", N_("Spread"), "σ", 0.001, 10, 0.3, 0.01, 3,
                        N_("Standard deviation of both coordinates of the Gaussian cloud."));
  sigma.scale = Scale::Logarithmic;
  sigma.applies = whenField(kCanonicalField);
  registry.declare(sigma);
  Property samples = real("flow.gauss.samples", N_("Samples"), "N", 1, 10000, 1000, 100, 0,
                          N_("How many initial points the cloud has."));
  samples.kind = Kind::Integer;
  samples.scale = Scale::Logarithmic;
  samples.applies = whenField(kCanonicalField);
  registry.declare(samples);
  Property seed = real("flow.gauss.seed", N_("Seed"), "", 0, 1e6, 0, 1, 0,
                       N_("The same seed draws the same cloud on every machine."));
  seed.kind = Kind::Integer;
  seed.applies = whenField(kCanonicalField);
  registry.declare(seed);
  Property speed = real("flow.play.speed", N_("Speed"), "", 0.1, 10, 1, 0.1, 1,
                        N_("At 1 the slowest path takes about eight seconds."));
  speed.scale = Scale::Logarithmic;
  registry.declare(speed);
}

// Read-outs.

using Getter = std::function<Value(int)>;

/// What most read-outs do not say.
struct Extra {
  bool canonical = false;  ///< of the canonical plane only
  bool detail = false;
  std::function<std::string(const std::string&)> words = {};
  std::function<std::string(double)> numberWords = {};
  std::function<std::string(const Document&)> liveLabel = {};
};

void readOut(PropertyRegistry& registry, std::string key, std::string label, std::string symbol, std::string unit,
             std::string help, std::string equation, Getter get, int digits = 6, Extra extra = {}) {
  ReadOut declaration;
  if (extra.canonical) declaration.applies = whenField(kCanonicalField);
  declaration.detail = extra.detail;
  declaration.words = std::move(extra.words);
  declaration.numberWords = std::move(extra.numberWords);
  declaration.liveLabel = std::move(extra.liveLabel);
  declaration.key = std::move(key);
  declaration.label = std::move(label);
  declaration.symbol = std::move(symbol);
  declaration.unit = std::move(unit);
  declaration.help = std::move(help);
  declaration.equation = std::move(equation);
  declaration.digits = digits;
  declaration.get = std::move(get);
  registry.declare(std::move(declaration));
}

Value valueOf(const std::optional<double>& number) {
  return number && std::isfinite(*number) ? Value(*number) : Value(std::monostate{});
}

/// LABEL of the command line; other fields have attractors.
std::string labelOf(markov::LimitKind kind) {
  return kind == markov::LimitKind::Attractor ? "attractor" : std::string(markov::limitName(kind));
}

/// "local-min" -> "local minimum".
std::string labelWords(const std::string& label) {
  if (label == "attractor") return kindWords(markov::LimitKind::Attractor);
  for (const markov::LimitKind kind :
       {markov::LimitKind::GlobalMin, markov::LimitKind::LocalMin, markov::LimitKind::Saddle,
        markov::LimitKind::LocalMax, markov::LimitKind::Undecided})
    if (label == markov::limitName(kind)) return kindWords(kind);
  return label;
}

/// STATUS of the command line as words.
std::string statusWords(const std::string& status) {
  if (status == "reached") return tr("came to rest");
  if (status == "on-separatrix") return tr("on the separatrix");
  if (status == "time-limit") return tr("still moving when followed long enough");
  if (status == "unbounded") return tr("leaves every bounded region");
  if (status == "degenerate") return tr("p + q = 1, no basins");
  return status;
}

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

/// Wraps a getter of one point: monostate for an index that is not there.
Getter ofPoint(const FlowReadings& readings, std::function<Value(const PointResult&)> get) {
  return [&results = readings.results, get = std::move(get)](int index) -> Value {
    if (index < 0 || static_cast<std::size_t>(index) >= results.points()) return std::monostate{};
    return get(results.point(static_cast<std::size_t>(index)));
  };
}

void readPointOuts(PropertyRegistry& registry, const FlowReadings& readings) {
  const std::string key = "flow.points[].";
  const auto add = [&](const char* member, const char* label, const char* symbol, const char* unit, const char* help,
                       const char* equation, std::function<Value(const PointResult&)> get, Extra extra = {}) {
    readOut(registry, key + member, label, symbol, unit, help, equation, ofPoint(readings, std::move(get)), 6,
            std::move(extra));
  };
  const FlowState& state = readings.state;
  const std::vector<FieldPointer>& fields = readings.fields;
  readOut(
      registry, "flow.points.count", N_("Points"), "", "",
      N_("How many initial points have been placed; each is followed from where it stands to its limit."), "",
      [&state](int) { return Value(static_cast<double>(state.points.size())); }, 0);
  add("loss", N_("Loss"), "L", "nats", N_("Loss at the point, with the best bias."), "Local-to-Global, Lemma 5",
      [](const PointResult& p) { return valueOf(p.loss); }, {.canonical = true});
  add("energy", N_("Energy"), "E", "", N_("Constant along the flow: every path stays on its energy contour."),
      "Local-to-Global, (4)", [](const PointResult& p) { return valueOf(p.energy); },
      {.canonical = true, .detail = true});
  add("basin", N_("Basin"), "", "",
      N_("Which basin of attraction the point is in: all points of a basin come to rest on the same kind of limit."),
      "Local-to-Global, Theorems 2 and 8", [](const PointResult& p) { return Value(labelOf(p.kind)); },
      {.detail = true, .words = labelWords});
  add("status", N_("Status"), "", "",
      N_("Whether the point came to rest, or why nothing can be said: on the separatrix, out of time, or p + q = 1."),
      "", [](const PointResult& p) { return Value(std::string(markov::statusName(p.status))); },
      {.detail = true, .words = statusWords});
  add("limit.kind", N_("Limit"), "", "",
      N_("Where gradient flow comes to rest from this point: on the curve of global minima, on a bad local minimum, on "
         "the saddle between the basins, or on a local maximum, which only exact starts reach."),
      "Local-to-Global, Theorem 1",
      [](const PointResult& p) -> Value {
        if (!p.limit) return std::monostate{};
        return labelOf(p.kind);
      },
      {.words = labelWords});
  add("limit.loss", N_("Loss at the limit"), "L", "nats",
      N_("Compare it with the two entropies: H(π) is what a model reaches that ignores the last symbol."), "",
      [](const PointResult& p) { return valueOf(p.limitLoss); }, {.canonical = true});
  add("limit.e", N_("Limit"), "e", "", N_("First coordinate of the limit."), "",
      [](const PointResult& p) -> Value { return p.limit ? Value(p.limit->x) : Value(std::monostate{}); },
      {.liveLabel = coordinateName(fields, N_("Limit"), N_("Limit"), 0)});
  add("limit.w", N_("Limit"), "w", "", N_("Second coordinate of the limit."), "",
      [](const PointResult& p) -> Value { return p.limit ? Value(p.limit->y) : Value(std::monostate{}); },
      {.liveLabel = coordinateName(fields, N_("Limit"), N_("Limit"), 1)});
  add("limit.words", N_("In words"), "", "",
      N_("Where the point ends, and how its loss compares with the two entropies."), "",
      [&state](const PointResult& p) { return Value(limitWords(state, p)); });
  add("drift", N_("Energy drift"), "", "",
      N_("Largest relative change of the energy on the computed path: the integrator's error, 0 for the true flow."),
      "", [](const PointResult& p) { return valueOf(p.drift); }, {.canonical = true, .detail = true});
  add("source", N_("Known by"), "", "", N_("Whether the limit is known in closed form or from integration."), "",
      [](const PointResult& p) { return Value(std::string(p.exact ? "exact" : "integrated")); },
      {.detail = true, .words = [](const std::string& source) {
         return std::string(source == "exact" ? tr("theory") : tr("integration"));
       }});
}

void readModelOuts(PropertyRegistry& registry, const FlowReadings& readings) {
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

void readBasinOuts(PropertyRegistry& registry, const FlowReadings& readings) {
  const FlowResults& results = readings.results;
  readOut(registry, "flow.basin.disagreement", N_("Disagreement"), "", "",
          N_("Share of the pixels on which theory and integration differ."), "",
          [&results](int) -> Value {
            const BasinPicture& basin = results.basin();
            if (!basin.disagreements) return std::monostate{};
            return static_cast<double>(*basin.disagreements) / static_cast<double>(basin.integrated->labels.size());
          },
          6, {.canonical = true, .numberWords = shownShare});
  readOut(registry, "flow.basin.disagreements", N_("Disagreeing pixels"), "", "",
          N_("How many pixels theory and integration differ on."), "",
          [&results](int) -> Value {
            const BasinPicture& basin = results.basin();
            if (!basin.disagreements) return std::monostate{};
            return static_cast<double>(*basin.disagreements);
          },
          0, {.canonical = true});
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
            6, {.canonical = true, .detail = !basin, .numberWords = shownShare});
  }
  readOut(registry, "flow.basin.device", N_("Basins computed by"), "", "",
          N_("Which device made the basin picture and how long it took."), "",
          [&results](int) -> Value {
            if (results.basin().device.empty()) return std::monostate{};
            return results.basin().device;
          },
          6, {.detail = true});
  readOut(
      registry, "flow.gauss.probability", N_("P(local minimum)"), "", "",
      N_("Exact probability that a Gaussian initialisation ends in a local minimum; it depends on σ and the sign of "
         "p + q − 1 alone."),
      "Local-to-Global, Theorems 2 and 8", [&results](int) { return valueOf(results.gaussProbability()); }, 6,
      {.canonical = true, .numberWords = [](double value) { return shownProbability(value, 6); }});
  readOut(registry, "flow.gauss.measured", N_("Measured share"), "", "",
          N_("Share of the cloud that ends in a local minimum."), "",
          [&results](int) -> Value {
            if (!results.cloud()) return std::monostate{};
            return results.cloud()->share;
          },
          6, {.canonical = true, .numberWords = shownShare});
}

void readPointerOuts(PropertyRegistry& registry, const FlowReadings& readings) {
  const FlowState& state = readings.state;
  const std::optional<render::Point>& hover = readings.hover;
  readOut(registry, "flow.hover.e", N_("Pointer"), "e", "", N_("First coordinate under the pointer."), "",
          [&hover](int) -> Value { return hover ? Value(hover->x) : Value(std::monostate{}); }, 6,
          {.liveLabel = coordinateName(readings.fields, N_("Pointer"), N_("Pointer"), 0)});
  readOut(registry, "flow.hover.w", N_("Pointer"), "w", "", N_("Second coordinate under the pointer."), "",
          [&hover](int) -> Value { return hover ? Value(hover->y) : Value(std::monostate{}); }, 6,
          {.liveLabel = coordinateName(readings.fields, N_("Pointer"), N_("Pointer"), 1)});
  readOut(registry, "flow.hover.loss", N_("Loss under the pointer"), "L", "nats", N_("Loss under the pointer."), "",
          [&hover, &state](int) -> Value {
            if (!hover) return std::monostate{};
            dynamics::State x(2);
            x << hover->x, hover->y;
            if (state.canonical) return valueOf(markov::loss(state.chain, markov::Model::EW, x));
            return valueOf(state.field->potential(x, state.parameters));
          });
  readOut(registry, "flow.hover.basin", N_("Basin under the pointer"), "", "",
          N_("Where a point under the pointer would end."), "Local-to-Global, Theorems 2 and 8",
          [&hover, &state](int) -> Value {
            if (!hover || !state.canonical) return std::monostate{};
            return std::string(markov::limitName(markov::basinLabel(state.chain, hover->x, hover->y)));
          },
          6, {.canonical = true, .words = labelWords});
  const FlowPlay& play = readings.play;
  readOut(registry, "flow.play.active", N_("In motion"), "", "", N_("Whether the heads are moving."), "",
          [&play](int) { return Value(play.active()); }, 6, {.detail = true});
  readOut(registry, "flow.play.time", N_("Time"), "t", "", N_("The flow's own time of the moving heads."), "",
          [&play](int) { return Value(play.time()); }, 2, {.detail = true});
}

}  // namespace

void declareFlow(PropertyRegistry& registry, const FlowReadings& readings) {
  const std::vector<FieldPointer>& fields = readings.fields;
  declareModel(registry, fields);
  declarePoints(registry, fields);
  declareView(registry, fields);
  declareMethods(registry);
  declareLimits(registry, readings);
  readPointOuts(registry, readings);
  readModelOuts(registry, readings);
  readBasinOuts(registry, readings);
  readPointerOuts(registry, readings);
  declareCards(registry, readings);
}

}  // namespace sepx::ui

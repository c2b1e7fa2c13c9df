// SPDX-License-Identifier: Apache-2.0
// The declarations of the initial points: where each one is, what it is called, what is known of it, and how many are
// placed at once. Getters answer monostate for what is not there now.
#include <cmath>

#include "ui/exhibits/flow/shared/flow_declare.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/points_sampling.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

using namespace declaring;

namespace {

void declarePlaces(PropertyRegistry& registry, const std::vector<FieldPointer>& fields) {
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
  Property a =
      real("flow.points[].a", N_("Attention"), "a", -kFarthest, kFarthest, 0, 0.01, 4,
           N_("Third coordinate of the initial point: the scale of the attention. The plane leaves it alone."));
  a.equation = "Local-to-Global, section 5";
  a.applies = onPages({"space", "bias"}, whenField(kCanonicalField));
  registry.declare(a);
  Property name;
  name.key = "flow.points[].name";
  name.label = N_("Name");
  name.kind = Kind::Text;
  name.fallback = std::string();
  name.help = N_("A short name, shown beside the point.");
  registry.declare(name);

  Property color;
  color.key = "flow.points[].color";
  color.label = N_("Colour");
  color.kind = Kind::Text;
  color.color = true;
  color.fallback = std::string();
  color.help = N_("A colour of its own for the point and its path; without one the point has that of where it ends.");
  registry.declare(color);

  Property selected = real("flow.selected", N_("Selected point"), "", -1, 1e6, -1, 1, 0,
                           N_("Index of the selected point, −1 for none."));
  selected.kind = Kind::Integer;
  selected.undoable = false;
  selected.listOf = "flow.points";
  registry.declare(selected);
}

void declareSampling(PropertyRegistry& registry) {
  const auto add = [&registry](Property property) {
    property.detail = true;
    property.applies = onPages({"plane", "space", "bias", "optimisers"});
    registry.declare(std::move(property));
  };
  Property count = real("flow.sampling.count", N_("Number"), "n", 1, kMostSampled, 25, 1, 0,
                        N_("How many initial points a grid, a ring or a Gaussian cloud places at once."));
  count.kind = Kind::Integer;
  count.scale = Scale::Logarithmic;
  add(count);
  Property radius = real("flow.sampling.radius", N_("Half width"), "r", 1e-6, 1e6, 1, 0.05, 3,
                         N_("Radius of the ring; half the side of the square that the grid fills."));
  radius.scale = Scale::Logarithmic;
  add(radius);
  Property sigma = real("flow.sampling.sigma", N_("Spread"), "σ", 1e-6, 1e6, 0.3, 0.01, 3,
                        N_("Standard deviation of every coordinate of the Gaussian cloud of points."));
  sigma.scale = Scale::Logarithmic;
  sigma.equation = "Local-to-Global, section 4";
  add(sigma);
  Property seed = real("flow.sampling.seed", N_("Seed"), "", 0, 1e6, 0, 1, 0,
                       N_("The same seed places the same Gaussian cloud on every machine."));
  seed.kind = Kind::Integer;
  add(seed);
  Property center;
  center.key = "flow.sampling.center";
  center.label = N_("Around");
  center.kind = Kind::Choice;
  center.choices = {"origin", "selected"};
  center.choiceLabel = [](const std::string& key) {
    return std::string(key == "origin" ? tr("the origin") : tr("the selected point"));
  };
  center.fallback = std::string("origin");
  center.help = N_("The middle of what is placed; the origin where no point is selected.");
  add(center);
  Property mode;
  mode.key = "flow.sampling.mode";
  mode.label = N_("Points here now");
  mode.kind = Kind::Choice;
  mode.choices = {"add", "replace"};
  mode.choiceLabel = [](const std::string& key) { return std::string(key == "add" ? tr("stay") : tr("are replaced")); };
  mode.fallback = std::string("replace");
  mode.help = N_("Whether the points that are placed come to those that are there, or in their place.");
  add(mode);
}

void declareBackward(PropertyRegistry& registry) {
  Property back = toggle("flow.show.backward", N_("Ways back"), false,
                         N_("Also the way by which each point would have come: the flow run backwards, dashed. The "
                            "moving heads start on it."));
  back.applies = onPages({"plane", "space"});
  registry.declare(back);
}

/// Times are of any size: near p + q = 1 they grow without bound.
std::string shownTime(double time) {
  if (time == 0) return "0";
  return time >= 0.001 && time < 1e6 ? shownFixed(time, 3) : shownPower(time);
}

/// Wraps a getter of one point: monostate for an index that is not there.
Getter ofPoint(const FlowShared& readings, std::function<Value(const PointResult&)> get) {
  return [&results = readings.results, get = std::move(get)](int index) -> Value {
    if (index < 0 || static_cast<std::size_t>(index) >= results.points()) return std::monostate{};
    return get(results.point(static_cast<std::size_t>(index)));
  };
}

void readPointOuts(PropertyRegistry& registry, const FlowShared& readings) {
  const std::string key = "flow.points[].";
  // They are of the plane: other pages follow the points in other models.
  const auto add = [&](const char* member, const char* label, const char* symbol, const char* unit, const char* help,
                       const char* equation, std::function<Value(const PointResult&)> get, Extra extra = {}) {
    extra.plane = true;
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
  add("time99", N_("Time to 1 %"), "t₉₉", "",
      N_("The flow's own time after which less than 1 % is left of what the loss is above that of the limit; 0 "
         "for a point that stays."),
      "", [](const PointResult& p) { return valueOf(p.time99); }, {.canonical = true, .numberWords = shownTime});
  add("rate", N_("Rate near e = 0"), "", "",
      N_("How fast |e| falls on the last e-folds of the computed path: it is proportional to exp(−rate·t) there. Not "
         "there for a limit away from e = 0, nor on the separatrix, where e falls slower than any exponential."),
      "Local-to-Global, (110)", [](const PointResult& p) { return valueOf(p.rate); },
      {.canonical = true, .detail = true});
  add("rate.theory", N_("Rate by theory"), "", "",
      N_("The same from the curvature of the loss at the limit; below 0 where e = 0 repels. The paper's display prints "
         "half of it."),
      "Local-to-Global, (110)", [](const PointResult& p) { return valueOf(p.rateTheory); },
      {.canonical = true, .detail = true});
  add("from.words", N_("Came from"), "", "",
      N_("Where the way back leads, while the ways back are shown: uphill to a local maximum, or far out."), "",
      [&state](const PointResult& p) -> Value {
        if (!state.showBackward || !p.back) return std::monostate{};
        return originWords(state, p);
      });
  add("from.kind", N_("Kind of origin"), "", "",
      N_("The kind of critical point that the way back comes from, where it comes from one."), "",
      [&state](const PointResult& p) -> Value {
        if (!state.showBackward || !p.back || !p.back->origin) return std::monostate{};
        return labelOf(p.back->kind);
      },
      {.detail = true, .words = labelWords});
  add("source", N_("Known by"), "", "", N_("Whether the limit is known in closed form or from integration."), "",
      [](const PointResult& p) { return Value(std::string(p.exact ? "exact" : "integrated")); },
      {.detail = true, .words = [](const std::string& source) {
         return std::string(source == "exact" ? tr("theory") : tr("integration"));
       }});
}

}  // namespace

void declarePoints(PropertyRegistry& registry, const FlowShared& readings) {
  declarePlaces(registry, readings.fields);
  declareSampling(registry);
  declareBackward(registry);
  readPointOuts(registry, readings);
}

}  // namespace sepx::ui

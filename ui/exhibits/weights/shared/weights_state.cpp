// SPDX-License-Identifier: Apache-2.0
// Reads WeightsState from the document: what a page of the program does not declare has the value of a fresh state.
// Pure.
#include "ui/exhibits/weights/shared/weights_state.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <type_traits>

namespace sepx::ui {

namespace {

constexpr const char* kViewKeys[4] = {"weights.view.xMin", "weights.view.xMax", "weights.view.yMin",
                                      "weights.view.yMax"};

/// Typed values of keys that may not be declared (a test with one page alone).
class Reader {
 public:
  Reader(const Document& document, const PropertyRegistry& registry) : document_(document), registry_(registry) {}

  std::string text(const char* key) const { return known(key) ? registry_.text(document_, key) : std::string(); }
  void operator()(double& into, const char* key) const {
    if (known(key)) into = registry_.real(document_, key);
  }
  void operator()(int& into, const char* key) const {
    if (known(key)) into = static_cast<int>(std::clamp(registry_.real(document_, key), -1e9, 1e9));
  }
  void operator()(bool& into, const char* key) const {
    if (known(key)) into = registry_.toggle(document_, key);
  }
  /// The place of the value among `words`; as it is where it is none of them.
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(Enum& into, const char* key, std::initializer_list<std::string_view> words) const {
    const auto found = std::find(words.begin(), words.end(), text(key));
    if (found != words.end()) into = static_cast<Enum>(found - words.begin());
  }

 private:
  bool known(const char* key) const {
    const auto found = registry_.find(key);
    return found && found->property;
  }
  const Document& document_;
  const PropertyRegistry& registry_;
};

std::optional<render::Rect> readView(const Document& document) {
  double edges[4];
  for (int i = 0; i < 4; ++i) {
    const Json& edge = document.at(kViewKeys[i]);
    if (!edge.is_number()) return std::nullopt;
    edges[i] = edge.get<double>();
  }
  const render::Rect view{{edges[0], edges[2]}, {edges[1], edges[3]}};
  const bool sound = std::all_of(edges, edges + 4, [](double edge) { return std::abs(edge) < 1e9; });
  return sound && view.width() > 1e-3 && view.height() > 1e-3 ? std::optional<render::Rect>(view) : std::nullopt;
}

std::optional<ColorLimits> readLocked(const Document& document) {
  const Json &mode = document.at("weights.limits.mode"), &low = document.at("weights.limits.low"),
             &high = document.at("weights.limits.high");
  if (mode != "locked" || !low.is_number() || !high.is_number()) return std::nullopt;
  const ColorLimits limits{low.get<double>(), high.get<double>()};
  return std::isfinite(limits.low) && std::isfinite(limits.high) && limits.low < limits.high
             ? std::optional<ColorLimits>(limits)
             : std::nullopt;
}

}  // namespace

WeightsState readWeightsState(const Document& document, const PropertyRegistry& registry) {
  const Reader read(document, registry);
  WeightsState state;
  state.path = read.text("weights.checkpoint");
  state.stack = checkpoint::stackNamed(read.text("weights.stack")).value_or(checkpoint::Stack::Self);
  read(state.layer, "weights.layer");
  state.layer = std::max(0, state.layer);
  read(state.head, "weights.head");
  state.head = std::max(-1, state.head);
  read(state.part, "weights.part", {"full", "symmetric", "skew", "three"});
  state.view = readView(document);
  read(state.score.gamma, "weights.score.gamma");
  read(state.score.variant, "weights.score.variant", {"excess", "sum"});
  const std::string ddof = read.text("weights.score.ddof");
  state.score.ddof = ddof == "0" ? 0 : ddof == "1" ? 1 : attention::ScoreOptions::usualDdof(state.score.variant);
  read(state.pairing, "weights.gqa", {"grouped", "published"});
  read(state.foldNorm, "weights.norm.folded");
  read(state.scale, "weights.colors", {"diverging", "sequential", "logarithmic"});
  state.locked = readLocked(document);
  read(state.percentile, "weights.limits.percentile");
  read(state.order, "weights.order", {"stored", "row-norm", "column-norm", "both"});
  state.pool = read.text("weights.pool") == "mean" ? attention::Pool::Mean : attention::Pool::Extreme;
  read(state.margins, "weights.show.margins");
  read(state.values, "weights.show.values");
  read(state.spectrum, "weights.show.spectrum");
  read(state.survival, "weights.show.survival");
  read(state.wallOrder, "weights.wall.order", {"layer", "symmetry", "directionality", "norm"});
  state.comparePath = read.text("weights.compare.checkpoint");
  read(state.blend, "weights.compare.mode", {"side", "difference", "blink"});
  read(state.formQuery, "weights.form.query");
  read(state.formKey, "weights.form.key");
  read(state.formOffset, "weights.form.offset");
  state.embedding = read.text("weights.mapping.embedding");
  state.formQuery = std::max(0, state.formQuery);
  state.formKey = std::max(0, state.formKey);
  return state;
}

Document withWeightsView(const Document& document, const std::optional<render::Rect>& view) {
  if (!view) return document.has("weights.view") ? document.without("weights.view") : document;
  return document.with(kViewKeys[0], view->min.x)
      .with(kViewKeys[1], view->max.x)
      .with(kViewKeys[2], view->min.y)
      .with(kViewKeys[3], view->max.y);
}

Document withLockedLimits(const Document& document, const ColorLimits& limits) {
  return document.with("weights.limits.mode", "locked")
      .with("weights.limits.low", limits.low)
      .with("weights.limits.high", limits.high);
}

Document withoutLockedLimits(const Document& document) {
  Document next = document;
  for (const char* key : {"weights.limits.mode", "weights.limits.low", "weights.limits.high"})
    if (next.has(key)) next = next.without(key);
  return next;
}

}  // namespace sepx::ui

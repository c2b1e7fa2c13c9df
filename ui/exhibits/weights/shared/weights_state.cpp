// SPDX-License-Identifier: Apache-2.0
// Reads WeightsState from the document: what a page of the program does not declare has the value of a fresh state.
// Pure.
#include "ui/exhibits/weights/shared/weights_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace sepx::ui {

namespace {

constexpr const char* kViewKeys[4] = {"weights.view.xMin", "weights.view.xMax", "weights.view.yMin",
                                      "weights.view.yMax"};

/// Typed values of keys that may not be declared (a test with one page alone).
class Reader {
 public:
  Reader(const Document& document, const PropertyRegistry& registry) : document_(document), registry_(registry) {}

  std::string text(const char* key, const char* fallback = "") const {
    return known(key) ? registry_.text(document_, key) : std::string(fallback);
  }
  double real(const char* key, double fallback) const { return known(key) ? registry_.real(document_, key) : fallback; }
  int whole(const char* key, int fallback) const {
    return static_cast<int>(std::clamp(real(key, fallback), -1e9, 1e9));
  }
  bool toggle(const char* key, bool fallback) const { return known(key) ? registry_.toggle(document_, key) : fallback; }
  /// The place of the value among `words`; 0 where it is none of them.
  template <class Enum, std::size_t n>
  Enum choice(const char* key, const std::array<std::string_view, n>& words) const {
    const std::string value = text(key);
    const auto found = std::find(words.begin(), words.end(), value);
    return static_cast<Enum>(found == words.end() ? 0 : found - words.begin());
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

attention::ScoreOptions readScore(const Reader& read) {
  attention::ScoreOptions score;
  score.gamma = read.real("weights.score.gamma", 2);
  score.variant =
      read.text("weights.score.variant") == "sum" ? attention::Directionality::Sum : attention::Directionality::Excess;
  const std::string ddof = read.text("weights.score.ddof", "automatic");
  score.ddof = ddof == "0" ? 0 : ddof == "1" ? 1 : attention::ScoreOptions::usualDdof(score.variant);
  return score;
}

}  // namespace

WeightsState readWeightsState(const Document& document, const PropertyRegistry& registry) {
  using namespace std::string_view_literals;
  const Reader read(document, registry);
  WeightsState state;
  state.path = read.text("weights.checkpoint");
  state.stack = checkpoint::stackNamed(read.text("weights.stack", "self")).value_or(checkpoint::Stack::Self);
  state.layer = std::max(0, read.whole("weights.layer", 0));
  state.head = std::max(-1, read.whole("weights.head", -1));
  state.part = read.choice<WeightsPart>("weights.part", std::array{"full"sv, "symmetric"sv, "skew"sv, "three"sv});
  state.view = readView(document);
  state.score = readScore(read);
  state.pairing =
      read.text("weights.gqa") == "published" ? checkpoint::HeadPairing::Published : checkpoint::HeadPairing::Grouped;
  state.foldNorm = read.toggle("weights.norm.folded", false);
  state.scale = read.choice<ScaleKind>("weights.colors", std::array{"diverging"sv, "sequential"sv, "logarithmic"sv});
  state.locked = readLocked(document);
  state.percentile = read.real("weights.limits.percentile", 99.5);
  state.order =
      read.choice<WeightsOrder>("weights.order", std::array{"stored"sv, "row-norm"sv, "column-norm"sv, "both"sv});
  state.pool = read.text("weights.pool") == "mean" ? attention::Pool::Mean : attention::Pool::Extreme;
  state.margins = read.toggle("weights.show.margins", true);
  state.values = read.toggle("weights.show.values", true);
  state.spectrum = read.toggle("weights.show.spectrum", false);
  state.survival = read.toggle("weights.show.survival", false);
  state.wallOrder =
      read.choice<WallOrder>("weights.wall.order", std::array{"layer"sv, "symmetry"sv, "directionality"sv, "norm"sv});
  state.comparePath = read.text("weights.compare.checkpoint");
  state.blend = read.choice<WeightsBlend>("weights.compare.mode", std::array{"side"sv, "difference"sv, "blink"sv});
  state.formQuery = std::max(0, read.whole("weights.form.query", 0));
  state.formKey = std::max(0, read.whole("weights.form.key", 1));
  state.formOffset = read.whole("weights.form.offset", 0);
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

// SPDX-License-Identifier: Apache-2.0
// Reads WeightsState from the document. A member that no page declares keeps the value of a new state. Pure.
#include "ui/exhibits/weights/shared/weights_state.h"

#include <algorithm>
#include <cmath>

namespace sepx::ui {

namespace {

constexpr const char* kViewKeys[4] = {"weights.view.xMin", "weights.view.xMax", "weights.view.yMin",
                                      "weights.view.yMax"};

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
  WeightsState state;
  state.score.ddof = kByVariant;
  registry.read(document, state);
  if (state.score.ddof == kByVariant) state.score.ddof = attention::ScoreOptions::usualDdof(state.score.variant);
  state.view = readView(document);
  state.locked = readLocked(document);
  return state;
}

Document withWeightsView(const Document& document, const std::optional<render::Rect>& view) {
  if (!view) return document.has("weights.view") ? document.without("weights.view") : document;
  return document.with(kViewKeys[0], view->min.x)
      .with(kViewKeys[1], view->max.x)
      .with(kViewKeys[2], view->min.y)
      .with(kViewKeys[3], view->max.y);
}

Document withLimits(const Document& document, const std::optional<ColorLimits>& limits) {
  if (limits)
    return document.with("weights.limits.mode", "locked")
        .with("weights.limits.low", limits->low)
        .with("weights.limits.high", limits->high);
  Document next = document;
  for (const char* key : {"weights.limits.mode", "weights.limits.low", "weights.limits.high"})
    if (next.has(key)) next = next.without(key);
  return next;
}

}  // namespace sepx::ui

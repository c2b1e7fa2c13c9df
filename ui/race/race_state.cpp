// SPDX-License-Identifier: Apache-2.0
// Reads RaceState from the document. Pure.
#include "ui/race/race_state.h"

#include <algorithm>

namespace sepx::ui {

const char* wordOf(RaceMetric metric) {
  static constexpr const char* kWords[kRaceMetrics] = {"loss",          "symmetry",      "directionality",
                                                       "row_column_cv", "gradient_norm", "rate",
                                                       "constraint",    "sigma_ratio",   "accuracy"};
  return kWords[static_cast<std::size_t>(metric)];
}

namespace {

/// Of pages that show W_qk.
void readForms(const RaceKind& kind, const Document& document, const PropertyRegistry& registry, RaceState& state) {
  const auto real = [&](std::string_view name) { return registry.real(document, kind.key(name)); };
  const auto on = [&](std::string_view name) { return registry.toggle(document, kind.key(name)); };
  state.layer = static_cast<int>(std::clamp(real("layer"), 0.0, 1e6));
  state.head = static_cast<int>(std::clamp(real("head"), -1.0, 1e6));
  for (std::size_t i = 0; i < kRaceMetrics; ++i)
    state.metrics[i] = on(std::string("show.") + wordOf(static_cast<RaceMetric>(i)));
  state.validation = on("show.validation");
  state.bounds = on("show.bounds");
  state.raw = on("show.raw");
  const std::string scale = registry.text(document, kind.key("colors.scale"));
  state.scale = scale == "shared" ? RaceScale::Shared : scale == "fixed" ? RaceScale::Fixed : RaceScale::Own;
  state.colorLimit = real("colors.limit");
  const std::string layers = registry.text(document, kind.key("layers"));
  state.layers = layers == "lines"       ? LayersShown::Lines
                 : layers == "quartiles" ? LayersShown::Quartiles
                                         : LayersShown::Both;
}

}  // namespace

RaceState readRaceState(const RaceKind& kind, const Document& document, const PropertyRegistry& registry) {
  RaceState state;
  const auto real = [&](std::string_view name) { return registry.real(document, kind.key(name)); };
  const auto on = [&](std::string_view name) { return registry.toggle(document, kind.key(name)); };
  const auto whole = [&](std::string_view name) {
    return static_cast<std::int64_t>(std::clamp(real(name), -1.0, 1e15));
  };
  state.experiment = registry.text(document, kind.key("experiment"));
  for (const Json& run : document.list(kind.key("runs"))) {
    const auto folder = run.find("folder");
    state.folders.push_back(folder != run.end() && folder->is_string() ? folder->get<std::string>() : std::string());
  }
  state.step = whole("step");
  state.smooth = real("smooth");
  state.logX = on("log.steps");
  state.logY = on("log.values");
  state.rate = real("rate");
  state.run = static_cast<int>(std::clamp(real("run"), -1.0, 15.0));
  state.compareRun = static_cast<int>(std::clamp(real("compare.run"), 0.0, 15.0));
  state.compareStep = std::max<std::int64_t>(0, whole("compare.step"));
  state.stepsPerFrame = std::max<std::int64_t>(1, whole("steps_per_frame"));
  if (kind.forms) readForms(kind, document, registry, state);
  if (registry.find(kind.key("weights"))) state.averaged = registry.text(document, kind.key("weights")) == "averaged";
  return state;
}

Document withRuns(const RaceKind& kind, const Document& document, const std::vector<std::string>& folders) {
  Json list = Json::array();
  for (const std::string& folder : folders)
    list.push_back({{"folder", folder}});
  Document next = document.with(kind.key("runs"), std::move(list));
  return next.has(kind.key("step")) ? next.without(kind.key("step")) : next;
}

}  // namespace sepx::ui

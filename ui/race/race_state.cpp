// SPDX-License-Identifier: Apache-2.0
// Reads RaceState from the document. Pure.
#include "ui/race/race_state.h"

namespace sepx::ui {

const char* wordOf(RaceMetric metric) {
  static constexpr const char* kWords[kRaceMetrics] = {"loss",          "symmetry",      "directionality",
                                                       "row_column_cv", "gradient_norm", "rate",
                                                       "constraint",    "sigma_ratio",   "accuracy"};
  return kWords[static_cast<std::size_t>(metric)];
}

RaceState readRaceState(const RaceKind& kind, const Document& document, const PropertyRegistry& registry) {
  RaceState state;
  registry.read(document, state, kind.key(""));
  for (const Json& run : document.list(kind.key("runs"))) {
    if (state.folders.size() == kind.mostRuns) break;  // each run is opened, and a file may name thousands
    const auto folder = run.find("folder");
    state.folders.push_back(folder != run.end() && folder->is_string() ? folder->get<std::string>() : std::string());
  }
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

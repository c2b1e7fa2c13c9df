// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run.h"

namespace sepx::ui {

const RunSeries* Run::series(std::string_view name, int layer, int head) const {
  const auto found = series_.find(std::tuple(name, layer, head));
  return found != series_.end() ? &found->second : nullptr;
}

std::vector<const RunSeries*> Run::seriesOf(std::string_view name) const {
  std::vector<const RunSeries*> found;
  constexpr int kBeforeAll = -2;  // -1 is the whole model
  for (auto at = series_.lower_bound(std::tuple(name, kBeforeAll, kBeforeAll)); at != series_.end(); ++at) {
    if (at->second.name != name) break;
    found.push_back(&at->second);
  }
  return found;
}

std::vector<std::string> Run::metricNames() const {
  std::vector<std::string> names;
  for (const auto& [key, series] : series_)
    if (names.empty() || names.back() != series.name) names.push_back(series.name);
  return names;
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// See seed_groups.h.
#include "ui/exhibits/reversal/race/seed_groups.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sepx::ui {

namespace {

/// The config without name, note, seeds, and the schedule, which the user may change during a run.
train::RunConfig withoutSeed(train::RunConfig config) {
  config.name.clear();
  config.note.clear();
  config.seed = config.data.seed = 0;
  config.schedule = {};
  return config;
}

/// "MDM, RoPE, seed 1" is "MDM, RoPE".
std::string withoutSeed(std::string name) {
  const std::size_t at = name.rfind(", ");
  if (at == std::string::npos || name.empty() || std::isdigit(static_cast<unsigned char>(name.back())) == 0)
    return name;
  return name.substr(0, at);
}

}  // namespace

std::vector<SeedGroup> seedGroups(const ReversalShared& shared) {
  std::vector<SeedGroup> groups;
  std::vector<train::RunConfig> kinds;
  for (std::size_t i = 0; i < shared.runs.size(); ++i) {
    const Run* const run = shared.runs[i].run.get();
    if (!run || !run->config()) continue;
    train::RunConfig kind = withoutSeed(*run->config());
    const auto at = static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin());
    if (at == kinds.size()) {
      kinds.push_back(std::move(kind));
      groups.push_back({shared.runs[i].name(), {}});
    }
    groups[at].runs.push_back(i);
    if (groups[at].runs.size() == 2) groups[at].name = withoutSeed(groups[at].name);
  }
  return groups;
}

SeedBand seedBand(const std::vector<const RunSeries*>& series) {
  struct At {
    double sum = 0, low = 0, high = 0;
    int count = 0;
  };
  std::map<double, At> steps;
  for (const RunSeries* const one : series)
    for (std::size_t i = 0; i < one->steps.size(); ++i) {
      const double value = one->values[i];
      if (!std::isfinite(value)) continue;
      At& at = steps[one->steps[i]];
      at.low = at.count == 0 ? value : std::min(at.low, value);
      at.high = at.count == 0 ? value : std::max(at.high, value);
      at.sum += value;
      ++at.count;
    }
  SeedBand band;
  for (const auto& [step, at] : steps) {
    band.steps.push_back(step);
    band.mean.push_back(at.sum / at.count);
    band.low.push_back(at.low);
    band.high.push_back(at.high);
  }
  return band;
}

}  // namespace sepx::ui

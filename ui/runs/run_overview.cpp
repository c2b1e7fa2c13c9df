// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_overview.h"

#include <algorithm>

namespace sepx::ui {

std::vector<std::int64_t> overviewSteps(const train::Schedule& schedule, std::int64_t last) {
  std::vector<std::int64_t> steps{last};
  for (const std::int64_t every : {schedule.recordEvery, schedule.evaluateEvery, schedule.scoresEvery,
                                   schedule.gradientsEvery, schedule.spectraEvery}) {
    if (every <= 0 || last < 0) continue;
    const std::int64_t measured = last / every;
    const std::int64_t stride = std::max<std::int64_t>(1, measured / static_cast<std::int64_t>(kOverviewSteps));
    for (std::int64_t i = 0; i <= measured / stride; ++i)
      steps.push_back(i * stride * every);
  }
  std::ranges::sort(steps);
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

}  // namespace sepx::ui

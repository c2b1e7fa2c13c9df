// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/projected_path.h"

#include <algorithm>
#include <cmath>

namespace sepx::ui {

std::size_t ProjectedPath::until(std::int64_t step) const {
  return static_cast<std::size_t>(std::upper_bound(steps.begin(), steps.end(), static_cast<double>(step)) -
                                  steps.begin());
}

std::vector<double> ProjectedPath::halo() const {
  std::vector<double> halo;
  for (std::size_t i = 0; i < steps.size(); ++i)
    halo.push_back(residual[i] * std::hypot(e[i], w[i]));
  return halo;
}

ProjectedPath projectedPathOf(const Run& run) {
  const auto first = [&run](const char* name) -> const RunSeries* {
    const std::vector<const RunSeries*> all = run.seriesOf(name);
    return all.empty() ? nullptr : all.front();
  };
  const RunSeries *const es = first("canonical_e"), *const ws = first("canonical_w"),
                         *const residuals = first("canonical_residual");
  ProjectedPath path;
  if (!es || !ws || es->steps != ws->steps) return path;
  path.steps = es->steps;
  path.e = es->values;
  path.w = ws->values;
  path.residual.assign(path.steps.size(), 0);
  if (residuals && residuals->values.size() == path.steps.size()) path.residual = residuals->values;
  return path;
}

double flowTimeAt(const Run& run, std::int64_t step) {
  const RunSeries* const rates = run.series("rate");
  if (!rates) return 0;
  double time = 0, before = 0;
  // A recorded rate applies to all steps since the one recorded before, because a long run that is still being read has
  // gaps.
  for (std::size_t i = 0; i < rates->steps.size() && rates->steps[i] <= static_cast<double>(step); ++i) {
    if (std::isfinite(rates->values[i])) time += rates->values[i] * (rates->steps[i] - before);
    before = rates->steps[i];
  }
  return time;
}

}  // namespace sepx::ui

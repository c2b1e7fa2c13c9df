// SPDX-License-Identifier: Apache-2.0
#include "engine/attention/survival.h"

#include <algorithm>
#include <cmath>

namespace sepx::attention {

Survival survivalOf(const Eigen::VectorXd& norms) {
  std::vector<double> sorted;
  sorted.reserve(static_cast<std::size_t>(norms.size()));
  for (const double norm : norms)
    if (std::isfinite(norm)) sorted.push_back(norm);
  std::sort(sorted.begin(), sorted.end());
  Survival survival;
  survival.count = sorted.size();
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i + 1 < sorted.size() && sorted[i + 1] == sorted[i]) continue;
    survival.norm.push_back(sorted[i]);
    survival.share.push_back(double(sorted.size() - i - 1) / double(sorted.size()));
  }
  return survival;
}

double Survival::at(double x) const {
  const auto above = std::upper_bound(norm.begin(), norm.end(), x);
  if (above == norm.begin()) return count == 0 ? 0 : 1;
  return share[static_cast<std::size_t>(above - norm.begin()) - 1];
}

std::vector<std::pair<double, double>> staircase(const Survival& survival, std::size_t most) {
  const std::size_t steps = survival.norm.size(), spread = std::max<std::size_t>(most / 2, 1);
  std::vector<std::pair<double, double>> corners{{0, survival.count == 0 ? 0.0 : 1.0}};
  const std::size_t tail = steps > spread ? steps - spread : 0;  // from here on every step is kept
  double drawn = 1;
  for (std::size_t i = 0; i < steps; ++i) {
    const bool keep = i >= tail || drawn - survival.share[i] >= 1.0 / double(spread);
    if (!keep) continue;
    corners.emplace_back(survival.norm[i], drawn);
    drawn = survival.share[i];
    corners.emplace_back(survival.norm[i], drawn);
  }
  return corners;
}

}  // namespace sepx::attention

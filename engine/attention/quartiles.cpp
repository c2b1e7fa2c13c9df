// SPDX-License-Identifier: Apache-2.0
// Median and quartiles by linear interpolation between order statistics: position (count - 1) * share.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/attention/scores.h"

namespace sepx::attention {

Quartiles quartiles(std::vector<double> values) {
  values.erase(std::remove_if(values.begin(), values.end(), [](double x) { return std::isnan(x); }), values.end());
  if (values.empty()) {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    return {kNaN, kNaN, kNaN};
  }
  std::sort(values.begin(), values.end());
  const auto at = [&values](double share) {
    const double place = share * double(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const double weight = place - double(below);
    return weight == 0 ? values[below] : values[below] + weight * (values[above] - values[below]);
  };
  return {at(0.5), at(0.25), at(0.75)};
}

}  // namespace sepx::attention

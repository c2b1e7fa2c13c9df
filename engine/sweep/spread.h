// SPDX-License-Identifier: Apache-2.0
// Mean, standard deviation and extremes of the values of one setting. Pure; any thread.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

namespace sepx::sweep {

/// Statistics of finite values, updated one value at a time (Welford's method).
struct Spread {
  std::size_t count = 0;
  double mean = 0;
  double squares = 0;  ///< sum of the squared differences from the mean
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  void add(double value) {  ///< one more value
    ++count;
    const double before = value - mean;
    mean += before / static_cast<double>(count);
    squares += before * (value - mean);
    low = std::fmin(low, value);
    high = std::fmax(high, value);
  }
  /// Standard deviation of the sample: divided by count - 1. NaN for fewer than two values.
  double deviation() const {
    return count > 1 ? std::sqrt(squares / static_cast<double>(count - 1)) : std::numeric_limits<double>::quiet_NaN();
  }
};

}  // namespace sepx::sweep

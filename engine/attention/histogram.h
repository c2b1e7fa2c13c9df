// SPDX-License-Identifier: Apache-2.0
// How the entries of W_qk are distributed: counts in fine bins of sign, exponent and eight bits of the mantissa, so
// that one pass needs no range beforehand and percentiles are good to 0.2 % of their value. Integer counts: the order
// of adding does not matter. Any thread, one at a time an object.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/attention/factors.h"
#include "engine/attention/tiles.h"
#include "engine/core/thread_pool.h"

namespace sepx::attention {

class Histogram {
 public:
  Histogram();
  void add(std::span<const double> values);  ///< counts these values too
  void add(std::span<const float> values);   ///< the same
  void add(const Histogram& other);          ///< of the same range; its counts are added

  std::uint64_t finite() const { return finite_; }        ///< entries counted
  std::uint64_t nonfinite() const { return nonfinite_; }  ///< NaN and infinite ones, which are in no bin
  double lowest() const { return lowest_; }               ///< exact; NaN while there is nothing
  double highest() const { return highest_; }
  double largest() const;  ///< largest modulus
  /// Share of the matrix that was looked at: 1, or less when histogramOf took every so many-th row and column.
  double sampled = 1;

  /// The value below which `percent` of the entries lie, 0 to 100; NaN while there is nothing.
  double percentile(double percent) const;
  /// The same of |entries|.
  double percentileOfModulus(double percent) const;
  /// `bins` counts between low and high; entries outside are in none. Fine bins that straddle an edge are shared out.
  std::vector<double> bins(double low, double high, int bins) const;
  /// Share of the entries below (above) a value.
  double shareBelow(double x) const;
  double shareAbove(double x) const { return 1 - shareBelow(x); }

 private:
  void addOne(double value);
  std::vector<std::uint64_t> counts_;  ///< negative from the largest modulus on, zero, positive
  std::uint64_t finite_ = 0, nonfinite_ = 0;
  double lowest_, highest_;
};

/// Of a part of W_qk. At most about `most` entries: beyond that of evenly spaced rows and columns. Nothing: cancelled.
std::optional<Histogram> histogramOf(const LayerFactors& factors, Part part, std::size_t most = std::size_t{1} << 22,
                                     ThreadPool* pool = nullptr, const std::function<bool()>& cancelled = {});

}  // namespace sepx::attention

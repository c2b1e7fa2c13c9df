// SPDX-License-Identifier: Apache-2.0
// Histogram of the entries of W_qk: counts in fine bins of sign, exponent and eight bits of the mantissa. A single pass
// needs no range in advance, and percentiles are accurate to 0.2 % of their value. The counts are integers, so the
// order of additions does not matter. Any thread, one at a time per object.
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
  void add(const Histogram& other);          ///< adds the counts of `other`

  std::uint64_t finite() const { return finite_; }        ///< entries counted
  std::uint64_t nonfinite() const { return nonfinite_; }  ///< NaN and infinite entries, which are in no bin
  double lowest() const { return lowest_; }               ///< exact; NaN while the histogram is empty
  double highest() const { return highest_; }
  double largest() const;  ///< largest modulus
  /// Share of the matrix that was counted: 1, or less if histogramOf sampled evenly spaced rows and columns.
  double sampled = 1;

  /// The value below which `percent` (0 to 100) of the entries lie; NaN while the histogram is empty.
  double percentile(double percent) const;
  /// The same for the absolute values of the entries.
  double percentileOfModulus(double percent) const;
  /// `bins` counts between low and high; entries outside are not counted. A fine bin that straddles an edge is split in
  /// proportion.
  std::vector<double> bins(double low, double high, int bins) const;
  /// Share of the entries below (above) a value.
  double shareBelow(double x) const;
  double shareAbove(double x) const { return 1 - shareBelow(x); }

 private:
  void addOne(double value);
  std::vector<std::uint64_t> counts_;  ///< ascending: negative values from the largest modulus, zero, positive values
  std::uint64_t finite_ = 0, nonfinite_ = 0;
  double lowest_, highest_;
};

/// Histogram of a part of W_qk. If it has more than about `most` entries, evenly spaced rows and columns are sampled.
/// Empty optional if cancelled.
std::optional<Histogram> histogramOf(const LayerFactors& factors, Part part, std::size_t most = std::size_t{1} << 22,
                                     ThreadPool* pool = nullptr, const std::function<bool()>& cancelled = {});

}  // namespace sepx::attention

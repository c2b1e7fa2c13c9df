// SPDX-License-Identifier: Apache-2.0
// Histogram of matrix entries. The index of a fine bin is the upper 16 bits of a float after its sign bit: the exponent
// and eight bits of the mantissa.
#include "engine/attention/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace sepx::attention {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr float kLargestFloat = std::numeric_limits<float>::max();
constexpr int kDropped = 15;             ///< mantissa bits that do not affect the bin
constexpr std::size_t kModuli = 0xff00;  ///< bins of |x|, up to the largest float

std::size_t binOfModulus(double modulus) {
  const float value = modulus >= kLargestFloat ? kLargestFloat : static_cast<float>(modulus);
  return std::min<std::size_t>(std::bit_cast<std::uint32_t>(value) >> kDropped, kModuli - 1);
}

/// Lower edge of a bin of |x|. The last bin also holds values above the largest float.
double edge(std::size_t bin) {
  if (bin >= kModuli) return std::numeric_limits<double>::max();
  return std::bit_cast<float>(static_cast<std::uint32_t>(bin) << kDropped);
}

struct Range {
  double low, high;
};

/// The range that a bin of signed numbers covers, clamped to the observed range.
Range rangeOf(std::size_t bin, double lowest, double highest) {
  const Range range = bin >= kModuli ? Range{edge(bin - kModuli), edge(bin - kModuli + 1)}
                                     : Range{-edge(kModuli - bin), -edge(kModuli - 1 - bin)};
  const double low = std::clamp(range.low, lowest, highest);
  return {low, std::max(low, std::min(range.high, highest))};
}

double between(const Range& range, double share) {
  return range.low + share * (range.high - range.low);
}

/// `wanted` evenly spaced indices below `size`; empty if `wanted` >= `size`.
std::vector<int> spaced(Eigen::Index size, Eigen::Index wanted) {
  std::vector<int> places;
  for (Eigen::Index i = 0; wanted < size && i < wanted; ++i)
    places.push_back(static_cast<int>(i * size / wanted));
  return places;
}

}  // namespace

Histogram::Histogram() : counts_(2 * kModuli, 0), lowest_(kNaN), highest_(kNaN) {}

void Histogram::addOne(double value) {
  if (!std::isfinite(value)) {
    ++nonfinite_;
    return;
  }
  const std::size_t modulus = binOfModulus(std::abs(value));
  ++counts_[value < 0 ? kModuli - 1 - modulus : kModuli + modulus];
  if (finite_++ == 0) {
    lowest_ = highest_ = value;
    return;
  }
  lowest_ = std::min(lowest_, value);
  highest_ = std::max(highest_, value);
}

void Histogram::add(std::span<const double> values) {
  for (const double value : values)
    addOne(value);
}

void Histogram::add(std::span<const float> values) {
  for (const float value : values)
    addOne(value);
}

void Histogram::add(const Histogram& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i)
    counts_[i] += other.counts_[i];
  if (other.finite_ > 0) {
    lowest_ = finite_ > 0 ? std::min(lowest_, other.lowest_) : other.lowest_;
    highest_ = finite_ > 0 ? std::max(highest_, other.highest_) : other.highest_;
  }
  finite_ += other.finite_;
  nonfinite_ += other.nonfinite_;
}

double Histogram::largest() const {
  return std::max(std::abs(lowest_), std::abs(highest_));
}

double Histogram::percentile(double percent) const {
  if (finite_ == 0) return kNaN;
  const double wanted = std::clamp(percent, 0.0, 100.0) / 100 * double(finite_);
  double passed = 0;
  for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
    const auto here = double(counts_[bin]);
    if (here > 0 && passed + here >= wanted) return between(rangeOf(bin, lowest_, highest_), (wanted - passed) / here);
    passed += here;
  }
  return highest_;
}

double Histogram::percentileOfModulus(double percent) const {
  if (finite_ == 0) return kNaN;
  const double wanted = std::clamp(percent, 0.0, 100.0) / 100 * double(finite_);
  double passed = 0;
  for (std::size_t modulus = 0; modulus < kModuli; ++modulus) {
    const auto here = double(counts_[kModuli + modulus] + counts_[kModuli - 1 - modulus]);
    if (here > 0 && passed + here >= wanted) {
      const Range range{edge(modulus), std::min(edge(modulus + 1), largest())};
      return std::min(between(range, (wanted - passed) / here), largest());
    }
    passed += here;
  }
  return largest();
}

std::vector<double> Histogram::bins(double low, double high, int bins) const {
  std::vector<double> heights(static_cast<std::size_t>(std::max(bins, 0)), 0);
  if (bins <= 0 || !(high > low)) return heights;
  const double width = (high - low) / bins;
  for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
    if (counts_[bin] == 0) continue;
    const Range range = rangeOf(bin, lowest_, highest_);
    if (range.high < low || range.low > high) continue;
    const auto placeOf = [&](double x) {
      return std::clamp(static_cast<int>(std::floor((x - low) / width)), 0, bins - 1);
    };
    const int first = placeOf(range.low), last = placeOf(range.high);
    const double span = range.high - range.low;
    if (first == last && range.low >= low && range.high <= high) {
      heights[static_cast<std::size_t>(first)] += double(counts_[bin]);
      continue;
    }
    for (int i = first; i <= last; ++i) {
      const double from = std::max(range.low, low + i * width), to = std::min(range.high, low + (i + 1) * width);
      if (to > from) heights[static_cast<std::size_t>(i)] += double(counts_[bin]) * (to - from) / span;
    }
  }
  return heights;
}

double Histogram::shareBelow(double x) const {
  if (finite_ == 0) return kNaN;
  double below = 0;
  for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
    if (counts_[bin] == 0) continue;
    const Range range = rangeOf(bin, lowest_, highest_);
    if (range.low >= x) break;
    const double share = range.high <= x ? 1 : (x - range.low) / (range.high - range.low);
    below += share * double(counts_[bin]);
  }
  return below / double(finite_);
}

std::optional<Histogram> histogramOf(const LayerFactors& factors, Part part, std::size_t most, ThreadPool* pool,
                                     const std::function<bool()>& cancelled) {
  constexpr Eigen::Index kStrip = 512;
  const Eigen::Index n = factors.rows(), m = factors.columns();
  const double share = std::min(1.0, std::sqrt(double(most) / (double(n) * double(m))));
  const auto wanted = [share](Eigen::Index size) {
    return std::max<Eigen::Index>(1, Eigen::Index(share * double(size)));
  };
  const Eigen::Index across = share < 1 ? wanted(m) : m, down = share < 1 ? wanted(n) : n;
  const std::vector<int> rows = spaced(n, down), columns = spaced(m, across);
  Histogram histogram;
  histogram.sampled = double(down) * double(across) / (double(n) * double(m));
  for (Eigen::Index first = 0; first < down; first += kStrip) {
    if (cancelled && cancelled()) return std::nullopt;
    const Crop crop{first, std::min(first + kStrip, down), 0, across};
    const Matrix strip = cropOf(factors, part, crop, pool, rows, columns);
    histogram.add(std::span<const double>(strip.data(), static_cast<std::size_t>(strip.size())));
  }
  return histogram;
}

}  // namespace sepx::attention

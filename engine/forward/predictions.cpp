// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/predictions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/core/simd.h"

namespace sepx::forward {

namespace {

constexpr std::size_t kAtOnce = 1024;  // exponentials at a time, which fit into the L1 cache

/// Calls body(first, exponentials) piece by piece, with exp(x - over) of the logits from `first` on.
template <class Body>
void overExponentials(std::span<const float> logits, double over, const Body& body) {
  std::array<double, kAtOnce> values{};
  for (std::size_t first = 0; first < logits.size(); first += kAtOnce) {
    const std::span<double> piece(values.data(), std::min(kAtOnce, logits.size() - first));
    for (std::size_t i = 0; i < piece.size(); ++i)
      piece[i] = static_cast<double>(logits[first + i]) - over;
    simdMap(SimdFunction::Exp, piece, piece);
    body(first, std::span<const double>(piece));
  }
}

/// The largest logit; -inf for an empty row, NaN if one is NaN.
double mostOf(std::span<const float> logits) {
  float most = -std::numeric_limits<float>::infinity();
  for (const float x : logits)
    most = x <= most ? most : x;
  return static_cast<double>(most);
}

/// log sum_j exp x_j of a row, -inf for an empty one; `entropy` (may be null): of its distribution.
double logSum(std::span<const float> logits, double* entropy = nullptr) {
  const double most = mostOf(logits);
  if (!std::isfinite(most)) {
    if (entropy != nullptr) *entropy = std::numeric_limits<double>::quiet_NaN();
    return most;
  }
  double sum = 0, weighted = 0;
  overExponentials(logits, most, [&](std::size_t first, std::span<const double> weights) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      sum += weights[i];
      if (weights[i] > 0) weighted += weights[i] * (static_cast<double>(logits[first + i]) - most);
    }
  });
  // -sum p (x - log sum) of p = w / sum
  if (entropy != nullptr)
    *entropy = std::isfinite(sum) ? std::log(sum) - weighted / sum : std::numeric_limits<double>::quiet_NaN();
  return most + std::log(sum);
}

}  // namespace

std::vector<Prediction> rank(std::span<const float> logits, std::size_t most, double* entropy, double* total) {
  const double log = logSum(logits, entropy);
  if (total != nullptr) *total = log;
  // NaN has no order, so a row with a NaN has no predictions.
  if (!std::isfinite(log)) return {};
  std::vector<std::int32_t> ids(logits.size());
  std::iota(ids.begin(), ids.end(), 0);
  const auto likelier = [&](std::int32_t a, std::int32_t b) {
    const float x = logits[static_cast<std::size_t>(a)], y = logits[static_cast<std::size_t>(b)];
    return x != y ? x > y : a < b;
  };
  most = std::min(most, ids.size());
  std::ranges::partial_sort(ids, ids.begin() + static_cast<std::ptrdiff_t>(most), likelier);
  std::vector<Prediction> out;
  for (std::size_t i = 0; i < most; ++i)
    out.push_back({ids[i], std::exp(static_cast<double>(logits[static_cast<std::size_t>(ids[i])]) - log)});
  return out;
}

std::int64_t rankOf(std::span<const float> logits, std::int32_t id) {
  const float own = logits[static_cast<std::size_t>(id)];
  std::int64_t rank = 1;
  for (std::size_t i = 0; i < logits.size(); ++i)
    rank += logits[i] > own || (logits[i] == own && i < static_cast<std::size_t>(id)) ? 1 : 0;
  return rank;
}

double divergence(std::span<const float> p, std::span<const float> q) {
  const double totalP = logSum(p), totalQ = logSum(q);
  if (!std::isfinite(totalP) || !std::isfinite(totalQ)) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  overExponentials(p, totalP, [&](std::size_t first, std::span<const double> weights) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double logP = static_cast<double>(p[first + i]) - totalP;
      if (weights[i] > 0) sum += weights[i] * (logP - (static_cast<double>(q[first + i]) - totalQ));
    }
  });
  return std::max(sum, 0.0);
}

}  // namespace sepx::forward

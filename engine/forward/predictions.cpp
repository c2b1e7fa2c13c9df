// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/predictions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sepx::forward {

namespace {

/// log of the sum of exp of a row; -inf of an empty one.
double logSum(std::span<const float> logits) {
  double most = -INFINITY;
  for (const float x : logits)
    most = std::max(most, static_cast<double>(x));
  if (!std::isfinite(most)) return most;
  double sum = 0;
  for (const float x : logits)
    sum += std::exp(static_cast<double>(x) - most);
  return most + std::log(sum);
}

}  // namespace

std::vector<Prediction> rank(std::span<const float> logits, std::size_t most, double* entropy) {
  const double total = logSum(logits);
  if (entropy != nullptr) {
    *entropy = std::isfinite(total) ? 0 : std::numeric_limits<double>::quiet_NaN();
    for (const float x : logits) {
      const double log = static_cast<double>(x) - total, p = std::exp(log);
      if (p > 0) *entropy -= p * log;
    }
  }
  std::vector<std::int32_t> ids(logits.size());
  std::iota(ids.begin(), ids.end(), 0);
  const auto likelier = [&](std::int32_t a, std::int32_t b) {
    const float x = logits[static_cast<std::size_t>(a)], y = logits[static_cast<std::size_t>(b)];
    return x != y ? x > y : a < b;
  };
  // NaN has no order: a row that has one predicts nothing.
  if (!std::isfinite(total)) return {};
  most = std::min(most, ids.size());
  std::ranges::partial_sort(ids, ids.begin() + static_cast<std::ptrdiff_t>(most), likelier);
  std::vector<Prediction> out;
  for (std::size_t i = 0; i < most; ++i)
    out.push_back({ids[i], std::exp(static_cast<double>(logits[static_cast<std::size_t>(ids[i])]) - total)});
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
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double logP = static_cast<double>(p[i]) - totalP, weight = std::exp(logP);
    if (weight > 0) sum += weight * (logP - (static_cast<double>(q[i]) - totalQ));
  }
  return std::max(sum, 0.0);
}

}  // namespace sepx::forward

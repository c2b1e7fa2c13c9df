// SPDX-License-Identifier: Apache-2.0
// Ends of the colour scale from data and document. Pure.
#include "ui/exhibits/flow/flow_limits.h"

#include <algorithm>
#include <iterator>

namespace sepx::ui {

namespace {

constexpr const char* kMode = "flow.limits.mode";
constexpr const char* kLow = "flow.limits.low";
constexpr const char* kHigh = "flow.limits.high";
constexpr double kLeastGap = 0.01;  // nats: near p + q = 1 the gap vanishes and the scale must not

}  // namespace

ColorLimits limitsOf(const markov::Chain& chain) {
  const double rate = chain.entropyRate();
  return {rate, rate + LossScale::kBend * std::max(kLeastGap, chain.marginalEntropy() - rate)};
}

ColorLimits limitsOf(const std::vector<double>& values) {
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](double v) { return std::isfinite(v); });
  if (finite.empty()) return {0, 1};
  const auto middle = finite.begin() + static_cast<std::ptrdiff_t>(finite.size() / 2);
  std::nth_element(finite.begin(), middle, finite.end());
  const double least = *std::min_element(finite.begin(), middle + 1);
  const ColorLimits limits{least, least + LossScale::kBend * (*middle - least)};
  return sound(limits) ? limits : ColorLimits{least, least + std::max(1.0, std::abs(least))};
}

bool sound(const ColorLimits& limits) {
  const double size = std::max(std::abs(limits.low), std::abs(limits.high));
  return std::isfinite(limits.low) && std::isfinite(limits.high) && limits.high - limits.low > 1e-9 * size;
}

std::optional<ColorLimits> lockedLimits(const Document& document) {
  const Json &mode = document.at(kMode), &low = document.at(kLow), &high = document.at(kHigh);
  if (!mode.is_string() || mode.get<std::string>() != "locked" || !low.is_number() || !high.is_number())
    return std::nullopt;
  const ColorLimits limits{low.get<double>(), high.get<double>()};
  return sound(limits) ? std::optional<ColorLimits>(limits) : std::nullopt;
}

Document withLimits(const Document& document, const ColorLimits& limits) {
  return document.with(kMode, "locked").with(kLow, limits.low).with(kHigh, limits.high);
}

Document withoutLimits(const Document& document) {
  return document.has("flow.limits") ? document.without("flow.limits") : document;
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The common region by its inequality and by two basin maps. Pure functions.
#include "engine/markov/common_region.h"

#include <algorithm>
#include <array>

#include "engine/markov/basin.h"

namespace sepx::markov {

namespace {

CommonMap mapOf(const dynamics::BasinWindow& window, std::vector<std::uint8_t> inside) {
  const auto count = std::count(inside.begin(), inside.end(), std::uint8_t{1});
  const double share = inside.empty() ? 0 : static_cast<double>(count) / static_cast<double>(inside.size());
  return {window, std::make_shared<const std::vector<std::uint8_t>>(std::move(inside)), share};
}

}  // namespace

bool inCommon(double e, double w) {
  return w < 0 && e != 0 && sideOfSeparatrix(e, w) > 0;
}

CommonMap commonByTheory(const dynamics::BasinWindow& window, ThreadPool& pool) {
  const auto width = static_cast<std::size_t>(std::max(window.width, 0));
  const auto height = static_cast<std::size_t>(std::max(window.height, 0));
  std::vector<std::uint8_t> inside(width * height, 0);
  pool.parallelFor(0, height, 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row)
      for (std::size_t column = 0; column < width; ++column)
        inside[row * width + column] =
            inCommon(window.x(static_cast<int>(column)), window.y(static_cast<int>(row))) ? 1 : 0;
  });
  return mapOf(window, std::move(inside));
}

std::pair<Chain, Chain> bothSides(const Chain& chain) {
  if (chain.degenerate()) return {{0.75, 0.75}, {0.25, 0.25}};
  const auto kept = [](double value) { return std::clamp(value, 1e-12, 1 - 1e-12); };
  return {chain, {kept(1 - chain.q), kept(1 - chain.p)}};
}

std::optional<CommonMap> commonByIntegration(const dynamics::VectorField& field, const Chain& chain,
                                             const dynamics::BasinWindow& window, ThreadPool& pool,
                                             const std::function<bool()>& cancelled,
                                             const std::function<void(double share)>& progress) {
  const auto [here, across] = bothSides(chain);
  std::vector<std::uint8_t> inside;
  double before = 0;
  for (const Chain& side : {here, across}) {
    const std::array<double, 2> parameters{side.p, side.q};
    const dynamics::BasinMap map = dynamics::integrateBasinMap(
        field, parameters, window, dynamics::basinMapOptions(window), pool, cancelled, [&](double share) {
          if (progress) progress(before + share / 2);
        });
    if (cancelled && cancelled()) return std::nullopt;
    before += 0.5;
    if (inside.empty()) inside.assign(map.labels.size(), 1);
    for (std::size_t i = 0; i < inside.size(); ++i)
      if (map.labels[i] != static_cast<std::uint8_t>(LimitKind::GlobalMin)) inside[i] = 0;
  }
  return mapOf(window, std::move(inside));
}

std::vector<std::uint8_t> differences(const CommonMap& a, const CommonMap& b) {
  std::vector<std::uint8_t> differs(std::min(a.inside->size(), b.inside->size()));
  for (std::size_t i = 0; i < differs.size(); ++i)
    differs[i] = (*a.inside)[i] != (*b.inside)[i] ? 1 : 0;
  return differs;
}

}  // namespace sepx::markov

// SPDX-License-Identifier: Apache-2.0
// I_common over a window: the initial points that reach a global minimum for every chain, by theory (w < 0,
// e^2 > g(w)^2) and by integration (the flows of one chain on each side of p + q = 1 both end at a global minimum). Any
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/dynamics/basin_map.h"
#include "engine/markov/chain.h"

namespace sepx::markov {

/// I_common = {w < 0, e^2 > g(w)^2}: the points that reach a global minimum whatever p and q are.
bool inCommon(double e, double w);

/// 1 inside, 0 outside; row 0 at the top.
struct CommonMap {
  dynamics::BasinWindow window;
  std::shared_ptr<const std::vector<std::uint8_t>> inside;
  double share = 0;
};
/// I_common by Theorems 2 and 8, without integration.
CommonMap commonByTheory(const dynamics::BasinWindow& window, ThreadPool& pool);

/// The chain itself and its mirror image across p + q = 1, (1 - q, 1 - p). At p + q = 1, one fixed chain from each
/// side.
std::pair<Chain, Chain> bothSides(const Chain& chain);

/// `field`: "ew". Empty optional if cancelled.
std::optional<CommonMap> commonByIntegration(const dynamics::VectorField& field, const Chain& chain,
                                             const dynamics::BasinWindow& window, ThreadPool& pool,
                                             const std::function<bool()>& cancelled = {},
                                             const std::function<void(double share)>& progress = {});

/// 1 where two maps of one window differ.
std::vector<std::uint8_t> differences(const CommonMap& a, const CommonMap& b);

}  // namespace sepx::markov

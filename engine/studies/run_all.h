// SPDX-License-Identifier: Apache-2.0
// Executes the runs of a study on the thread pool, the longest first, with common progress. Private to engine/studies.
#pragma once

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <vector>

#include "engine/studies/study.h"

namespace sepx::studies {

/// Calls follow(i, made) for every i, several at once; follow calls made(share) while run i advances. `costs`: the cost
/// of each run, all in the same unit. Returns the error of the first run that failed, after all runs have ended.
inline Result<void> runAll(
    const Work& work, const std::vector<double>& costs,
    const std::function<Result<void>(std::size_t run, const std::function<void(double)>& made)>& follow) {
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });
  const double whole = std::accumulate(costs.begin(), costs.end(), 0.0);
  double done = 0;
  std::mutex mutex;
  std::optional<Error> refused;
  work.pool.parallelFor(0, order.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      double mine = 0;
      const Result<void> followed = follow(order[i], [&](double share) {
        const std::lock_guard lock(mutex);
        done += (share - mine) * costs[order[i]];
        mine = share;
        work.at(done / whole);
      });
      const std::lock_guard lock(mutex);
      if (!followed && !refused) refused = followed.error();
    }
  });
  if (refused) return tl::unexpected(*refused);
  return {};
}

}  // namespace sepx::studies

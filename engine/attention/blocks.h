// SPDX-License-Identifier: Apache-2.0
// A cancellable loop over the blocks of a matrix. Internal to engine/attention. Worker threads.
#pragma once

#include <atomic>
#include <functional>

#include <Eigen/Core>

#include "engine/core/thread_pool.h"

namespace sepx::attention {
/// Number of blocks of `block` rows that are needed for `size` rows.
inline Eigen::Index blocksOf(Eigen::Index size, Eigen::Index block) {
  return (size + block - 1) / block;
}

/// Calls body(i) for i in [0, count), on the pool if there is one. Returns false if cancelled before the end.
/// `cancelled` (may be empty) is called before each block, from several threads at once.
inline bool forEachBlock(Eigen::Index count, ThreadPool* pool, const std::function<bool()>& cancelled,
                         const std::function<void(Eigen::Index)>& body) {
  std::atomic<bool> stop = false;
  const auto run = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last && !stop; ++i) {
      if (cancelled && cancelled()) {
        stop = true;
        return;
      }
      body(static_cast<Eigen::Index>(i));
    }
  };
  if (pool != nullptr) {
    pool->parallelFor(0, static_cast<std::size_t>(count), 1, run);
  } else {
    run(0, static_cast<std::size_t>(count));
  }
  return !stop;
}

}  // namespace sepx::attention

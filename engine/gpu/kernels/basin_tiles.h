// SPDX-License-Identifier: Apache-2.0
// The order in which a basin map is computed: the pixels at multiples of 16, then those at multiples of 8, 4, 2 and 1
// that are not yet known, each level in runs of grid points, row by row. Pure; tested without a device. Any thread.
#pragma once

#include <cstdint>

namespace sepx::gpu {

/// A run of grid points of one stride. The points of a grid are numbered row by row.
struct BasinTile {
  std::uint32_t stride = 1;   ///< pixels between grid points
  std::uint32_t columns = 0;  ///< of the grid
  std::uint32_t first = 0;    ///< grid point
  std::uint32_t count = 0;
  bool skipCoarse = false;  ///< grid points with two even indices are known from the level before
  /// Number of grid points that this tile computes.
  std::uint32_t newPoints() const;
};

class BasinTileOrder {  ///< coarse pixels first, then the pixels between them
 public:
  static constexpr std::uint32_t kCoarsest = 16;  ///< stride of the first level, pixels

  BasinTileOrder() = default;  ///< an empty map: done
  BasinTileOrder(std::uint32_t width, std::uint32_t height);
  bool done() const { return stride_ == 0; }
  /// The next run, of at most `points` grid points (at least one).
  BasinTile next(std::uint32_t points);

 private:
  std::uint32_t width_ = 0, height_ = 0;
  std::uint32_t stride_ = 0;  // 0: done
  std::uint32_t point_ = 0;
};

}  // namespace sepx::gpu

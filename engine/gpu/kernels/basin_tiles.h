// SPDX-License-Identifier: Apache-2.0
// The order in which a basin map is computed: the pixels at multiples of 16, then those of 8, 4, 2, 1 that are not yet
// known, each level in bands of grid rows. Pure; tested without a device. Any thread.
#pragma once

#include <cstdint>

namespace sepx::gpu {

/// A band of rows of the grid of one stride.
struct BasinTile {
  std::uint32_t stride = 1;    ///< pixels between grid points
  std::uint32_t columns = 0;   ///< of the grid
  std::uint32_t firstRow = 0;  ///< of the grid
  std::uint32_t rows = 0;
  bool skipCoarse = false;  ///< grid points with two even indices are known from the level before
  std::uint32_t invocations() const { return columns * rows; }
  /// Grid points that this tile really computes.
  std::uint32_t newPoints() const;
};

class BasinTileOrder {
 public:
  static constexpr std::uint32_t kCoarsest = 16;

  BasinTileOrder() = default;  ///< an empty map: done
  BasinTileOrder(std::uint32_t width, std::uint32_t height);
  bool done() const { return stride_ == 0; }
  /// The next band, of about `invocations` at most but at least one row (and never more than `limit` invocations, which
  /// is at least one row of the finest grid).
  BasinTile next(std::uint32_t invocations, std::uint32_t limit);

 private:
  std::uint32_t width_ = 0, height_ = 0;
  std::uint32_t stride_ = 0;  // 0: done
  std::uint32_t row_ = 0;
};

}  // namespace sepx::gpu

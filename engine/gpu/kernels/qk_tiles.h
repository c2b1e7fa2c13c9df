// SPDX-License-Identifier: Apache-2.0
// The order in which a picture of W_qk is computed: strips of rows from top to bottom, each in tiles from left to right
// whose size follows the budget. Sides are multiples of the kernel's block. Pure; tested without a device. Any thread.
#pragma once

#include <Eigen/Core>

#include "engine/attention/tiles.h"

namespace sepx::gpu {

class QkTileOrder {  ///< tiles of a matrix in the order in which they are made
 public:
  static constexpr Eigen::Index kBlock = 64;      ///< side of the block that a workgroup computes
  static constexpr Eigen::Index kMostSide = 512;  ///< of a tile

  QkTileOrder() = default;  ///< an empty matrix: done
  /// `mostSide`: maximum side of a tile, for a device that cannot bind kMostSide rows of the factors.
  QkTileOrder(Eigen::Index rows, Eigen::Index columns, Eigen::Index mostSide = kMostSide);
  bool done() const { return top_ >= rows_ || columns_ == 0; }
  /// The next tile, of about `entries` entries (at least one block).
  attention::Crop next(double entries);

 private:
  Eigen::Index rows_ = 0, columns_ = 0, mostSide_ = kMostSide;
  Eigen::Index top_ = 0, left_ = 0, height_ = 0;
};

}  // namespace sepx::gpu

// SPDX-License-Identifier: Apache-2.0
// Pure arithmetic on sides and budgets. Any thread.
#include "engine/gpu/kernels/qk_tiles.h"

#include <algorithm>
#include <cmath>

namespace sepx::gpu {

namespace {

using Eigen::Index;

/// Rounds down to a multiple of a block, within [one block, most].
Index side(double entries, Index most) {
  const double blocks = std::floor(std::clamp(entries, 0.0, 1e12) / static_cast<double>(QkTileOrder::kBlock));
  return std::clamp(static_cast<Index>(blocks) * QkTileOrder::kBlock, QkTileOrder::kBlock, most);
}

}  // namespace

QkTileOrder::QkTileOrder(Index rows, Index columns, Index mostSide)
    : rows_(rows), columns_(columns), mostSide_(std::clamp(mostSide, kBlock, kMostSide) / kBlock * kBlock) {}

attention::Crop QkTileOrder::next(double entries) {
  if (left_ == 0) height_ = side(std::sqrt(std::max(entries, 0.0)), mostSide_);
  const Index bottom = std::min(top_ + height_, rows_);
  const Index right = std::min(left_ + side(entries / static_cast<double>(height_), mostSide_), columns_);
  const attention::Crop tile{top_, bottom, left_, right};
  left_ = right;
  if (left_ >= columns_) {
    left_ = 0;
    top_ = bottom;
  }
  return tile;
}

}  // namespace sepx::gpu

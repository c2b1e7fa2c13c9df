// SPDX-License-Identifier: Apache-2.0
#include "engine/gpu/kernels/basin_tiles.h"

#include <algorithm>
#include <cassert>

namespace sepx::gpu {

namespace {
std::uint32_t gridSize(std::uint32_t pixels, std::uint32_t stride) {
  return (pixels + stride - 1) / stride;
}
}  // namespace

std::uint32_t BasinTile::newPoints() const {
  if (!skipCoarse) return invocations();
  const std::uint32_t evenRows = (firstRow + rows + 1) / 2 - (firstRow + 1) / 2;
  return invocations() - evenRows * ((columns + 1) / 2);
}

BasinTileOrder::BasinTileOrder(std::uint32_t width, std::uint32_t height)
    : width_(width), height_(height), stride_(width > 0 && height > 0 ? kCoarsest : 0) {}

BasinTile BasinTileOrder::next(std::uint32_t invocations, std::uint32_t limit) {
  assert(!done());
  BasinTile tile;
  tile.stride = stride_;
  tile.columns = gridSize(width_, stride_);
  tile.firstRow = row_;
  tile.skipCoarse = stride_ != kCoarsest;
  const std::uint32_t height = gridSize(height_, stride_);
  assert(tile.columns <= limit);
  tile.rows = std::clamp(std::min(invocations, limit) / tile.columns, 1u, height - row_);
  row_ += tile.rows;
  if (row_ == height) {
    row_ = 0;
    stride_ /= 2;
  }
  return tile;
}

}  // namespace sepx::gpu

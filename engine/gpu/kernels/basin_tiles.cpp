// SPDX-License-Identifier: Apache-2.0
// The order of tiles of a basin map, coarse to fine. Pure functions of the size.
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
  if (!skipCoarse) return count;
  // Number of points with two even indices among the first n grid points.
  const auto known = [this](std::uint32_t n) {
    const std::uint32_t row = n / columns, column = n % columns;
    return (row + 1) / 2 * ((columns + 1) / 2) + (row % 2 == 0 ? (column + 1) / 2 : 0);
  };
  return count - (known(first + count) - known(first));
}

BasinTileOrder::BasinTileOrder(std::uint32_t width, std::uint32_t height)
    : width_(width), height_(height), stride_(width > 0 && height > 0 ? kCoarsest : 0) {}

BasinTile BasinTileOrder::next(std::uint32_t points) {
  assert(!done());
  BasinTile tile;
  tile.stride = stride_;
  tile.columns = gridSize(width_, stride_);
  tile.first = point_;
  tile.skipCoarse = stride_ != kCoarsest;
  const std::uint32_t all = tile.columns * gridSize(height_, stride_);
  tile.count = std::clamp(points, 1u, all - point_);
  point_ += tile.count;
  if (point_ == all) {
    point_ = 0;
    stride_ /= 2;
  }
  return tile;
}

}  // namespace sepx::gpu

// SPDX-License-Identifier: Apache-2.0
// The order of tiles reaches every pixel exactly once and from coarse to fine, for any size. Needs no device.
#include "engine/gpu/kernels/basin_tiles.h"

#include <vector>

#include <catch2/catch.hpp>

namespace sepx::gpu {

TEST_CASE("Tiles cover every pixel exactly once, from coarse to fine") {
  struct Size {
    std::uint32_t width, height;
  };
  for (const Size size :
       {Size{1, 1}, Size{2, 1}, Size{16, 16}, Size{17, 33}, Size{100, 1}, Size{1, 100}, Size{257, 31}}) {
    for (const std::uint32_t wanted : {1u, 40u, 100000u}) {
      std::vector<int> visits(size.width * size.height);
      std::uint32_t stride = BasinTileOrder::kCoarsest, points = 0;
      BasinTileOrder order(size.width, size.height);
      while (!order.done()) {
        const BasinTile tile = order.next(wanted);
        CHECK(tile.stride <= stride);
        CHECK(tile.count >= 1);
        CHECK(tile.count <= wanted);
        std::uint32_t fresh = 0;
        stride = tile.stride;
        points += tile.newPoints();
        for (std::uint32_t point = tile.first; point < tile.first + tile.count; ++point) {
          const std::uint32_t row = point / tile.columns, column = point % tile.columns;
          if (tile.skipCoarse && (row | column) % 2 == 0) continue;
          ++visits[row * tile.stride * size.width + column * tile.stride];
          ++fresh;
        }
        CHECK(tile.newPoints() == fresh);
      }
      CHECK(stride == 1);
      CHECK(points == visits.size());
      CHECK(visits == std::vector<int>(visits.size(), 1));
    }
  }
}

TEST_CASE("An empty map has no tiles") {
  CHECK(BasinTileOrder().done());
  CHECK(BasinTileOrder(0, 10).done());
  CHECK(BasinTileOrder(10, 0).done());
}

}  // namespace sepx::gpu

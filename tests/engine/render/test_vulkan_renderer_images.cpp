// SPDX-License-Identifier: Apache-2.0
// Very many heat maps: more than one descriptor pool holds, and new ones in every frame. In this test program pools
// reject allocations beyond their size (tests/engine/gpu/strict_pools.h).
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "engine/render/color_map.h"
#include "engine/render/textures.h"
#include "tests/engine/gpu/strict_pools.h"
#include "tests/engine/render/device.h"

namespace sepx::render {
namespace {

using Numbers = std::shared_ptr<const std::vector<float>>;

constexpr int kTileSide = 4, kTilesAcross = 60;  // in points; tiles per row

float tileValue(std::size_t i) {
  return static_cast<float>(i % 7) / 6;
}

/// The values of each tile, a picture of a single value.
std::vector<Numbers> tileNumbers(std::size_t count) {
  std::vector<Numbers> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back(std::make_shared<const std::vector<float>>(1, tileValue(i)));
  return all;
}

Rect tileBox(std::size_t place) {
  const double x = kTileSide * static_cast<double>(place % kTilesAcross),
               y = kTileSide * static_cast<double>(place / kTilesAcross);
  return {{x, y}, {x + kTileSide, y + kTileSide}};
}

/// Heat maps of these values, row by row.
Scene tileScene(std::span<const Numbers> numbers) {
  Scene scene;
  scene.width = kTileSide * kTilesAcross;
  scene.height = kTileSide * std::ceil(static_cast<double>(numbers.size()) / kTilesAcross);
  scene.plot = scene.window = {{0, 0}, {scene.width, scene.height}};
  scene.background = {1, 0, 0, 1};
  Layer layer{"tiles", 1, false, true, {}};
  for (std::size_t i = 0; i < numbers.size(); ++i)
    layer.items.push_back(Heatmap{tileBox(i), 1, 1, numbers[i], ColorMap::Gray, 0, 1, 1, false, Space::Page});
  scene.layers = {std::move(layer)};
  return scene;
}

/// The number of tiles without the colour of their value. The first tile shows value number `first`.
int wrongTiles(const gpu::Pixels& picture, std::size_t count, std::size_t first = 0) {
  int wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Rect box = tileBox(i);
    const auto x = static_cast<std::size_t>(box.min.x + kTileSide / 2.0),
               y = static_cast<std::size_t>(box.min.y + kTileSide / 2.0);
    const std::size_t pixel = 4 * (y * picture.extent.width + x);
    const float wanted = 255 * colorAt(ColorMap::Gray, tileValue(first + i)).r;
    for (std::size_t channel = 0; channel < 3; ++channel)
      if (std::abs(static_cast<float>(picture.rgba[pixel + channel]) - wanted) > 4) {
        ++wrong;
        break;
      }
  }
  return wrong;
}

}  // namespace

TEST_CASE("Three thousand heat maps in one scene are drawn and cached for the next frame", "[vulkan]") {
  constexpr std::size_t kCount = 3000;
  test::Device device;
  const std::vector<Numbers> numbers = tileNumbers(kCount);
  const Scene scene = tileScene(numbers);
  const gpu::Pixels first = device.draw(scene, 1);
  CHECK(wrongTiles(first, kCount) == 0);
  CHECK_FALSE(device.context().lost());
  for (int frame = 0; frame < 2; ++frame) {
    const RenderStatistics& drawn = device.statistics();
    CHECK(drawn.images == kCount);
    CHECK(drawn.imageSets >= kCount);
    CHECK(drawn.imageSets <= drawn.imageSetRoom);
    CHECK(device.draw(scene, 1).rgba == first.rgba);
  }
}

TEST_CASE("New heat maps in every frame reuse the images of earlier ones", "[vulkan]") {
  constexpr std::size_t kCount = 600;
  test::Device device;
  const std::vector<Numbers> numbers = tileNumbers(5 * kCount);
  // As when scrolling, earlier heat maps are no longer visible but still exist.
  for (std::size_t frame = 0; frame < 5; ++frame) {
    const gpu::Pixels picture = device.draw(tileScene(std::span(numbers).subspan(frame * kCount, kCount)), 1);
    CHECK(wrongTiles(picture, kCount, frame * kCount) == 0);
    CHECK(device.statistics().images <= 2 * kCount);
    CHECK(device.statistics().imageSets <= device.statistics().imageSetRoom);
  }
  CHECK_FALSE(device.context().lost());
  // After some frames with a single tile no more images are kept than allowed.
  for (int frame = 0; frame < 4; ++frame)
    device.draw(tileScene(std::span(numbers).first(1)), 1);
  CHECK(device.statistics().images <= Textures::kMostImages);
  CHECK(device.statistics().imageSets <= Textures::kMostImages + kCount);
}

TEST_CASE("Heat maps whose values are freed leave their images to the next ones", "[vulkan]") {
  constexpr std::size_t kCount = 600;
  test::Device device;
  for (std::size_t frame = 0; frame < 5; ++frame) {
    const std::vector<Numbers> numbers = tileNumbers(kCount + frame);
    const gpu::Pixels picture = device.draw(tileScene(std::span(numbers).last(kCount)), 1);
    CHECK(wrongTiles(picture, kCount, frame) == 0);
    CHECK(device.statistics().images == kCount);
  }
}

TEST_CASE("Two pictures with the same owner remain separate", "[vulkan]") {
  struct Both {
    std::vector<float> dark{0}, light{1};
  };
  const auto both = std::make_shared<const Both>();
  const Scene scene = tileScene(std::vector<Numbers>{{both, &both->dark}, {both, &both->light}});
  test::Device device;
  const gpu::Pixels picture = device.draw(scene, 1);
  const auto red = [&](std::size_t x) { return picture.rgba[4 * (2 * picture.extent.width + x)]; };
  CHECK(red(2) < 10);
  CHECK(red(kTileSide + 2) > 245);
}

}  // namespace sepx::render

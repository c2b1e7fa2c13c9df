// SPDX-License-Identifier: Apache-2.0
#include "engine/render/image_colors.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/render/color_map.h"

namespace sepx::render {
namespace {

using Rgba = std::array<std::uint8_t, 4>;

std::uint8_t byteOf(double part) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(part, 0.0, 1.0) * 255));
}

template <class T, class Colorer>
gpu::Pixels paint(const std::vector<T>& values, int width, const TexelRange& range, const Colorer& color) {
  gpu::Pixels pixels;
  pixels.extent = {static_cast<std::uint32_t>(range.right - range.left),
                   static_cast<std::uint32_t>(range.bottom - range.top)};
  pixels.rgba.reserve(std::size_t{4} * pixels.extent.width * pixels.extent.height);
  for (int y = range.top; y < range.bottom; ++y) {
    for (int x = range.left; x < range.right; ++x) {
      const Rgba rgba =
          color(values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)]);
      pixels.rgba.insert(pixels.rgba.end(), rgba.begin(), rgba.end());
    }
  }
  return pixels;
}

}  // namespace

gpu::Pixels colored(const Heatmap& map, const TexelRange& range) {
  const ColorTable table = colorTable(map.map);
  const ColorLaw law = colorLaw(map.map, map.low, map.high);
  return paint(*map.values, map.width, range, [&](float value) -> Rgba {
    if (!std::isfinite(value)) return {};
    const double position = std::clamp(static_cast<double>(value) * law.scale + law.offset, 0.0, 1.0);
    const auto entry = 4 * static_cast<std::size_t>(position * (kColorTableSize - 1) + 0.5);
    return {table[entry], table[entry + 1], table[entry + 2], byteOf(map.opacity)};
  });
}

gpu::Pixels colored(const LabelMap& map, const TexelRange& range) {
  return paint(*map.labels, map.width, range, [&](std::uint8_t label) -> Rgba {
    if (label >= map.palette.size()) return {};
    const Color& color = map.palette[label];
    return {byteOf(color.r), byteOf(color.g), byteOf(color.b), byteOf(color.a)};
  });
}

}  // namespace sepx::render

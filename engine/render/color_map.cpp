// SPDX-License-Identifier: Apache-2.0
// Oklab is Björn Ottosson's linear map between cone responses' cube roots and (L, a, b); sRGB's transfer function on
// both ends.
#include "engine/render/color_map.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace sepx::render {
namespace {

struct Lab {
  double L = 0, a = 0, b = 0;
};

double decode(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

double encode(double linear) {
  const double clamped = std::clamp(linear, 0.0, 1.0);
  return clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * std::pow(clamped, 1.0 / 2.4) - 0.055;
}

Lab toLab(double red, double green, double blue) {
  const double r = decode(red), g = decode(green), b = decode(blue);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Color fromLab(const Lab& lab, float alpha) {
  const auto cube = [](double x) { return x * x * x; };
  const double l = cube(lab.L + 0.3963377774 * lab.a + 0.2158037573 * lab.b);
  const double m = cube(lab.L - 0.1055613458 * lab.a - 0.0638541728 * lab.b);
  const double s = cube(lab.L - 0.0894841775 * lab.a - 1.2914855480 * lab.b);
  return {static_cast<float>(encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)),
          static_cast<float>(encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)),
          static_cast<float>(encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)), alpha};
}

Lab anchor(std::uint32_t rgb) {
  return toLab(((rgb >> 16) & 255) / 255.0, ((rgb >> 8) & 255) / 255.0, (rgb & 255) / 255.0);
}

// Evenly spaced colours of the published scales viridis and cividis; the other two are this program's own.
constexpr std::uint32_t kViridis[] = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                      0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
constexpr std::uint32_t kCividis[] = {0x00204c, 0x002a66, 0x00346e, 0x273f6c, 0x3c4a6b, 0x4c556b,
                                      0x5b5f6d, 0x686a70, 0x757575, 0x838178, 0x928c78, 0xa19876,
                                      0xb0a572, 0xc0b16d, 0xd1bf66, 0xe1cc5c, 0xf3db4f, 0xffe945};
constexpr std::uint32_t kDiverging[] = {0x16457f, 0x4a88c0, 0xa5c7e3, 0xf3f2f0, 0xeeb99d, 0xcf6d4b, 0x862a17};
constexpr std::uint32_t kGray[] = {0x000000, 0xffffff};

std::span<const std::uint32_t> anchors(ColorMap map) {
  switch (map) {
    case ColorMap::Viridis:
      return kViridis;
    case ColorMap::Cividis:
      return kCividis;
    case ColorMap::Diverging:
      return kDiverging;
    case ColorMap::Gray:
      return kGray;
  }
  return kGray;
}

}  // namespace

Color colorAt(ColorMap map, double position) {
  if (!std::isfinite(position)) return {0, 0, 0, 0};
  const auto points = anchors(map);
  const double place = std::clamp(position, 0.0, 1.0) * static_cast<double>(points.size() - 1);
  const auto index = std::min(static_cast<std::size_t>(place), points.size() - 2);
  const double t = place - static_cast<double>(index);
  const Lab from = anchor(points[index]), to = anchor(points[index + 1]);
  return fromLab({from.L + t * (to.L - from.L), from.a + t * (to.a - from.a), from.b + t * (to.b - from.b)}, 1);
}

ColorTable colorTable(ColorMap map) {
  ColorTable table{};
  for (int i = 0; i < kColorTableSize; ++i) {
    const Color color = colorAt(map, i / double{kColorTableSize - 1});
    const float parts[] = {color.r, color.g, color.b, color.a};
    for (int k = 0; k < 4; ++k) {
      table[static_cast<std::size_t>(4 * i + k)] = static_cast<std::uint8_t>(std::lround(parts[k] * 255));
    }
  }
  return table;
}

ColorLaw colorLaw(ColorMap map, double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high)) return {};
  if (map == ColorMap::Diverging) {
    const double reach = std::max(std::abs(low), std::abs(high));
    return reach > 0 ? ColorLaw{0.5 / reach, 0.5} : ColorLaw{};
  }
  const double span = high - low;
  if (span == 0 || !std::isfinite(1 / span)) return {};
  return {1 / span, -low / span};
}

double lightness(const Color& color) {
  return toLab(color.r, color.g, color.b).L;
}

Color hatchInk(const Color& ground) {
  Lab lab = toLab(ground.r, ground.g, ground.b);
  lab.L = lab.L < 0.6 ? lab.L + 0.22 : lab.L - 0.22;
  const float alpha =
      ground.a > 0 ? std::min(1.0F, ground.a + 0.25F) : 0.0F;  // a hatch on a faint ground is less faint
  return fromLab(lab, alpha);
}

}  // namespace sepx::render

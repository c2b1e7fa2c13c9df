// SPDX-License-Identifier: Apache-2.0
// Oklab, by Björn Ottosson, is a linear map between the cube roots of the cone responses and (L, a, b). The sRGB
// transfer function is applied at both ends. No scale is a table: each is a formula in Oklab, given at its definition.
#include "engine/render/color_map.h"

#include <algorithm>
#include <array>
#include <cmath>

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

using Polynomial = std::array<double, 6>;  // coefficients, ascending powers

/// A curve in Oklab: straight from `from` to `to`, plus a bulge t (1 - t) P(t) in each coordinate.
struct Curve {
  Lab from, to;
  Polynomial L, a, b;
};

// The bulges are this program's own least-squares fits in Oklab to the published scales of these names. The ends are
// those of the published scales. Viridis is within 0.0025 of the published scale (Oklab distance; 2 of 255 in any
// channel), cividis within 0.0092 (15 of 255, in the blue of its darkest tenth, where the published scale has a
// corner).
constexpr Curve kViridis{{0.28502, 0.10171, -0.09123},
                         {0.91769, -0.03900, 0.18173},
                         {0.142, -0.821, 1.876, -2.541, 1.536, -0.238},
                         {-0.045, -2.636, 6.300, -4.215, -5.837, 5.787},
                         {-0.620, 0.025, 8.132, -25.739, 30.845, -12.392}};
constexpr Curve kCividis{{0.25237, -0.02008, -0.08769},
                         {0.92499, -0.03426, 0.17015},
                         {0.194, -1.733, 5.513, -7.722, 3.862, 0},
                         {-0.193, 2.372, -6.425, 7.191, -2.837, 0},
                         {-1.134, 7.942, -21.801, 24.751, -9.828, 0}};

double evaluate(const Polynomial& polynomial, double t) {
  double value = 0;
  for (auto it = polynomial.rbegin(); it != polynomial.rend(); ++it)
    value = value * t + *it;
  return value;
}

Lab at(const Curve& curve, double t) {
  const double bulge = t * (1 - t);
  const auto along = [t](double from, double to) { return from + t * (to - from); };
  return {along(curve.from.L, curve.to.L) + bulge * evaluate(curve.L, t),
          along(curve.from.a, curve.to.a) + bulge * evaluate(curve.a, t),
          along(curve.from.b, curve.to.b) + bulge * evaluate(curve.b, t)};
}

/// Blue to red through a light grey: with u = |2 t - 1|, lightness falls linearly and chroma rises with u, the same on
/// both sides, so that only the hue tells the sign.
Lab diverging(double t) {
  constexpr double kLight = 0.965, kFall = 0.545, kChroma = 0.14;
  constexpr double kBlue = 4.4157, kRed = 0.6632;  // radians: 253 and 38 degrees
  const double s = 2 * t - 1, u = std::abs(s);
  const double chroma = kChroma * u * (1.7 - 0.7 * u), hue = s < 0 ? kBlue : kRed;
  return {kLight - kFall * u, chroma * std::cos(hue), chroma * std::sin(hue)};
}

/// The eight colours that define the palette of Okabe and Ito.
constexpr std::uint32_t kOkabeIto[kCategories] = {0x000000, 0xE69F00, 0x56B4E9, 0x009E73,
                                                  0xF0E442, 0x0072B2, 0xD55E00, 0xCC79A7};

/// Matrices from linear RGB to the linear RGB that a dichromat sees: Machado, Oliveira and Fernandes (2009), severity
/// 1.
constexpr double kVision[3][3][3] = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

}  // namespace

Color colorAt(ColorMap map, double position) {
  if (!std::isfinite(position)) return {0, 0, 0, 0};
  const double t = std::clamp(position, 0.0, 1.0);
  switch (map) {
    case ColorMap::Viridis:
      return fromLab(at(kViridis, t), 1);
    case ColorMap::Cividis:
      return fromLab(at(kCividis, t), 1);
    case ColorMap::Diverging:
      return fromLab(diverging(t), 1);
    case ColorMap::Gray:
      break;
  }
  return fromLab({t, 0, 0}, 1);
}

Color categorical(std::size_t index) {
  const std::uint32_t rgb = kOkabeIto[index % kCategories];
  return {static_cast<float>((rgb >> 16) & 255) / 255, static_cast<float>((rgb >> 8) & 255) / 255,
          static_cast<float>(rgb & 255) / 255, 1};
}

Color simulateVision(const Color& color, Vision vision) {
  if (vision == Vision::Normal) return color;
  const auto& matrix = kVision[static_cast<int>(vision) - 1];
  const double linear[3] = {decode(color.r), decode(color.g), decode(color.b)};
  double seen[3];
  for (int i = 0; i < 3; ++i)
    seen[i] = encode(matrix[i][0] * linear[0] + matrix[i][1] * linear[1] + matrix[i][2] * linear[2]);
  return {static_cast<float>(seen[0]), static_cast<float>(seen[1]), static_cast<float>(seen[2]), color.a};
}

double colorDistance(const Color& one, const Color& other) {
  const Lab x = toLab(one.r, one.g, one.b), y = toLab(other.r, other.g, other.b);
  return std::hypot(x.L - y.L, x.a - y.a, x.b - y.b);
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
  lab.L = lab.L < 0.35 ? lab.L + 0.34 : lab.L - 0.34;
  const float alpha =
      ground.a > 0 ? std::min(1.0F, ground.a + 0.35F) : 0.0F;  // a hatch on a faint ground is more opaque
  return fromLab(lab, alpha);
}

}  // namespace sepx::render

// SPDX-License-Identifier: Apache-2.0
// Colour scales, which map a number in [0, 1] to a colour. Each scale is a formula in the Oklab colour space, where
// equal steps look equal. Viridis and cividis are polynomials fitted to the published scales (color_map.cpp states the
// error). The diverging scale is symmetric about its middle in lightness and chroma and is centred on the value 0. Grey
// is lightness itself. Categories are the colours of Okabe and Ito. Pure functions, any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/render/scene.h"

namespace sepx::render {

inline constexpr int kColorTableSize = 256;  ///< number of colours of a table
/// RGBA bytes, entry i is the colour at i / 255.
using ColorTable = std::array<std::uint8_t, 4 * kColorTableSize>;

/// `position` is clamped to [0, 1]; a non-finite position is transparent.
Color colorAt(ColorMap map, double position);
ColorTable colorTable(ColorMap map);

inline constexpr std::size_t kCategories = 8;  ///< number of colours for categories
/// Black, orange, sky blue, bluish green, yellow, blue, vermilion, reddish purple. Larger indices start again from
/// black.
Color categorical(std::size_t index);

/// Normal colour vision, or vision without one kind of cone cells. simulateVision() simulates it; colorDistance() is
/// the distance of two colours in Oklab. For the tests of palettes.
enum class Vision { Normal, Protanopia, Deuteranopia, Tritanopia };
Color simulateVision(const Color& color, Vision vision);
double colorDistance(const Color& one, const Color& other);

/// Affine law from a value to its position on the scale: position = value * scale + offset. The diverging scale ignores
/// the asymmetry of the limits and puts 0 in its middle. Equal limits give the middle of the scale.
struct ColorLaw {
  double scale = 0, offset = 0.5;
};
ColorLaw colorLaw(ColorMap map, double low, double high);

/// Lightness of Oklab, 0 (black) to 1 (white). It defines "lighter" in the tests of scales and in hatchInk().
double lightness(const Color& color);
/// A colour of the same hue that is visible on `ground`: lighter on dark, darker on light, and less transparent.
/// Hatches are drawn with it.
Color hatchInk(const Color& ground);

}  // namespace sepx::render

// SPDX-License-Identifier: Apache-2.0
// Colour scales: a number in [0, 1] becomes a colour. Each scale is a formula in the Oklab space, where equal steps
// look equal: viridis and cividis are polynomials that this program fitted to the published scales (color_map.cpp
// states the error), the diverging one is symmetric about its middle in lightness and chroma and is centred on the
// value 0, grey is lightness itself. Categories are the colours of Okabe and Ito. Pure functions, any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/render/scene.h"

namespace sepx::render {

inline constexpr int kColorTableSize = 256;  ///< colours of a map
/// RGBA bytes, entry i is the colour at i / 255.
using ColorTable = std::array<std::uint8_t, 4 * kColorTableSize>;

/// `position` is clamped to [0, 1]; a non-finite position is transparent.
Color colorAt(ColorMap map, double position);
ColorTable colorTable(ColorMap map);

inline constexpr std::size_t kCategories = 8;  ///< colours of kinds
/// Black, orange, sky blue, bluish green, yellow, blue, vermilion, reddish purple; then again from the start.
Color categorical(std::size_t index);

/// How eyes without one kind of cones see a colour, and how far two colours are apart (Oklab): for the tests of
/// palettes.
enum class Vision { Normal, Protanopia, Deuteranopia, Tritanopia };
Color asSeen(const Color& color, Vision vision);
double colorDistance(const Color& one, const Color& other);

/// Affine law from a value to its position on the scale: position = value * scale + offset. The diverging scale ignores
/// the asymmetry of the limits and puts 0 in its middle. Equal limits give the middle of the scale.
struct ColorLaw {
  double scale = 0, offset = 0.5;
};
ColorLaw colorLaw(ColorMap map, double low, double high);

/// Lightness of Oklab, 0 (black) to 1 (white): what "lighter" means in the tests of scales and in hatchInk.
double lightness(const Color& color);
/// A colour of the same hue that is seen on `ground`: lighter on dark, darker on light, and less transparent. Hatches
/// are drawn with it.
Color hatchInk(const Color& ground);

}  // namespace sepx::render

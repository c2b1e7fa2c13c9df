// SPDX-License-Identifier: Apache-2.0
#include "engine/render/color_map.h"

#include <cmath>

#include <catch2/catch.hpp>

namespace sepx::render {

TEST_CASE("Sequential scales rise in lightness from dark to light", "[color_map]") {
  for (const ColorMap map : {ColorMap::Viridis, ColorMap::Cividis, ColorMap::Gray}) {
    double before = -1;
    for (int i = 0; i < 512; ++i) {
      const double here = lightness(colorAt(map, i / 511.0));
      REQUIRE(here > before);
      before = here;
    }
    CHECK(lightness(colorAt(map, 0)) < 0.3);
    CHECK(lightness(colorAt(map, 1)) > 0.85);
  }
}

TEST_CASE("The steps of a sequential scale are even", "[color_map]") {
  for (const ColorMap map : {ColorMap::Viridis, ColorMap::Cividis, ColorMap::Gray}) {
    const double span = lightness(colorAt(map, 1)) - lightness(colorAt(map, 0));
    for (int i = 0; i < 8; ++i) {
      const double step = lightness(colorAt(map, (i + 1) / 8.0)) - lightness(colorAt(map, i / 8.0));
      CHECK(step > 0.5 * span / 8);
      CHECK(step < 1.6 * span / 8);
    }
  }
}

TEST_CASE("The diverging scale is symmetric about its light middle", "[color_map]") {
  double before = 2, apart = -1;
  for (int i = 0; i <= 100; ++i) {
    const Color low = colorAt(ColorMap::Diverging, 0.5 - i / 200.0),
                high = colorAt(ColorMap::Diverging, 0.5 + i / 200.0);
    const Color middle = colorAt(ColorMap::Diverging, 0.5);
    CHECK(std::abs(lightness(low) - lightness(high)) < 0.004);
    // The distance from the middle is the same on both sides and increases with every step.
    CHECK(std::abs(colorDistance(low, middle) - colorDistance(high, middle)) < 0.008);
    CHECK(lightness(low) < before);
    CHECK(colorDistance(low, middle) > apart);
    before = lightness(low);
    apart = colorDistance(low, middle);
  }
}

TEST_CASE("The sign on the diverging scale is distinguishable with normal and deficient colour vision", "[color_map]") {
  for (const Vision vision : {Vision::Normal, Vision::Protanopia, Vision::Deuteranopia, Vision::Tritanopia}) {
    for (const double s : {0.2, 0.35, 0.5}) {
      const Color low = simulateVision(colorAt(ColorMap::Diverging, 0.5 - s), vision),
                  high = simulateVision(colorAt(ColorMap::Diverging, 0.5 + s), vision);
      CHECK(colorDistance(low, high) > 0.1);
    }
  }
}

TEST_CASE("The fitted scales agree with the published ones", "[color_map]") {
  // Colours at even steps that the authors of viridis and cividis published for their scales.
  struct Known {
    ColorMap map;
    double at;
    std::uint32_t rgb;
    double within;  // tolerance, out of 255
  };
  const Known known[] = {
      {ColorMap::Viridis, 0, 0x440154, 1},         {ColorMap::Viridis, 0.25, 0x3b528b, 3},
      {ColorMap::Viridis, 0.5, 0x21918c, 3},       {ColorMap::Viridis, 0.75, 0x5ec962, 3},
      {ColorMap::Viridis, 1, 0xfde725, 1},         {ColorMap::Cividis, 0, 0x00204c, 1},
      {ColorMap::Cividis, 1, 0xffe945, 1},         {ColorMap::Cividis, 8 / 17.0, 0x757575, 8},
      {ColorMap::Cividis, 13 / 17.0, 0xc0b16d, 8},
  };
  for (const Known& one : known) {
    const Color color = colorAt(one.map, one.at);
    INFO(static_cast<int>(one.map) << " at " << one.at);
    CHECK(std::abs(color.r * 255 - static_cast<double>((one.rgb >> 16) & 255)) <= one.within);
    CHECK(std::abs(color.g * 255 - static_cast<double>((one.rgb >> 8) & 255)) <= one.within);
    CHECK(std::abs(color.b * 255 - static_cast<double>(one.rgb & 255)) <= one.within);
  }
}

TEST_CASE("cividis looks the same without red or without green cones", "[color_map]") {
  for (int i = 0; i <= 20; ++i) {
    const Color color = colorAt(ColorMap::Cividis, i / 20.0);
    CHECK(colorDistance(color, simulateVision(color, Vision::Deuteranopia)) < 0.06);
    CHECK(colorDistance(color, simulateVision(color, Vision::Protanopia)) < 0.06);
  }
}

TEST_CASE("The eight categories are distinguishable with normal and deficient colour vision", "[color_map]") {
  CHECK(categorical(1) == categorical(1 + kCategories));
  CHECK(categorical(5).b == Approx(178 / 255.0));
  for (const Vision vision : {Vision::Normal, Vision::Protanopia, Vision::Deuteranopia, Vision::Tritanopia}) {
    for (std::size_t i = 0; i < kCategories; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        INFO(static_cast<int>(vision) << " " << i << " " << j);
        CHECK(colorDistance(simulateVision(categorical(i), vision), simulateVision(categorical(j), vision)) > 0.04);
      }
    }
  }
}

TEST_CASE("Simulated colour vision keeps greys and makes indistinguishable colours similar", "[color_map]") {
  for (const Vision vision : {Vision::Protanopia, Vision::Deuteranopia, Vision::Tritanopia}) {
    CHECK(colorDistance(simulateVision({0.5F, 0.5F, 0.5F, 1}, vision), {0.5F, 0.5F, 0.5F, 1}) < 0.01);
  }
  const Color red{0.8F, 0.2F, 0.1F, 1}, green{0.35F, 0.45F, 0.1F, 1};
  CHECK(colorDistance(simulateVision(red, Vision::Deuteranopia), simulateVision(green, Vision::Deuteranopia)) <
        0.5 * colorDistance(red, green));
}

TEST_CASE("The diverging scale puts zero in its middle", "[color_map]") {
  const ColorLaw law = colorLaw(ColorMap::Diverging, -1, 3);
  CHECK(0 * law.scale + law.offset == Approx(0.5));
  CHECK(3 * law.scale + law.offset == Approx(1));
  CHECK(-3 * law.scale + law.offset == Approx(0));
  const ColorLaw plain = colorLaw(ColorMap::Viridis, -1, 3);
  CHECK(-1 * plain.scale + plain.offset == Approx(0));
  CHECK(3 * plain.scale + plain.offset == Approx(1));
}

TEST_CASE("Equal or non-finite limits give the middle and never NaN", "[color_map]") {
  const double nan = std::nan(""), huge = 1e308;
  for (const auto& [low, high] : {std::pair{2.0, 2.0}, {nan, 1.0}, {0.0, INFINITY}, {-huge, huge}, {0.0, 0.0}}) {
    for (const ColorMap map : {ColorMap::Viridis, ColorMap::Diverging}) {
      const ColorLaw law = colorLaw(map, low, high);
      CHECK(std::isfinite(law.scale));
      CHECK(std::isfinite(law.offset));
    }
  }
  CHECK(colorLaw(ColorMap::Viridis, 2, 2).offset == 0.5);
}

TEST_CASE("Positions outside the scale are clamped, and NaN is transparent", "[color_map]") {
  CHECK(colorAt(ColorMap::Viridis, -4) == colorAt(ColorMap::Viridis, 0));
  CHECK(colorAt(ColorMap::Viridis, 7) == colorAt(ColorMap::Viridis, 1));
  CHECK(colorAt(ColorMap::Viridis, std::nan("")).a == 0);
  const ColorTable table = colorTable(ColorMap::Viridis);
  CHECK(table[0] == 0x44);  // the ends of the published scale
  CHECK(table[1] <= 0x02);
  CHECK(table[2] == 0x54);
  CHECK(table[4 * 255] == 0xfd);
  CHECK(table[4 * 255 + 1] == 0xe7);
  CHECK(table[4 * 255 + 2] == 0x25);
  CHECK(table[4 * 128 + 3] == 255);
}

TEST_CASE("A hatch is visible on its background", "[color_map]") {
  CHECK(hatchInk({1, 0, 0, 0}).a == 0);
  CHECK(hatchInk({1, 0, 0, 0.3F}).a > 0.5F);
  for (const Color& ground :
       {Color{0, 0, 0, 1}, Color{1, 1, 1, 1}, Color{0.35F, 0.7F, 0.9F, 0.6F}, Color{0.8F, 0.4F, 0, 1}}) {
    const Color ink = hatchInk(ground);
    CHECK(std::abs(lightness(ink) - lightness(ground)) > 0.12);
    CHECK(ink.a >= ground.a);
    CHECK(ink.a <= 1);
  }
}

}  // namespace sepx::render

// SPDX-License-Identifier: Apache-2.0
#include "engine/render/color_map.h"

#include <cmath>

#include <catch2/catch.hpp>

namespace sepx::render {

TEST_CASE("sequential scales rise in lightness from dark to light", "[color_map]") {
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

TEST_CASE("the steps of a sequential scale are even", "[color_map]") {
  for (const ColorMap map : {ColorMap::Viridis, ColorMap::Cividis, ColorMap::Gray}) {
    const double span = lightness(colorAt(map, 1)) - lightness(colorAt(map, 0));
    for (int i = 0; i < 8; ++i) {
      const double step = lightness(colorAt(map, (i + 1) / 8.0)) - lightness(colorAt(map, i / 8.0));
      CHECK(step > 0.5 * span / 8);
      CHECK(step < 1.6 * span / 8);
    }
  }
}

TEST_CASE("the diverging scale is lightest in its middle and falls on both sides", "[color_map]") {
  double before = 2;
  for (int i = 0; i <= 100; ++i) {
    const double low = lightness(colorAt(ColorMap::Diverging, 0.5 - i / 200.0));
    const double high = lightness(colorAt(ColorMap::Diverging, 0.5 + i / 200.0));
    CHECK(std::abs(low - high) < 0.06);
    CHECK(std::max(low, high) < before);
    before = std::max(low, high);
  }
}

TEST_CASE("the diverging scale puts zero in its middle", "[color_map]") {
  const ColorLaw law = colorLaw(ColorMap::Diverging, -1, 3);
  CHECK(0 * law.scale + law.offset == Approx(0.5));
  CHECK(3 * law.scale + law.offset == Approx(1));
  CHECK(-3 * law.scale + law.offset == Approx(0));
  const ColorLaw plain = colorLaw(ColorMap::Viridis, -1, 3);
  CHECK(-1 * plain.scale + plain.offset == Approx(0));
  CHECK(3 * plain.scale + plain.offset == Approx(1));
}

TEST_CASE("limits that are equal or not finite give the middle and never NaN", "[color_map]") {
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

TEST_CASE("positions outside the scale are clamped and those that are no number are transparent", "[color_map]") {
  CHECK(colorAt(ColorMap::Viridis, -4) == colorAt(ColorMap::Viridis, 0));
  CHECK(colorAt(ColorMap::Viridis, 7) == colorAt(ColorMap::Viridis, 1));
  CHECK(colorAt(ColorMap::Viridis, std::nan("")).a == 0);
  const ColorTable table = colorTable(ColorMap::Viridis);
  CHECK(table[0] == 0x44);  // the published ends
  CHECK(table[1] == 0x01);
  CHECK(table[2] == 0x54);
  CHECK(table[4 * 255] == 0xfd);
  CHECK(table[4 * 255 + 1] == 0xe7);
  CHECK(table[4 * 255 + 2] == 0x25);
  CHECK(table[4 * 128 + 3] == 255);
}

TEST_CASE("a hatch is seen on its ground", "[color_map]") {
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

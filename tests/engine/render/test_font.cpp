// SPDX-License-Identifier: Apache-2.0
#include "engine/render/font.h"

#include <filesystem>

#include <catch2/catch.hpp>

#include "engine/render/glyph_atlas.h"

namespace sepx::render {

TEST_CASE("The font files exist in both weights", "[font]") {
  const auto &regular = fontFiles(false), &bold = fontFiles(true);
  REQUIRE(regular);
  REQUIRE(bold);
  CHECK(std::filesystem::is_regular_file(regular->front().path));
  CHECK(regular->front().path != bold->front().path);
  CHECK(regular->front().weight == 400);
  CHECK(bold->front().weight >= 600);
  CHECK(regular->front().height > 1);
}

TEST_CASE("Digits have the same width in each weight", "[font]") {
  for (const bool bold : {false, true}) {
    const double zero = measure("0", 100, bold).width;
    for (const char* figure : {"1", "2", "3", "4", "5", "6", "7", "8", "9"})
      CHECK(measure(figure, 100, bold).width == Approx(zero));
  }
}

TEST_CASE("A character that the first font file lacks is taken from the next one", "[font]") {
  auto face = FontFace::open(false);
  REQUIRE(face);
  CHECK((*face)->fileOf(U'a') == 0);
  CHECK((*face)->fileOf(U'\U0010FFFD') == 0);
  if (fontFiles()->size() < 2 || fontFiles()->front().family != "Open Sans") {
    WARN("Open Sans or DejaVu Sans is not installed: nothing to fall back to");
    return;
  }
  CHECK((*face)->fileOf(U'→') == 1);
  CHECK(measure("→", 10).width == Approx(10 * (*face)->advance(U'→')));
}

TEST_CASE("The width of a text is proportional to its size and additive", "[font]") {
  const double one = measure("W", 10).width, two = measure("WW", 10).width;
  CHECK(two == Approx(2 * one));
  CHECK(measure("W", 30).width == Approx(3 * one));
  CHECK(measure("", 10).width == 0);
  CHECK(measure("i", 10).width < one);
  CHECK(measure("W", 10, true).width > one);
  CHECK(measure("x", 20).ascent > 14);
  CHECK(measure("x", 20).descent > 3);
  CHECK(measure("x", 20).height() < 30);
}

TEST_CASE("Greek letters, superscripts and subscripts have glyphs of their own", "[font]") {
  auto face = FontFace::open(false);
  REQUIRE(face);
  const GlyphBitmap missing = (*face)->rasterise(U'\U0010FFFD', 24, 0);
  for (const char32_t code : U"βγθλπσΘΛ²³⁻₀₁₂∈≤≈→∂∇·−½") {
    if (code == 0) break;
    const GlyphBitmap glyph = (*face)->rasterise(code, 24, 0);
    CHECK(glyph.width > 0);
    CHECK((glyph.coverage != missing.coverage));
    CHECK(glyph.coverage.size() == static_cast<std::size_t>(glyph.width) * static_cast<std::size_t>(glyph.height));
  }
}

TEST_CASE("The atlas keeps glyphs separate, finds them again and reports when it is full", "[font]") {
  auto atlas = GlyphAtlas::create();
  REQUIRE(atlas);
  CHECK(atlas->takeChanges().end == kAtlasSide);
  const AtlasGlyph a = atlas->glyph(U'a', 20, 0, false), b = atlas->glyph(U'b', 20, 0, false);
  const AtlasRows rows = atlas->takeChanges();
  CHECK(rows.first <= std::min(a.y, b.y));
  CHECK(rows.end >= std::max(a.y + a.height, b.y + b.height));
  CHECK((a.x + a.width < b.x || b.x + b.width < a.x || a.y != b.y));
  const AtlasGlyph again = atlas->glyph(U'a', 20, 0, false);
  CHECK(again.x == a.x);
  CHECK(atlas->takeChanges().end == 0);
  CHECK(atlas->glyph(U'a', 20, 2, false).x != a.x);
  CHECK_FALSE(atlas->full());
  for (int size = 100; size < 200 && !atlas->full(); ++size) {
    for (char32_t code = U'A'; code <= U'Z'; ++code)
      atlas->glyph(code, size, 0, false);
  }
  CHECK(atlas->full());
  atlas->clear();
  CHECK_FALSE(atlas->full());
  CHECK(atlas->glyph(U'a', 20, 0, false).width == a.width);
}

}  // namespace sepx::render

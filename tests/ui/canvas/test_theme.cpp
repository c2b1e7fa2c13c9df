// SPDX-License-Identifier: Apache-2.0
// Themes: every text is readable on every surface it stands on (WCAG AA 4.5), every glyph and line on the plot (3).
#include "ui/canvas/theme.h"

#include <catch2/catch.hpp>

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("contrast is that of WCAG", "[theme]") {
  CHECK(contrast({0, 0, 0}, {1, 1, 1}) == Approx(21));
  CHECK(contrast({1, 1, 1}, {0, 0, 0}) == Approx(21));
  CHECK(contrast({0.5f, 0.2f, 0.7f}, {0.5f, 0.2f, 0.7f}) == Approx(1));
  const float gray = 119 / 255.0f;  // #777777 on white, a well-known pair just below AA
  CHECK(contrast({gray, gray, gray}, {1, 1, 1}) == Approx(4.478).margin(0.01));
}

TEST_CASE("themes are found by key", "[theme]") {
  REQUIRE(themeKeys().size() >= 2);
  for (const std::string& key : themeKeys()) {
    const Theme* theme = findTheme(key);
    REQUIRE(theme != nullptr);
    CHECK(theme->key == key);
    CHECK(theme->dark == (key == "dark"));
  }
  CHECK(findTheme("no such theme") == nullptr);
}

TEST_CASE("text and glyphs have enough contrast in every theme", "[theme]") {
  for (const std::string& key : themeKeys()) {
    const Theme& t = *findTheme(key);
    INFO(key);
    for (const render::Color& ground : {t.background, t.surface, t.surfaceRaised, t.plotBackground}) {
      CHECK(contrast(t.text, ground) >= 7);
      CHECK(contrast(t.textMuted, ground) >= 4.5);
      CHECK(contrast(t.error, ground) >= 4.5);
      CHECK(contrast(t.accent, ground) >= 3);
    }
    CHECK(contrast(t.textOnAccent, t.accent) >= 4.5);
    CHECK(contrast(t.text, t.accentMuted) >= 4.5);
    CHECK(contrast(t.tick, t.plotBackground) >= 4.5);
    for (const render::Color& kind : {t.globalMin, t.localMin, t.saddle, t.localMax, t.attractor, t.undecided}) {
      CHECK(contrast(kind, t.plotBackground) >= 3);
      CHECK(contrast(kind, t.surface) >= 3);
    }
  }
}

TEST_CASE("kinds of limits have different colours", "[theme]") {
  for (const std::string& key : themeKeys()) {
    const Theme& t = *findTheme(key);
    const std::vector<render::Color> kinds{t.globalMin, t.localMin, t.saddle, t.localMax, t.attractor, t.undecided};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double distance =
            std::abs(kinds[i].r - kinds[j].r) + std::abs(kinds[i].g - kinds[j].g) + std::abs(kinds[i].b - kinds[j].b);
        CHECK(distance > 0.2);
      }
    }
  }
}

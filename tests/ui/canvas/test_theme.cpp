// SPDX-License-Identifier: Apache-2.0
// Themes: every text is readable on every background it is drawn on (WCAG AA, 4.5), every glyph and line on the plot
// (3), and the kinds of limits can be told apart with every type of colour vision.
#include "ui/canvas/readable.h"
#include "ui/canvas/theme.h"

#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/render/color_map.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

std::vector<render::Color> kindsOf(const Theme& t) {
  return {t.globalMin, t.localMin, t.saddle, t.localMax, t.attractor, t.undecided};
}

/// A translucent colour over an opaque one, as the renderer blends them (sRGB-encoded).
render::Color over(render::Color ground, render::Color veil, float opacity) {
  return {ground.r + (veil.r - ground.r) * opacity, ground.g + (veil.g - ground.g) * opacity,
          ground.b + (veil.b - ground.b) * opacity, 1};
}

}  // namespace

TEST_CASE("The contrast is the contrast ratio of WCAG", "[theme]") {
  CHECK(contrast({0, 0, 0}, {1, 1, 1}) == Approx(21));
  CHECK(contrast({1, 1, 1}, {0, 0, 0}) == Approx(21));
  CHECK(contrast({0.5f, 0.2f, 0.7f}, {0.5f, 0.2f, 0.7f}) == Approx(1));
  const float gray = 119 / 255.0f;  // #777777 on white, a well-known pair just below AA
  CHECK(contrast({gray, gray, gray}, {1, 1, 1}) == Approx(4.478).margin(0.01));
}

TEST_CASE("The four themes are found by key and have names", "[theme]") {
  CHECK(themeKeys() == std::vector<std::string>{"dark", "light", "contrast", "projector"});
  for (const std::string& key : themeKeys()) {
    const Theme* theme = findTheme(key);
    REQUIRE(theme != nullptr);
    CHECK(theme->key == key);
    CHECK_FALSE(theme->name.empty());
    // Qt and other code rely on `dark`; it must match the background.
    CHECK(theme->dark == (contrast(theme->background, {0, 0, 0}) < contrast(theme->background, {1, 1, 1})));
  }
  CHECK(findTheme("no such theme") == nullptr);
}

TEST_CASE("Text and glyphs have enough contrast in every theme", "[theme]") {
  for (const std::string& key : themeKeys()) {
    const Theme& t = *findTheme(key);
    INFO(key);
    const double text = key == "contrast" ? 7 : 4.5, line = key == "contrast" ? 7 : 3;
    for (const render::Color& ground : {t.background, t.surface, t.surfaceRaised, t.plotBackground}) {
      CHECK(contrast(t.text, ground) >= 7);
      CHECK(contrast(t.textMuted, ground) >= text);
      CHECK(contrast(t.error, ground) >= text);
      CHECK(contrast(t.accent, ground) >= line);
    }
    CHECK(contrast(t.textOnAccent, t.accent) >= text);
    CHECK(contrast(t.text, t.accentMuted) >= text);
    CHECK(contrast(t.selection, t.plotBackground) >= line);
    CHECK(contrast(t.selection, t.surface) >= line);
    CHECK(contrast(t.text, t.selectionMuted) >= text);
    CHECK(contrast(t.textMuted, t.selectionMuted) >= 4.5);
    CHECK(contrast(t.tick, t.plotBackground) >= text);
    CHECK(contrast(t.tick, t.background) >= text);
    // Marks: the kinds of limits, which also give the colours of chart series, on every background they are drawn on.
    for (const render::Color& kind : kindsOf(t)) {
      for (const render::Color& ground : {t.plotBackground, t.surface, t.background, t.surfaceRaised})
        CHECK(contrast(kind, ground) >= line);
    }
    CHECK(contrast(t.separatrix, t.plotBackground) >= line);
  }
}

TEST_CASE("A line colour is made readable as a text colour, and a readable colour is not changed", "[theme]") {
  for (const std::string& key : themeKeys()) {
    const Theme& t = *findTheme(key);
    INFO(key);
    for (const render::Color& kind : kindsOf(t)) {
      const render::Color words = readable(kind, t.surface, t);
      CHECK(contrast(words, t.surface) >= 4.5);
      if (contrast(kind, t.surface) >= 4.5) CHECK(words == kind);
      CHECK(render::colorDistance(words, kind) <= render::colorDistance(t.text, kind));
    }
  }
}

TEST_CASE("Text on a control is readable, also while the control is hovered or pressed", "[theme]") {
  for (const std::string& key : themeKeys()) {
    const Theme& t = *findTheme(key);
    INFO(key);
    for (const float share : {0.08f, 0.14f, 0.20f})  // frame, hovered, active of the ImGui style
      CHECK(contrast(t.text, over(t.surface, t.text, share)) >= (key == "contrast" ? 7 : 4.5));
  }
}

TEST_CASE("Text sizes and line widths of the projector theme are larger than those of the other themes", "[theme]") {
  const Theme &projector = *findTheme("projector"), &light = *findTheme("light");
  CHECK(projector.textSize == 19);
  CHECK(projector.smallSize >= 1.3 * light.smallSize);
  CHECK(projector.lineWidth > light.lineWidth);
  CHECK(projector.statusHeight > 1.4f * projector.smallSize);
  for (const std::string& key : themeKeys()) {
    const Theme& t = *findTheme(key);
    CHECK(t.smallSize >= 11);
    CHECK(t.smallSize <= t.textSize);
    CHECK(t.textSize <= t.titleSize);
  }
}

TEST_CASE("The selection colour differs from all other colours in every theme, for every type of colour vision",
          "[theme]") {
  using render::Vision;
  for (const std::string& key : themeKeys()) {
    const Theme& t = *findTheme(key);
    std::vector<render::Color> others = kindsOf(t);
    others.push_back(t.accent);
    others.push_back(t.text);
    for (const Vision vision : {Vision::Normal, Vision::Protanopia, Vision::Deuteranopia, Vision::Tritanopia}) {
      for (std::size_t i = 0; i < others.size(); ++i) {
        INFO(key << " vision " << static_cast<int>(vision) << " colour " << i);
        CHECK(render::colorDistance(render::simulateVision(t.selection, vision),
                                    render::simulateVision(others[i], vision)) >= 0.08);
      }
    }
  }
}

TEST_CASE("The kinds of limits differ from each other in every theme, for every type of colour vision", "[theme]") {
  using render::Vision;
  constexpr double kApart = 0.08;  // Oklab distance; a difference of about 0.02 is just visible
  for (const std::string& key : themeKeys()) {
    const std::vector<render::Color> kinds = kindsOf(*findTheme(key));
    for (const Vision vision : {Vision::Normal, Vision::Protanopia, Vision::Deuteranopia, Vision::Tritanopia}) {
      for (std::size_t i = 0; i < kinds.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          INFO(key << " vision " << static_cast<int>(vision) << " kinds " << i << " " << j);
          CHECK(render::colorDistance(render::simulateVision(kinds[i], vision),
                                      render::simulateVision(kinds[j], vision)) >= kApart);
        }
      }
    }
  }
}

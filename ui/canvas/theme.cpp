// SPDX-License-Identifier: Apache-2.0
// The available themes. Surfaces are neutral, so that colour is left to the data. The colours of the kinds of limits
// start from the hues of the Okabe-Ito palette. A search moved them until every two of them are at least 0.08 apart in
// Oklab, for normal vision and under simulated protanopia, deuteranopia and tritanopia, at the contrast that the theme
// requires. Text meets WCAG AA (4.5; 7 in the high contrast theme) on every surface, lines and glyphs 3
// (tests/ui/canvas/test_theme). Values are sRGB.
#include "ui/canvas/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

render::Color hex(std::uint32_t rgb) {
  return {static_cast<float>((rgb >> 16) & 255) / 255, static_cast<float>((rgb >> 8) & 255) / 255,
          static_cast<float>(rgb & 255) / 255, 1};
}

enum { Dark, Light, Contrast, Projector, Count };

/// One colour for each theme, opaque.
struct ColorRow {
  render::Color Theme::*color;
  std::uint32_t of[Count];
};

constexpr ColorRow kColors[] = {
    //                            dark      light   contrast  projector
    {&Theme::background, {0x14171B, 0xF6F7F9, 0x000000, 0xFFFFFF}},
    {&Theme::surface, {0x1B1F25, 0xFFFFFF, 0x000000, 0xFFFFFF}},
    {&Theme::surfaceRaised, {0x262B33, 0xECEEF1, 0x141414, 0xF0F0F0}},
    {&Theme::border, {0x3A414C, 0xC6CBD3, 0xB8B8B8, 0x8A8F98}},
    {&Theme::text, {0xE8EAED, 0x1A1D21, 0xFFFFFF, 0x000000}},
    {&Theme::textMuted, {0xA9B1BC, 0x525A66, 0xDEDEDE, 0x3A3F47}},
    {&Theme::textOnAccent, {0x10151A, 0xFFFFFF, 0x000000, 0xFFFFFF}},
    {&Theme::error, {0xFF8A7A, 0xB3261E, 0xFF9E8F, 0xA31515}},
    {&Theme::accent, {0x4FD1B0, 0x0B7A63, 0x2BF0C6, 0x00604C}},
    {&Theme::accentMuted, {0x2B6A5C, 0xA9D8CC, 0x0A4F41, 0x9AD3C5}},
    {&Theme::selection, {0xC84DFF, 0x4A148C, 0x868CFC, 0x24002A}},
    {&Theme::selectionMuted, {0x4D2B63, 0xDFD0F0, 0x2A2C66, 0xD6C8EA}},
    {&Theme::plotBackground, {0x0F1114, 0xFFFFFF, 0x000000, 0xFFFFFF}},
    {&Theme::grid, {0xFFFFFF, 0x000000, 0xFFFFFF, 0x000000}},
    {&Theme::axisZero, {0xFFFFFF, 0x000000, 0xFFFFFF, 0x000000}},
    {&Theme::tick, {0xA9B1BC, 0x525A66, 0xFFFFFF, 0x1A1D21}},
    {&Theme::separatrix, {0xFFFFFF, 0x14171B, 0xFFFFFF, 0x000000}},
    {&Theme::globalMin, {0x44C6FD, 0x0979BF, 0x62BEFE, 0x015B9D}},
    {&Theme::localMin, {0xED9301, 0xB64003, 0xC9A733, 0xBC4605}},
    {&Theme::saddle, {0xE39FC8, 0x984289, 0xFE89D7, 0x79106D}},
    {&Theme::localMax, {0xF0E442, 0xA0840F, 0xF0E442, 0x756D53}},
    {&Theme::attractor, {0x84C179, 0x28734D, 0x17EAB3, 0x014A33}},
    {&Theme::undecided, {0x8B929C, 0x787E81, 0xA2A3A3, 0x56585A}},
};

constexpr float kGridOpacity[Count] = {0.07f, 0.07f, 0.14f, 0.12f};
constexpr float kZeroOpacity[Count] = {0.22f, 0.25f, 0.45f, 0.4f};

std::array<Theme, Count> makeThemes() {
  std::array<Theme, Count> themes{
      {{.key = "dark", .name = N_("Dark"), .basinOpacity = 0.36f},
       {.key = "light", .name = N_("Light"), .dark = false, .basinOpacity = 0.32f, .frameBorder = 1},
       // Black and white, at least 7:1 for all text and every kind of limit, edges around every button and field.
       {.key = "contrast",
        .name = N_("High contrast"),
        .basinOpacity = 0.42f,
        .lineWidth = 2,
        .strongLine = 3.5f,
        .handleSize = 15,
        .frameBorder = 1.5f},
       // For bright rooms and distant viewers: light background, no pale colours, thick lines, large type.
       {.key = "projector",
        .name = N_("Projector"),
        .dark = false,
        .basinOpacity = 0.42f,
        .smallSize = 17,
        .textSize = 19,
        .lessonSize = 22,
        .titleSize = 28,
        .lineWidth = 2.5f,
        .strongLine = 4,
        .handleSize = 19,
        .frameBorder = 1,
        .panelWidth = 430,
        .statusHeight = 30}}};
  for (std::size_t i = 0; i < Count; ++i) {
    for (const ColorRow& row : kColors)
      themes[i].*row.color = hex(row.of[i]);
    themes[i].grid.a = kGridOpacity[i];
    themes[i].axisZero.a = kZeroOpacity[i];
  }
  return themes;
}

const std::array<Theme, Count>& themes() {
  static const std::array<Theme, Count> list = makeThemes();
  return list;
}

/// Relative luminance of WCAG 2.
double luminance(render::Color color) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

}  // namespace

const Theme* findTheme(std::string_view key) {
  for (const Theme& theme : themes())
    if (theme.key == key) return &theme;
  return nullptr;
}

std::vector<std::string> themeKeys() {
  std::vector<std::string> keys;
  for (const Theme& theme : themes())
    keys.push_back(theme.key);
  return keys;
}

double contrast(render::Color a, render::Color b) {
  const double first = luminance(a), second = luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The themes that exist. Neutral surfaces, so that the data has the colour. Kinds of limits begin with the hues of the
// Okabe-Ito palette and were moved by our own search until every two of them are at least 0.08 apart in Oklab, as seen
// by normal eyes and under simulated protanopia, deuteranopia and tritanopia, at the contrast the theme asks for. Text
// meets WCAG AA (4.5; 7 in the high contrast theme) on every surface, lines and glyphs 3 (tests/ui/canvas/test_theme).
// Values are sRGB.
#include "ui/canvas/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

render::Color hex(std::uint32_t rgb, float alpha = 1) {
  return {static_cast<float>((rgb >> 16) & 255) / 255, static_cast<float>((rgb >> 8) & 255) / 255,
          static_cast<float>(rgb & 255) / 255, alpha};
}

Theme darkTheme() {
  Theme theme;
  theme.key = "dark";
  theme.name = N_("Dark");
  theme.dark = true;
  theme.background = hex(0x14171B);
  theme.surface = hex(0x1B1F25);
  theme.surfaceRaised = hex(0x262B33);
  theme.border = hex(0x3A414C);
  theme.text = hex(0xE8EAED);
  theme.textMuted = hex(0xA9B1BC);
  theme.textOnAccent = hex(0x10151A);
  theme.error = hex(0xFF8A7A);
  theme.accent = hex(0x4FD1B0);
  theme.accentMuted = hex(0x2B6A5C);
  theme.plotBackground = hex(0x0F1114);
  theme.grid = hex(0xFFFFFF, 0.07f);
  theme.axisZero = hex(0xFFFFFF, 0.22f);
  theme.tick = hex(0xA9B1BC);
  theme.separatrix = hex(0xFFFFFF);
  theme.globalMin = hex(0x44C6FD);
  theme.localMin = hex(0xED9301);
  theme.saddle = hex(0xE39FC8);
  theme.localMax = hex(0xF0E442);
  theme.attractor = hex(0x84C179);
  theme.undecided = hex(0x8B929C);
  theme.basinOpacity = 0.36f;
  return theme;
}

Theme lightTheme() {
  Theme theme;
  theme.key = "light";
  theme.name = N_("Light");
  theme.dark = false;
  theme.background = hex(0xF6F7F9);
  theme.surface = hex(0xFFFFFF);
  theme.surfaceRaised = hex(0xECEEF1);
  theme.border = hex(0xC6CBD3);
  theme.text = hex(0x1A1D21);
  theme.textMuted = hex(0x525A66);
  theme.textOnAccent = hex(0xFFFFFF);
  theme.error = hex(0xB3261E);
  theme.accent = hex(0x0B7A63);
  theme.accentMuted = hex(0xA9D8CC);
  theme.plotBackground = hex(0xFFFFFF);
  theme.grid = hex(0x000000, 0.07f);
  theme.axisZero = hex(0x000000, 0.25f);
  theme.tick = hex(0x525A66);
  theme.separatrix = hex(0x14171B);
  theme.globalMin = hex(0x0979BF);
  theme.localMin = hex(0xB64003);
  theme.saddle = hex(0x984289);
  theme.localMax = hex(0xA0840F);
  theme.attractor = hex(0x28734D);
  theme.undecided = hex(0x787E81);
  theme.basinOpacity = 0.32f;
  theme.frameBorder = 1;
  return theme;
}

/// Black and white, 7:1 and more for all text and every kind, edges around everything that can be pressed.
Theme contrastTheme() {
  Theme theme;
  theme.key = "contrast";
  theme.name = N_("High contrast");
  theme.dark = true;
  theme.background = theme.surface = theme.plotBackground = hex(0x000000);
  theme.surfaceRaised = hex(0x141414);
  theme.border = hex(0xB8B8B8);
  theme.text = hex(0xFFFFFF);
  theme.textMuted = hex(0xDEDEDE);
  theme.textOnAccent = hex(0x000000);
  theme.error = hex(0xFF9E8F);
  theme.accent = hex(0x2BF0C6);
  theme.accentMuted = hex(0x0A4F41);
  theme.grid = hex(0xFFFFFF, 0.14f);
  theme.axisZero = hex(0xFFFFFF, 0.45f);
  theme.tick = hex(0xFFFFFF);
  theme.separatrix = hex(0xFFFFFF);
  theme.globalMin = hex(0x62BEFE);
  theme.localMin = hex(0xC9A733);
  theme.saddle = hex(0xFE89D7);
  theme.localMax = hex(0xF0E442);
  theme.attractor = hex(0x17EAB3);
  theme.undecided = hex(0xA2A3A3);
  theme.basinOpacity = 0.42f;
  theme.lineWidth = 2;
  theme.strongLine = 3.5f;
  theme.handleSize = 15;
  theme.frameBorder = 1.5f;
  return theme;
}

/// For a bright room and the last row: light ground, nothing pale, thick lines, large type.
Theme projectorTheme() {
  Theme theme;
  theme.key = "projector";
  theme.name = N_("Projector");
  theme.dark = false;
  theme.background = theme.surface = theme.plotBackground = hex(0xFFFFFF);
  theme.surfaceRaised = hex(0xF0F0F0);
  theme.border = hex(0x8A8F98);
  theme.text = hex(0x000000);
  theme.textMuted = hex(0x3A3F47);
  theme.textOnAccent = hex(0xFFFFFF);
  theme.error = hex(0xA31515);
  theme.accent = hex(0x00604C);
  theme.accentMuted = hex(0x9AD3C5);
  theme.grid = hex(0x000000, 0.12f);
  theme.axisZero = hex(0x000000, 0.4f);
  theme.tick = hex(0x1A1D21);
  theme.separatrix = hex(0x000000);
  theme.globalMin = hex(0x015B9D);
  theme.localMin = hex(0xBC4605);
  theme.saddle = hex(0x79106D);
  theme.localMax = hex(0x756D53);
  theme.attractor = hex(0x014A33);
  theme.undecided = hex(0x56585A);
  theme.basinOpacity = 0.42f;
  theme.textSize = 20;
  theme.smallSize = 17;
  theme.titleSize = 25;
  theme.lessonSize = 22;
  theme.lineWidth = 2.5f;
  theme.strongLine = 4;
  theme.handleSize = 19;
  theme.frameBorder = 1;
  theme.panelWidth = 430;
  theme.statusHeight = 30;
  return theme;
}

const std::array<Theme, 4>& themes() {
  static const std::array<Theme, 4> list{darkTheme(), lightTheme(), contrastTheme(), projectorTheme()};
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

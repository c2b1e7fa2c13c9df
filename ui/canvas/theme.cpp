// SPDX-License-Identifier: Apache-2.0
// The themes that exist. Neutral surfaces, so that the data has the colour; kinds of limits from the Okabe-Ito palette,
// which stays distinguishable for colour-blind people, darkened on the light theme for contrast. Text meets WCAG AA
// (4.5) on every surface, lines and glyphs 3 (tests/ui/canvas/test_theme.cpp). Values are sRGB.
#include "ui/canvas/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace sepx::ui {

namespace {

render::Color hex(std::uint32_t rgb, float alpha = 1) {
  return {static_cast<float>((rgb >> 16) & 255) / 255, static_cast<float>((rgb >> 8) & 255) / 255,
          static_cast<float>(rgb & 255) / 255, alpha};
}

Theme darkTheme() {
  Theme theme;
  theme.key = "dark";
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
  theme.globalMin = hex(0x56B4E9);
  theme.localMin = hex(0xE69F00);
  theme.saddle = hex(0xE69CC4);
  theme.localMax = hex(0xF0E442);
  theme.attractor = hex(0x7BC47F);
  theme.undecided = hex(0x8B929C);
  theme.basinOpacity = 0.36f;
  return theme;
}

Theme lightTheme() {
  Theme theme;
  theme.key = "light";
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
  theme.globalMin = hex(0x0072B2);
  theme.localMin = hex(0xC25400);
  theme.saddle = hex(0xA8477E);
  theme.localMax = hex(0x837700);
  theme.attractor = hex(0x2F7D33);
  theme.undecided = hex(0x747B85);
  theme.basinOpacity = 0.32f;
  return theme;
}

const std::array<Theme, 2>& themes() {
  static const std::array<Theme, 2> list{darkTheme(), lightTheme()};
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

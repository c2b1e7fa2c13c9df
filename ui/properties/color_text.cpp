// SPDX-License-Identifier: Apache-2.0
// See color_text.h.
#include "ui/properties/color_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sepx::ui {
namespace {

std::optional<int> digitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

}  // namespace

std::optional<Rgb> rgbOf(std::string_view text) {
  if (text.size() != 7 || text.front() != '#') return std::nullopt;
  Rgb color{};
  for (std::size_t i = 0; i < color.size(); ++i) {
    const auto high = digitOf(text[1 + 2 * i]), low = digitOf(text[2 + 2 * i]);
    if (!high || !low) return std::nullopt;
    color[i] = static_cast<float>(16 * *high + *low) / 255;
  }
  return color;
}

std::string colorText(const Rgb& color) {
  const auto byte = [](float part) { return static_cast<int>(std::lround(std::clamp(part, 0.0f, 1.0f) * 255)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(color[0]), byte(color[1]), byte(color[2]));
}

}  // namespace sepx::ui

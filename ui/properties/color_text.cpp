// SPDX-License-Identifier: Apache-2.0
// See color_text.h.
#include "ui/properties/color_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace sepx::ui {
std::optional<Rgb> rgbOf(std::string_view text) {
  if (text.size() != 7 || text.front() != '#') return std::nullopt;
  Rgb color{};
  for (std::size_t i = 0; i < color.size(); ++i) {
    const char* const from = text.data() + 1 + 2 * i;
    unsigned byte = 0;
    if (std::from_chars(from, from + 2, byte, 16).ptr != from + 2) return std::nullopt;
    color[i] = static_cast<float>(byte) / 255;
  }
  return color;
}

std::string colorText(const Rgb& color) {
  const auto byte = [](float part) { return static_cast<int>(std::lround(std::clamp(part, 0.0f, 1.0f) * 255)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(color[0]), byte(color[1]), byte(color[2]));
}

}  // namespace sepx::ui

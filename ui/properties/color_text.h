// SPDX-License-Identifier: Apache-2.0
// Colours in the text form of documents, scripts and tables: "#rrggbb", sRGB. Pure.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace sepx::ui {

/// Red, green and blue from 0 to 1.
using Rgb = std::array<float, 3>;

/// An empty optional unless the text is "#" followed by six hexadecimal digits.
std::optional<Rgb> rgbOf(std::string_view text);
/// In lower case; components outside [0, 1] are clamped.
std::string colorText(const Rgb& color);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// A colour as documents, scripts and tables write it: "#rrggbb", sRGB. Pure.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace sepx::ui {

/// Red, green and blue from 0 to 1.
using Rgb = std::array<float, 3>;

/// Nothing unless it is "#" and six hexadecimal digits.
std::optional<Rgb> rgbOf(std::string_view text);
/// In lower case; parts beyond 0 and 1 are cut.
std::string colorText(const Rgb& color);

}  // namespace sepx::ui

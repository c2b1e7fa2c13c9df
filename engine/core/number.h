// SPDX-License-Identifier: Apache-2.0
// Numbers as text, the same in every locale: the decimal point is a point. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sepx {

/// The shortest text that reads back to the same double; "nan", "inf", "-inf" for the non-finite.
std::string formatShortest(double value);
/// `digits` decimals, trailing zeros kept; switches to scientific form below 1e-4 and from 1e6 on.
std::string formatFixed(double value, int digits);
/// The whole text must be a number (leading and trailing blanks allowed); "nan" and "inf" are numbers here.
std::optional<double> parseNumber(std::string_view text);

}  // namespace sepx

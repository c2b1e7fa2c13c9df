// SPDX-License-Identifier: Apache-2.0
// Converts numbers to and from text, independent of the locale, with a point as decimal separator. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sepx {

/// The shortest text that reads back to the same double; "nan", "inf" or "-inf" for non-finite values.
std::string formatShortest(double value);
/// `digits` decimals, with trailing zeros; scientific notation below 1e-4 and from 1e6 on.
std::string formatFixed(double value, int digits);
/// Parses a text that is a number as a whole, with leading and trailing blanks allowed; "nan" and "inf" are accepted.
std::optional<double> parseNumber(std::string_view text);

}  // namespace sepx

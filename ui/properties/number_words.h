// SPDX-License-Identifier: Apache-2.0
// Formats numbers for reading: U+2212 as the minus sign, powers of ten with superscript exponents, and probabilities
// close to 1 by their distance from 1. For display only: text that is parsed again comes from engine/core/number.h.
// Pure.
#pragma once

#include <string>
#include <string_view>

namespace sepx::ui {

/// Replaces every hyphen by a minus sign.
std::string withMinus(std::string text);
/// Inserts commas between groups of three digits if the integer part has five digits or more: "107,456". Other numbers,
/// and texts that are not numbers, are unchanged.
std::string grouped(std::string number);
/// formatFixed() with a minus sign, and "6.786·10⁻¹³" instead of "6.786455e-13".
std::string shownFixed(double value, int digits);
/// "3.7·10⁻⁹": two significant digits of a nonzero value.
std::string shownPower(double value);
/// "0.781"; "1 − 3.7·10⁻⁹" or "3.7·10⁻⁹" if `digits` decimals would round a value below 1 to 1 or a value above 0 to 0.
std::string shownProbability(double value, int digits);
/// "78.1 %"; "all but 3.7·10⁻⁹" if one decimal would round a share below 1 to 100 %.
std::string shownShare(double share);

/// A sentence of engine/ with its numbers formatted for reading: "-0.3" with a minus sign, "2.2e-16" as 2.2·10⁻¹⁶. A
/// hyphen in a word or between two numbers is unchanged.
std::string withShownNumbers(std::string_view text);

/// "12.6 M"
std::string countText(double count);
/// Four significant digits, a power of ten for very small and very large values; an en dash for a value that is not
/// finite.
std::string formatReading(double value);

}  // namespace sepx::ui

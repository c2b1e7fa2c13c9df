// SPDX-License-Identifier: Apache-2.0
// Numbers as a person reads them: a real minus sign, powers of ten with a raised exponent, and probabilities that are
// nearly 1 by what is missing to 1. For screens only: what is parsed again comes from engine/core/number.h. Pure.
#pragma once

#include <string>
#include <string_view>

namespace sepx::ui {

/// Every hyphen becomes a minus sign.
std::string withMinus(std::string text);
/// A number whose whole part has five digits or more with commas between groups of three, "107,456"; others, and texts
/// that are none, as they are.
std::string grouped(std::string number);
/// formatFixed() with a minus sign, and "6.786·10⁻¹³" where that is "6.786455e-13".
std::string shownFixed(double value, int digits);
/// "3.7·10⁻⁹": two significant digits of a value that is not 0.
std::string shownPower(double value);
/// "0.781", and "1 − 3.7·10⁻⁹" or "3.7·10⁻⁹" where `digits` decimals would say 1 or 0 of a number that is neither.
std::string shownProbability(double value, int digits);
/// "78.1 %", and "all but 3.7·10⁻⁹" where one decimal would say 100 of a share that is not.
std::string shownShare(double share);

/// A sentence of engine/ with its numbers as a person reads them: "-0.3" with a minus sign, "2.2e-16" as 2.2·10⁻¹⁶. A
/// hyphen in a word or between two numbers stays.
std::string withShownNumbers(std::string_view text);

/// "12.6 M"
std::string countText(double count);
/// Four significant digits, powers of ten where decimals say nothing; a dash for what is not finite.
std::string formatReading(double value);

}  // namespace sepx::ui

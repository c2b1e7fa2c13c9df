// SPDX-License-Identifier: Apache-2.0
// Converts numbers to and from text with std::to_chars and std::from_chars, which are independent of the locale. Any
// thread.
#include "engine/core/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace sepx {

namespace {

std::string nonFinite(double value) {
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

bool isZeroText(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '-' || c == '0' || c == '.'; });
}

}  // namespace

std::string formatShortest(double value) {
  if (!std::isfinite(value)) return nonFinite(value);
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return std::string(buffer.data(), result.ptr);
}

std::string formatFixed(double value, int digits) {
  if (!std::isfinite(value)) return nonFinite(value);
  digits = std::clamp(digits, 0, 40);
  const double magnitude = std::abs(value);
  const bool scientific = magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e6);
  std::array<char, 64> buffer{};  // at most sign, 7 digits, point and 40 decimals
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                    scientific ? std::chars_format::scientific : std::chars_format::fixed, digits);
  std::string text(buffer.data(), result.ptr);
  if (!text.empty() && text.front() == '-' && isZeroText(text)) text.erase(text.begin());
  return text;
}

std::optional<double> parseNumber(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return std::nullopt;
  text = text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace sepx

// SPDX-License-Identifier: Apache-2.0
// Formats numbers for display. Values are first rounded to decimal text and then reformatted, so that no further digits
// appear. Pure.
#include "ui/properties/number_words.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

std::string raised(int exponent) {
  static const char* const kDigits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                        "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = exponent < 0 ? "\u207b" : "";
  for (const char digit : std::to_string(std::abs(exponent)))
    text += kDigits[digit - '0'];
  return text;
}

bool isDigit(char letter) {
  return letter >= '0' && letter <= '9';
}

/// The length of the exponent at the start of `text`: 4 for "e-16" in "e-16, and"; 0 if there is none.
std::size_t exponentLength(std::string_view text) {
  if (text.size() < 3 || text[0] != 'e' || (text[1] != '-' && text[1] != '+')) return 0;
  std::size_t length = 2;
  while (length < text.size() && isDigit(text[length]))
    ++length;
  return length > 2 && length < 6 ? length : 0;
}

}  // namespace

std::string withShownNumbers(std::string_view text) {
  std::string shown;
  std::size_t mantissa = 0;  // number of digits and points at the end of the text so far
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const std::size_t length = mantissa == 0 ? 0 : exponentLength(text.substr(at));
    if (length != 0) {
      if (mantissa == 1 && before == '1')
        shown.pop_back();
      else
        shown += "\u00b7";
      shown += "10" + raised(std::atoi(std::string(text.substr(at + 1, length - 1)).c_str()));
      at += length - 1;
      mantissa = 0;
      continue;
    }
    const bool sign = text[at] == '-' && at + 1 < text.size() && isDigit(text[at + 1]) &&
                      std::string_view(" (,=|").find(before) != std::string_view::npos;
    shown += sign ? "\u2212" : std::string(1, text[at]);
    mantissa = isDigit(text[at]) || (mantissa > 0 && text[at] == '.') ? mantissa + 1 : 0;
  }
  return shown;
}

std::string withMinus(std::string text) {
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at))
    text.replace(at, 1, "\u2212");
  return text;
}

std::string grouped(std::string number) {
  constexpr std::size_t kLeast = 5;  // digits; four are easily read without commas
  const std::size_t first = number.find_first_of("0123456789");
  if (first == std::string::npos) return number;
  std::size_t end = first;
  while (end < number.size() && isDigit(number[end]))
    ++end;
  const bool sign = number.compare(0, first, "-") == 0 || number.compare(0, first, "\u2212") == 0;
  const std::string_view rest = std::string_view(number).substr(end);
  const bool decimals = rest.empty() || (rest.front() == '.' && rest.find_first_not_of("0123456789", 1) == rest.npos);
  if ((first > 0 && !sign) || !decimals || end - first < kLeast) return number;
  for (std::size_t at = end; at > first + 3; at -= 3)
    number.insert(at - 3, ",");
  return number;
}

std::string shownFixed(double value, int digits) {
  constexpr int kMostOfPower = 3;  // most decimals before a power of ten
  const std::string text = formatFixed(value, digits);
  const std::size_t power = text.find('e');
  if (power == std::string::npos || !std::isfinite(value)) return withMinus(text);
  const std::string shorter = digits <= kMostOfPower ? text : formatFixed(value, kMostOfPower);
  const std::size_t e = shorter.find('e');
  return withMinus(shorter.substr(0, e)) + "\u00b710" + raised(std::stoi(shorter.substr(e + 1)));
}

std::string shownPower(double value) {
  if (value == 0 || !std::isfinite(value)) return shownFixed(value, 1);
  int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  double mantissa = value / std::pow(10.0, exponent);
  if (std::abs(mantissa) >= 9.95) {
    mantissa /= 10;
    ++exponent;
  }
  return shownFixed(mantissa, 1) + "\u00b710" + raised(exponent);
}

std::string shownProbability(double value, int digits) {
  const double last = 0.5 * std::pow(10.0, -digits);
  if (value < 1 && 1 - value < last) return "1 \u2212 " + shownPower(1 - value);
  if (value > 0 && value < last) return shownPower(value);
  return shownFixed(value, digits);
}

std::string shownShare(double share) {
  if (share < 1 && 1 - share < 0.0005) return tr(N_("all but ")) + shownPower(1 - share);
  if (share > 0 && share < 0.0005) return shownPower(share);
  return shownFixed(100 * share, 1) + " %";
}

std::string countText(double count) {
  struct Unit {
    double size;
    const char* name;
  };
  for (const Unit& unit : {Unit{1e9, " B"}, Unit{1e6, " M"}, Unit{1e3, " k"}}) {
    if (count < unit.size) continue;
    const double shown = count / unit.size;
    return shownFixed(shown, shown < 10 ? 2 : shown < 100 ? 1 : 0) + unit.name;
  }
  return fmt::format("{:.0f}", count);
}

std::string formatReading(double value) {
  if (!std::isfinite(value)) return "–";
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-3 || size >= 1e6)) return (value < 0 ? "−" : "") + shownPower(size);
  const int digits = size == 0 ? 0 : std::max(0, 3 - static_cast<int>(std::floor(std::log10(size))));
  return shownFixed(value, digits);
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Rounds in decimal text first, so that what is shown never says more than it has. Pure.
#include "ui/properties/number_words.h"

#include <algorithm>
#include <cmath>

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

}  // namespace

std::string withMinus(std::string text) {
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at))
    text.replace(at, 1, "\u2212");
  return text;
}

std::string shownFixed(double value, int digits) {
  return withMinus(formatFixed(value, digits));
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

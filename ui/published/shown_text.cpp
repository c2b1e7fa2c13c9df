// SPDX-License-Identifier: Apache-2.0
#include "ui/published/shown_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <utility>

#include "ui/properties/number_words.h"

namespace sepx::ui {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kGreek{{{"alpha", "α"},
                                                                                {"beta", "β"},
                                                                                {"epsilon", "ε"},
                                                                                {"eta", "η"},
                                                                                {"pi", "π"},
                                                                                {"sigma", "σ"},
                                                                                {"theta", "θ"},
                                                                                {"Gamma", "Γ"},
                                                                                {"Sigma", "Σ"},
                                                                                {"Theta", "Θ"}}};
constexpr std::array<std::string_view, 10> kLowered{"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};

bool isLetterAt(std::string_view text, std::size_t at) {
  return at < text.size() && std::isalpha(static_cast<unsigned char>(text[at])) != 0;
}
bool isDigitAt(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}
/// Whether the name of a letter may begin at `at`: after a blank, a bracket, an operator or a digit, not within a word,
/// a path or a key.
bool mayBeginSymbol(std::string_view text, std::size_t at) {
  if (at == 0) return true;
  const char before = text[at - 1];
  if (before == '-') return at == 1 || text[at - 2] == ' ' || text[at - 2] == '(';
  return std::string_view(" (,=/|").find(before) != std::string_view::npos || isDigitAt(text, at - 1);
}

/// Whether the name of a letter may end before `end`: not in "sigma.json" or "beta-test".
bool mayEndSymbol(std::string_view text, std::size_t end) {
  if (isDigitAt(text, end)) return false;
  return end >= text.size() || (text[end] != '.' && text[end] != '-') || !isLetterAt(text, end + 1);
}

}  // namespace

std::string shownText(std::string_view text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (isLetterAt(text, end))
      ++end;
    const auto letter = std::find_if(kGreek.begin(), kGreek.end(),
                                     [name = text.substr(at, end - at)](const auto& one) { return one.first == name; });
    const bool index = isDigitAt(text, end) && !isLetterAt(text, end + 1);
    const bool whole = mayBeginSymbol(text, at) && mayEndSymbol(text, end + (index ? 1 : 0));
    if (letter != kGreek.end() && whole) {
      if (shown.ends_with('-')) shown.replace(shown.size() - 1, 1, "−");
      shown += letter->second;
      if (index) shown += kLowered[static_cast<std::size_t>(text[end++] - '0')];
    } else if (end > at) {
      shown += text.substr(at, end - at);
    } else if (text.substr(at).starts_with("^2") && !isDigitAt(text, at + 2)) {
      shown += "²";
      end = at + 2;
    } else {
      shown += text[end++];
    }
    at = end;
  }
  return withShownNumbers(shown);
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Texts of the engine for the user: English here, translated where they are shown (ui/properties/tr.h). Any thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

/// Marks a text that is translated where it is shown.
#define N_(text) text

namespace sepx {

/// A text with placeholders: the pattern is translated, then each {} is replaced by a value.
struct Sentence {
  Sentence() = default;
  Sentence(const char* text, std::vector<std::string> in = {}) : pattern(text), values(std::move(in)) {}
  const char* pattern = "";
  std::vector<std::string> values;
};
/// Formats the values now; the pattern is translated later.
template <class... Values>
Sentence sentence(const char* pattern, const Values&... values) {
  return {pattern, {fmt::format("{}", values)...}};
}

}  // namespace sepx

// SPDX-License-Identifier: Apache-2.0
// Selects the plural form for a number from the "Plural-Forms" line of a catalogue, a C expression in n. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::ui {

class PluralRule {
 public:
  /// The rule of English: one form for 1, another for the rest.
  PluralRule() = default;
  /// Parses "nplurals=2; plural=(n != 1);". BadInput with the part that is not understood; an expression has at most
  /// 200 parts.
  static Result<PluralRule> parse(std::string_view line);

  std::size_t forms() const { return forms_; }
  /// The index of the form for n, from 0 to forms() - 1; 0 if the result of the expression is outside this range.
  std::size_t formOf(std::uint64_t n) const;

 private:
  enum class Operation {
    Number,
    N,
    Not,
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessEqual,
    More,
    MoreEqual,
    Plus,
    Minus,
    Times,
    Divided,
    Rest,
    Choice
  };
  struct Part {
    Operation operation = Operation::Number;
    std::uint64_t number = 0;
    std::size_t a = 0, b = 0, c = 0;  ///< indices of the operands in parts_
  };
  class Reader;
  std::uint64_t value(std::size_t part, std::uint64_t n) const;

  std::vector<Part> parts_;  ///< the last one is the whole expression; empty: English
  std::size_t forms_ = 2;
};

}  // namespace sepx::ui

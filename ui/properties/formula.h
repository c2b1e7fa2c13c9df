// SPDX-License-Identifier: Apache-2.0
// Parses formulas in a small subset of TeX's markup into a tree: \frac{a}{b} x_n^2 \sqrt{x} \sum_{i=1}^n \int_a^b
// \left( \right) \begin{cases} a & b \\ c & d \end{cases} \hat{x} \bar{x} \mathrm{word} \text{two words} \mathbf{x}
// \log \alpha \le \quad; lines end with \\, and & marks where they are aligned. Unicode letters and symbols stand for
// themselves. formula_layout.h lays the tree out. Pure; any thread. Any markup is safe: nesting and length are limited,
// so that it cannot exhaust the stack.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace sepx::ui {

struct FormulaNode;

class Formula {
 public:
  /// Usage with the position (bytes from 0) and the reason for an invalid formula.
  static Result<Formula> parse(std::string_view markup);
  /// One line of plain text to read aloud or paste: "L = (a + b)/2".
  std::string plainText() const;
  const FormulaNode& root() const { return *root_; }

 private:
  std::shared_ptr<const FormulaNode> root_;
};

/// Converts text with formulas between dollar signs to plain text. A part that is not a valid formula stays as written.
std::string plainOfMixed(std::string_view text);

/// A number in the markup of formulas: at most `digits` decimals without trailing zeros, U+2212 as the minus sign, a
/// power of ten if the decimals would all be zero.
std::string formulaNumber(double value, int digits = 6);
/// The same with exactly `digits` decimals.
std::string formulaFixed(double value, int digits = 6);
/// The same in parentheses if negative, for a factor or for a summand after a sign.
std::string formulaFactor(double value, int digits = 6);

}  // namespace sepx::ui

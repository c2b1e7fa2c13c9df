// SPDX-License-Identifier: Apache-2.0
// Formulas in a small part of TeX's markup, as a tree: \frac{a}{b} x_n^2 \sqrt{x} \sum_{i=1}^n \int_a^b \left( \right)
// \begin{cases} a & b \\ c & d \end{cases} \hat{x} \bar{x} \mathrm{word} \text{two words} \mathbf{x} \log \alpha \le
// \quad; lines end with \\, and & marks where they are aligned. Unicode letters and signs stand for themselves.
// formula_layout.h sets it. Pure; any thread. No markup crashes it or nests deeper than a stack allows.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace sepx::ui {

struct FormulaNode;

class Formula {
 public:
  /// Usage with the place (bytes from 0) and what is wrong there.
  static Result<Formula> parse(std::string_view markup);
  /// One line a person can read aloud or paste: "L = (a + b)/2".
  std::string plainText() const;
  const FormulaNode& root() const { return *root_; }

 private:
  std::shared_ptr<const FormulaNode> root_;
};

/// Text with formulas between dollar signs, as plain text. A part that is not a formula stays as written.
std::string plainOfMixed(std::string_view text);

/// A number as formulas show it: at most `digits` decimals without zeros at the end, real minus sign, powers of ten
/// where decimals would show nothing.
std::string formulaNumber(double value, int digits = 6);
/// The same with exactly `digits` decimals.
std::string formulaFixed(double value, int digits = 6);
/// In parentheses when negative: a factor or a summand behind a sign.
std::string formulaFactor(double value, int digits = 6);

}  // namespace sepx::ui

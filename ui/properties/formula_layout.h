// SPDX-License-Identifier: Apache-2.0
// Sets a formula: where each glyph and rule stands, by TeX's rules with the constants of the font's MATH table.
// Knows no renderer: glyphs are numbers of FormulaFont. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "ui/properties/formula.h"
#include "ui/properties/formula_font.h"

namespace sepx::ui {

/// A glyph of `size` units per em whose pen stands at x, y; y grows downwards from the first line's baseline.
struct FormulaGlyph {
  std::uint32_t glyph = 0;
  double size = 0;
  double x = 0, y = 0;
};
struct FormulaRule {
  double x = 0, y = 0, width = 0, height = 0;  ///< y: upper edge
  int continues = -1;                          ///< the glyph (a root's) whose upper right corner it goes on from
};

struct FormulaBox {
  double width = 0, ascent = 0, descent = 0;  ///< descent of all lines, below the first baseline
  std::vector<FormulaGlyph> glyphs;
  std::vector<FormulaRule> rules;
  double height() const { return ascent + descent; }
};

struct FormulaLayout {
  double size = 16;     ///< units per em
  double maxWidth = 0;  ///< lines that are longer break at relations and signs; 0: never
  bool display = true;  ///< a formula of its own; false: within a line of words
};

FormulaBox layOut(const Formula& formula, const FormulaFont& font, const FormulaLayout& wishes);

}  // namespace sepx::ui

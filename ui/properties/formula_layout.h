// SPDX-License-Identifier: Apache-2.0
// Lays out a formula: computes the position of each glyph and rule by TeX's rules with the constants of the font's MATH
// table. Independent of any renderer: glyphs are glyph numbers of FormulaFont. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "ui/properties/formula.h"
#include "ui/properties/formula_font.h"

namespace sepx::ui {

/// A glyph of `size` units per em with its pen position at x, y; y grows downwards from the baseline of the first line.
struct FormulaGlyph {
  std::uint32_t glyph = 0;
  double size = 0;
  double x = 0, y = 0;
};
struct FormulaRule {
  double x = 0, y = 0, width = 0, height = 0;  ///< y: upper edge
  int continues = -1;                          ///< glyph (a root) whose upper right corner it continues; -1: none
};

struct FormulaBox {
  double width = 0, ascent = 0, descent = 0;  ///< descent of all lines, below the first baseline
  std::vector<FormulaGlyph> glyphs;
  std::vector<FormulaRule> rules;
  double height() const { return ascent + descent; }
};

struct FormulaLayout {
  double size = 16;     ///< units per em
  double maxWidth = 0;  ///< longer lines break at relations and operators; 0: never
  bool display = true;  ///< on a line of its own; false: within a line of text
};

FormulaBox layOut(const Formula& formula, const FormulaFont& font, const FormulaLayout& options);

}  // namespace sepx::ui

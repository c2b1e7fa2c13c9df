// SPDX-License-Identifier: Apache-2.0
// Measures of the font that formulas are set in, DejaVu Math TeX Gyre: extents of glyphs, its table of typographic
// constants (OpenType MATH) and the larger forms of brackets, roots and sums. Found through fontconfig, read by
// HarfBuzz. Lengths in em, upwards positive. Immutable once made; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"

namespace sepx::ui {

class FormulaFont {
 public:
  /// Found once per process; BadInput names the package to install where the font is missing.
  static const Result<FormulaFont>& shared();

  const std::string& path() const;
  int index() const;  ///< of the face within the file

  /// Glyph number; 0 when the font does not have the character.
  std::uint32_t glyph(char32_t code) const;
  struct Extent {
    double advance = 0, left = 0, right = 0, ascent = 0, descent = 0;  ///< of the ink; descent positive downwards
    double italic = 0;                                                 ///< by how far the top leans out to the right
    double accent = 0;                                                 ///< where an accent's middle goes
  };
  Extent extent(std::uint32_t glyph) const;

  struct Constants {
    double script, scriptScript;  ///< type size of scripts, share of the text's
    double axis, displayOperator;
    double subscriptDown, subscriptTop, subscriptDrop;
    double superscriptUp, superscriptBottom, superscriptDrop;
    double scriptGap, superscriptBottomWithSub, afterScript;
    double upperGap, upperRise, lowerGap, lowerDrop;  ///< limits
    double numeratorUp, numeratorUpDisplay, denominatorDown, denominatorDownDisplay;
    double fractionGap, fractionGapDisplay, fractionRule;
    double overGap, overRule;
    double rootGap, rootGapDisplay, rootRule, rootAbove, degreeBefore, degreeAfter, degreeRaise;
    double accentBase;  ///< height up to which an accent stays where it is
  };
  const Constants& constants() const;

  /// A bracket as tall as `extent` em or, where the font has none, the tallest it can build: one form, or parts from
  /// the bottom up.
  struct Piece {
    std::uint32_t glyph;
    double rise;  ///< of the glyph's baseline over the whole's lower edge
  };
  struct Grown {
    std::vector<Piece> pieces;
    double advance = 0, height = 0;
  };
  Grown grow(std::uint32_t glyph, double extent) const;

  struct Impl;

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace sepx::ui

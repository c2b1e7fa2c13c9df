// SPDX-License-Identifier: Apache-2.0
// Metrics of the font in which formulas are set, DejaVu Math TeX Gyre: extents of glyphs, its table of typographic
// constants (OpenType MATH) and the larger forms of brackets, roots and sums. The font is found through fontconfig and
// read by HarfBuzz. Lengths in em, upwards positive. Immutable after construction; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"

namespace sepx::ui {

class FormulaFont {
 public:
  /// The font, loaded once per process. BadInput names the package to install if the font is missing.
  static const Result<FormulaFont>& shared();

  const std::string& path() const;
  int index() const;  ///< of the face within the file

  /// Glyph number; 0 when the font does not have the character.
  std::uint32_t glyph(char32_t code) const;
  struct Extent {
    double advance = 0, left = 0, right = 0, ascent = 0, descent = 0;  ///< of the ink; descent positive downwards
    double italic = 0;                                                 ///< distance by which the top leans to the right
    double accent = 0;                                                 ///< x at which an accent is centred
  };
  Extent extent(std::uint32_t glyph) const;

  struct Constants {
    double script, scriptScript;  ///< type size of scripts, as a share of the text's
    double axis, displayOperator;
    double subscriptDown, subscriptTop, subscriptDrop;
    double superscriptUp, superscriptBottom, superscriptDrop;
    double scriptGap, superscriptBottomWithSub, afterScript;
    double upperGap, upperRise, lowerGap, lowerDrop;  ///< limits
    double numeratorUp, numeratorUpDisplay, denominatorDown, denominatorDownDisplay;
    double fractionGap, fractionGapDisplay, fractionRule;
    double overGap, overRule;
    double rootGap, rootGapDisplay, rootRule, rootAbove, degreeBefore, degreeAfter, degreeRaise;
    double accentBase;  ///< base height up to which an accent is not raised
  };
  const Constants& constants() const;

  /// One glyph of a larger form.
  struct Piece {
    std::uint32_t glyph;
    double rise;  ///< height of the glyph's baseline above the lower edge of the whole form
  };
  struct Grown {
    std::vector<Piece> pieces;
    double advance = 0, height = 0;
  };
  /// A form of a bracket that is at least `extent` em tall, or the tallest that the font can build: one glyph, or parts
  /// from the bottom up.
  Grown grow(std::uint32_t glyph, double extent) const;

  struct Impl;

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The class that lays out formulas, private to formula_layout.cpp and formula_setter.cpp. It has one function for each
// kind of node. Each returns a box with its reference point on the baseline.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "ui/properties/formula_layout.h"
#include "ui/properties/formula_nodes.h"

namespace sepx::ui::formula {

enum class Style { Display, Text, Script, ScriptScript };

inline constexpr double kMu = 1.0 / 18;                        ///< em
inline constexpr double kScript = 0.73, kScriptScript = 0.58;  ///< the font's larger values crowd small type

/// Adds `part` to `box` with its reference point at x, y.
void put(FormulaBox& box, const FormulaBox& part, double x, double y);

class Setter {
 public:
  Setter(const FormulaFont& font, double size) : font_(font), c_(font.constants()), size_(size) {}

  FormulaBox lines(const FormulaNode& root, Style style, double maxWidth);

 private:
  struct Atom {
    FormulaBox box;
    AtomClass atom = AtomClass::Ord;
    bool space = false, product = false;
  };

  double em(Style style) const {
    return size_ * (style == Style::Script         ? std::min(c_.script, kScript)
                    : style == Style::ScriptScript ? std::min(c_.scriptScript, kScriptScript)
                                                   : 1);
  }

  FormulaBox character(std::uint32_t glyph, Style style) const;
  FormulaBox node(const FormulaNode& one, Style style) const;
  FormulaBox row(const std::vector<FormulaNode>& children, Style style) const;
  std::vector<Atom> atoms(const std::vector<FormulaNode>& children, Style style, bool continued) const;
  double between(AtomClass left, AtomClass right, Style style) const;
  FormulaBox join(const std::vector<Atom>& atoms, Style style, std::size_t from, std::size_t to) const;
  std::size_t breakBefore(const std::vector<Atom>& all, Style style, std::size_t from, double room) const;
  /// `atoms` in lines of at most `width`; all lines after the first begin at `indent`.
  std::vector<FormulaBox> broken(std::vector<Atom> atoms, Style style, double width, double indent) const;

  FormulaBox word(const FormulaNode& one, Style style) const;
  std::vector<char32_t> letters(const std::string& words) const;
  FormulaBox large(const FormulaNode& one, Style style) const;
  FormulaBox grown(std::uint32_t glyph, double height, Style style) const;
  FormulaBox scripts(const FormulaNode& one, Style style) const;
  FormulaBox limits(const FormulaNode& one, Style style) const;
  FormulaBox fraction(const FormulaNode& one, Style style) const;
  FormulaBox root(const FormulaNode& one, Style style) const;
  FormulaBox fence(const FormulaNode& one, Style style) const;
  FormulaBox accent(const FormulaNode& one, Style style) const;
  FormulaBox grid(const FormulaNode& one, Style style) const;

  const FormulaFont& font_;
  const FormulaFont::Constants& c_;
  double size_;
};

}  // namespace sepx::ui::formula

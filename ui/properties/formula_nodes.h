// SPDX-License-Identifier: Apache-2.0
// The tree of a formula and its letters, shared by the files that parse formulas, lay them out and convert them to text
// or MathML, and by those that draw symbols. Plain data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sepx::ui {

/// TeX's classes of atoms, which determine the space between two neighbours.
enum class AtomClass { Ord, Op, Bin, Rel, Open, Close, Punct, Inner };

struct FormulaNode {
  enum class Kind {
    Row,       ///< children side by side
    Glyph,     ///< `code`
    Word,      ///< `text` upright: a function's name, \mathrm, \text
    Space,     ///< `amount` em
    Scripts,   ///< children: base, subscript, superscript; the scripts may be empty rows
    Fraction,  ///< children: numerator, denominator
    Root,      ///< children: radicand, then a degree if there is one
    Fence,     ///< children[0] between the delimiters `code` and `closing` (0: none), which grow with its height
    Accent,    ///< `code` above children[0]; 0: a line
    Grid,      ///< rows of cells: children are rows, their children cells; `cases`: a brace at the left
  };
  Kind kind = Kind::Row;
  AtomClass atom = AtomClass::Ord;
  char32_t code = 0, closing = 0;
  std::string text;
  double amount = 0;
  bool large = false;   ///< a sum, product or integral: larger in displayed formulas
  bool limits = false;  ///< its scripts are placed below and above it
  bool cases = false;
  std::vector<FormulaNode> children;
};

inline bool isLetter(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
inline bool isDigit(char32_t c) {
  return c >= '0' && c <= '9';
}

/// What a command or character denotes.
struct FormulaSymbol {
  const char* name;  ///< of the command, without the backslash
  char32_t code;
  AtomClass atom;
};
/// By command name ("alpha"); null if there is none.
const FormulaSymbol* formulaSymbol(std::string_view name);
/// By the character itself; null if there is none.
const FormulaSymbol* formulaSymbol(char32_t code);
/// Whether `name` is a function that is set upright ("log").
bool isFormulaFunction(std::string_view name);

/// Mathematical italic of Latin and small Greek letters; other characters unchanged.
char32_t slanted(char32_t code);
char32_t boldUpright(char32_t code);
char32_t calligraphic(char32_t code);
char32_t doubleStruck(char32_t code);
/// The inverse of the four functions above: a letter that every font has, for plain text.
char32_t plainLetter(char32_t code);

}  // namespace sepx::ui

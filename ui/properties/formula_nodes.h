// SPDX-License-Identifier: Apache-2.0
// The tree of a formula and its letters, shared by parser, plain text, layout and symbols.cpp; nobody else includes it.
// Plain data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sepx::ui {

/// TeX's classes of atoms: they decide the space between two neighbours.
enum class AtomClass { Ord, Op, Bin, Rel, Open, Close, Punct, Inner };

struct FormulaNode {
  enum class Kind {
    Row,       ///< children one after the other
    Glyph,     ///< `code`
    Word,      ///< `text` upright: a function's name, \mathrm, \text
    Space,     ///< `amount` em
    Scripts,   ///< children[0] base; then the subscript and the superscript, each may be an empty row
    Fraction,  ///< children: numerator, denominator
    Root,      ///< children: radicand, then a degree if there is one
    Fence,     ///< children[0] between the delimiters `code` and `closing` (0: none), which grow with it
    Accent,    ///< `code` above children[0]; 0: a line
    Grid,      ///< rows of cells: children are rows, their children cells; `cases`: a brace at the left
  };
  Kind kind = Kind::Row;
  AtomClass atom = AtomClass::Ord;
  char32_t code = 0, closing = 0;
  std::string text;
  double amount = 0;
  bool large = false;   ///< a sum or an integral: larger in displayed formulas
  bool limits = false;  ///< its scripts stand below and above
  bool cases = false;
  std::vector<FormulaNode> children;
};

inline bool isLetter(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
inline bool isDigit(char32_t c) {
  return c >= '0' && c <= '9';
}

/// What a command or a character stands for.
struct FormulaSymbol {
  const char* name;  ///< of the command, without the backslash
  char32_t code;
  AtomClass atom;
};
/// By command name ("alpha"), null when there is none.
const FormulaSymbol* formulaSymbol(std::string_view name);
/// By the character itself.
const FormulaSymbol* formulaSymbol(char32_t code);
/// Whether the name is that of a function that stands upright ("log").
bool isFormulaFunction(std::string_view name);

/// Letters as mathematics slants them: Latin and small Greek italic; others as they are.
char32_t slanted(char32_t code);
char32_t boldUpright(char32_t code);
char32_t calligraphic(char32_t code);
char32_t doubleStruck(char32_t code);
/// The reverse of the four: a letter that every font has, for plain text.
char32_t plainLetter(char32_t code);

}  // namespace sepx::ui

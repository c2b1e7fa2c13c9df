// SPDX-License-Identifier: Apache-2.0
// Finds the symbols in texts. A text contains them in a form that can be typed and read aloud, "W_qk", "β_ij",
// "Y_{A,B}", "x_j^T", "σ₁": one letter with scripts. Whatever draws a text typesets them: the letter slanted, the
// script smaller and lower or higher. Keys, scripts and names for screen readers keep the plain text. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sepx::ui {

/// A piece of a text that is drawn in one size on one line.
struct SymbolRun {
  enum class Script { None, Below, Above };
  std::string text;
  Script script = Script::None;
  bool slanted = false;  ///< set in mathematical italic
  double back = 0;       ///< em of the text: a subscript begins this far before the end of a slanted letter
};

/// Scripts: type size as a share of the text's, and how far the baseline moves, in em of the text.
inline constexpr double kSymbolScript = 0.73, kSymbolBelow = 0.13, kSymbolAbove = 0.34;

/// Splits a text into pieces in order; one piece if it contains no symbol. A script is in braces, or it consists of one
/// or two letters and digits, or it is a word that names a case ("model", "rev", "star"). Names of files and fields
/// ("q_proj.weight", "x_scale") are therefore unchanged.
std::vector<SymbolRun> symbolRuns(std::string_view text);
/// Whether symbolRuns() has more than one piece.
bool containsSymbols(std::string_view text);

/// Replaces Latin and small Greek letters by their mathematical italic.
std::string slantedLetters(std::string_view text);
/// For a name that is a symbol or an expression of symbols ("e", "|cos(v₁, e)|"), replaces each single letter by its
/// italic. A name that contains words is unchanged. Letters with scripts are left to symbolRuns().
std::string slantedName(std::string_view name);

}  // namespace sepx::ui

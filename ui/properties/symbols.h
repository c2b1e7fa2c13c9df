// SPDX-License-Identifier: Apache-2.0
// Symbols within texts. A text holds them in a form that can be typed and read aloud, "W_qk", "β_ij", "Y_{A,B}",
// "x_j^T", "σ₁": one letter with a script. What draws a text sets them: the letter slanted, the script smaller and
// lower or higher. Keys, scripts and names for screen readers keep the text as it is. Pure; any thread.
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
  bool slanted = false;  ///< its letters are those of symbols
  double back = 0;       ///< em of the text: a script below a letter that leans begins so much before the letter's end
};

/// Of scripts: type size as a share of the text's, and how far the baseline moves, em of the text.
inline constexpr double kSymbolScript = 0.73, kSymbolBelow = 0.13, kSymbolAbove = 0.34;

/// The text in pieces, in their order; one piece where it holds no symbol. A script is in braces, or it is one or two
/// letters and digits, or one of the words that name a case ("model", "rev", "star"); so names of files and fields
/// ("q_proj.weight", "x_scale") stay as they are.
std::vector<SymbolRun> symbolRuns(std::string_view text);
/// Whether symbolRuns() has more than one piece.
bool holdsSymbols(std::string_view text);

/// The slanted letters of mathematics in place of the Latin and small Greek ones.
std::string slantedLetters(std::string_view text);
/// A name that is a symbol or an expression of them ("e", "|cos(v₁, e)|") with each letter that stands alone slanted;
/// a name with words in it as it is. Letters with scripts are left to symbolRuns().
std::string slantedName(std::string_view name);

}  // namespace sepx::ui

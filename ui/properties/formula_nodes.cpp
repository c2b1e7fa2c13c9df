// SPDX-License-Identifier: Apache-2.0
// Tables of the command names and characters of formulas. Code points: Unicode, "Mathematical Alphanumeric Symbols".
#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "ui/properties/formula_nodes.h"

namespace sepx::ui {
namespace {

using enum AtomClass;

constexpr std::array kSymbols = std::to_array<FormulaSymbol>({
    {"alpha", 0x3B1, Ord},    {"beta", 0x3B2, Ord},        {"gamma", 0x3B3, Ord},
    {"delta", 0x3B4, Ord},    {"varepsilon", 0x3B5, Ord},  {"zeta", 0x3B6, Ord},
    {"eta", 0x3B7, Ord},      {"theta", 0x3B8, Ord},       {"iota", 0x3B9, Ord},
    {"kappa", 0x3BA, Ord},    {"lambda", 0x3BB, Ord},      {"mu", 0x3BC, Ord},
    {"nu", 0x3BD, Ord},       {"xi", 0x3BE, Ord},          {"pi", 0x3C0, Ord},
    {"rho", 0x3C1, Ord},      {"sigma", 0x3C3, Ord},       {"tau", 0x3C4, Ord},
    {"upsilon", 0x3C5, Ord},  {"varphi", 0x3C6, Ord},      {"chi", 0x3C7, Ord},
    {"psi", 0x3C8, Ord},      {"omega", 0x3C9, Ord},       {"epsilon", 0x3F5, Ord},
    {"phi", 0x3D5, Ord},      {"Gamma", 0x393, Ord},       {"Delta", 0x394, Ord},
    {"Theta", 0x398, Ord},    {"Lambda", 0x39B, Ord},      {"Xi", 0x39E, Ord},
    {"Pi", 0x3A0, Ord},       {"Sigma", 0x3A3, Ord},       {"Phi", 0x3A6, Ord},
    {"Psi", 0x3A8, Ord},      {"Omega", 0x3A9, Ord},       {"infty", 0x221E, Ord},
    {"partial", 0x2202, Ord}, {"nabla", 0x2207, Ord},      {"ell", 0x2113, Ord},
    {"prime", 0x2032, Ord},   {"emptyset", 0x2205, Ord},   {"forall", 0x2200, Ord},
    {"exists", 0x2203, Ord},  {"top", 0x22A4, Ord},        {"ldots", 0x2026, Inner},
    {"cdots", 0x22EF, Inner}, {"minus", 0x2212, Bin},      {"plus", 0x2B, Bin},
    {"pm", 0xB1, Bin},        {"mp", 0x2213, Bin},         {"times", 0xD7, Bin},
    {"cdot", 0x22C5, Bin},    {"ast", 0x2217, Bin},        {"star", 0x22C6, Ord},
    {"cup", 0x222A, Bin},     {"cap", 0x2229, Bin},        {"setminus", 0x2216, Bin},
    {"wedge", 0x2227, Bin},   {"vee", 0x2228, Bin},        {"equal", 0x3D, Rel},
    {"lt", 0x3C, Rel},        {"gt", 0x3E, Rel},           {"le", 0x2264, Rel},
    {"ge", 0x2265, Rel},      {"ne", 0x2260, Rel},         {"approx", 0x2248, Rel},
    {"equiv", 0x2261, Rel},   {"sim", 0x223C, Rel},        {"propto", 0x221D, Rel},
    {"ll", 0x226A, Rel},      {"gg", 0x226B, Rel},         {"in", 0x2208, Rel},
    {"notin", 0x2209, Rel},   {"subset", 0x2282, Rel},     {"to", 0x2192, Rel},
    {"mapsto", 0x21A6, Rel},  {"Rightarrow", 0x21D2, Rel}, {"Leftrightarrow", 0x21D4, Rel},
    {"mid", 0x2223, Rel},     {"perp", 0x22A5, Rel},       {"colon", 0x3A, Punct},
    {"langle", 0x27E8, Open}, {"rangle", 0x27E9, Close},   {"lbrace", 0x7B, Open},
    {"rbrace", 0x7D, Close},  {"lfloor", 0x230A, Open},    {"rfloor", 0x230B, Close},
    {"Vert", 0x2016, Ord},    {"vert", 0x7C, Ord},         {"sum", 0x2211, Op},
    {"prod", 0x220F, Op},     {"int", 0x222B, Op},
});

constexpr std::array<std::string_view, 16> kFunctions{"log", "exp", "sin", "cos", "tan", "max", "min", "inf",
                                                      "sup", "arg", "lim", "sgn", "Pr",  "erf", "tr",  "asinh"};

constexpr char32_t kItalicA = 0x1D434, kItalicSmallA = 0x1D44E, kItalicAlpha = 0x1D6FC;
constexpr char32_t kBoldA = 0x1D400, kBoldSmallA = 0x1D41A, kScriptA = 0x1D49C, kDoubleA = 0x1D538;

}  // namespace

const FormulaSymbol* formulaSymbol(std::string_view name) {
  const auto at =
      std::find_if(kSymbols.begin(), kSymbols.end(), [&](const FormulaSymbol& one) { return one.name == name; });
  return at == kSymbols.end() ? nullptr : &*at;
}

const FormulaSymbol* formulaSymbol(char32_t code) {
  if (code == '-') code = 0x2212;
  if (code == '*') code = 0x2217;
  if (code == 0xB7) code = 0x22C5;
  const auto at =
      std::find_if(kSymbols.begin(), kSymbols.end(), [&](const FormulaSymbol& one) { return one.code == code; });
  return at == kSymbols.end() ? nullptr : &*at;
}

bool isFormulaFunction(std::string_view name) {
  return std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end();
}

char32_t slanted(char32_t code) {
  if (code == 'h') return 0x210E;  // its code point in the block is unassigned
  if (code >= 'A' && code <= 'Z') return kItalicA + (code - 'A');
  if (code >= 'a' && code <= 'z') return kItalicSmallA + (code - 'a');
  if (code >= 0x3B1 && code <= 0x3C9) return kItalicAlpha + (code - 0x3B1);
  if (code == 0x3F5) return 0x1D716;  // epsilon
  if (code == 0x3D5) return 0x1D719;  // phi
  return code;
}

char32_t boldUpright(char32_t code) {
  if (code >= 'A' && code <= 'Z') return kBoldA + (code - 'A');
  if (code >= 'a' && code <= 'z') return kBoldSmallA + (code - 'a');
  if (code >= '0' && code <= '9') return 0x1D7CE + (code - '0');
  return code;
}

namespace {

/// Maps a capital letter to a block that begins at `first`. `outside` lists the letters that Unicode encodes outside
/// the block, because they are older than it.
char32_t inBlock(char32_t code, char32_t first, std::initializer_list<std::pair<char32_t, char32_t>> outside) {
  for (const auto& [letter, at] : outside)
    if (letter == code) return at;
  return code >= 'A' && code <= 'Z' ? first + (code - 'A') : code;
}

}  // namespace

char32_t calligraphic(char32_t code) {
  return inBlock(code, kScriptA,
                 {{'B', 0x212C},
                  {'E', 0x2130},
                  {'F', 0x2131},
                  {'H', 0x210B},
                  {'I', 0x2110},
                  {'L', 0x2112},
                  {'M', 0x2133},
                  {'R', 0x211B}});
}

char32_t doubleStruck(char32_t code) {
  return inBlock(code, kDoubleA,
                 {{'C', 0x2102},
                  {'H', 0x210D},
                  {'N', 0x2115},
                  {'P', 0x2119},
                  {'Q', 0x211A},
                  {'R', 0x211D},
                  {'Z', 0x2124},
                  {'1', 0x1D7D9}});
}

char32_t plainLetter(char32_t code) {
  if (code < 0x2100) return code;
  for (char32_t letter = '0'; letter <= 0x3F5; ++letter) {
    for (const auto& style : {slanted, boldUpright, calligraphic, doubleStruck})
      if (style(letter) == code) return letter;
  }
  return code;
}

}  // namespace sepx::ui

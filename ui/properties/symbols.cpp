// SPDX-License-Identifier: Apache-2.0
// See symbols.h.
#include "ui/properties/symbols.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "engine/core/utf8.h"
#include "ui/properties/formula_font.h"
#include "ui/properties/formula_nodes.h"

namespace sepx::ui {

namespace {

using Codes = std::span<const char32_t>;

constexpr std::array<std::string_view, 17> kCases{"qk",      "model", "ff",     "fwd",  "rev",    "forward",
                                                  "reverse", "star",  "min",    "max",  "other",  "after",
                                                  "sad",     "tied",  "common", "gate", "uniform"};
/// Unicode's subscript characters, and the characters that they stand for.
constexpr std::u32string_view kLow = U"₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜ", kPlain = U"0123456789+−=()aeoxhklmnpst";

bool isGreek(char32_t code) {
  return (code >= 0x391 && code <= 0x3C9) || code == 0x3D5 || code == 0x3F5;
}
bool isSymbolLetter(char32_t code) {
  return isLetter(code) || isGreek(code);
}
bool isOfWord(char32_t code) {
  return isSymbolLetter(code) || isDigit(code);
}
/// Prime, hat, bar and tilde belong to the letter before them.
bool isMark(char32_t code) {
  return code == 0x2032 || (code >= 0x300 && code <= 0x304);
}
std::optional<char32_t> fromLow(char32_t code) {
  const std::size_t at = kLow.find(code);
  return at == std::u32string_view::npos ? std::nullopt : std::optional(kPlain[at]);
}

/// How far the top of a slanted letter leans over a subscript after it, em; 0 without the formula font.
double leanOf(char32_t letter) {
  const Result<FormulaFont>& font = FormulaFont::shared();
  const std::uint32_t glyph = font ? font->glyph(slanted(letter)) : 0;
  return glyph == 0 ? 0 : font->extent(glyph).italic;
}

std::string utf8(Codes codes) {
  std::string text;
  for (const char32_t code : codes)
    appendUtf8(text, code);
  return text;
}

class Splitter {
 public:
  explicit Splitter(Codes codes) : codes_(codes) {}

  std::vector<SymbolRun> runs() {
    for (std::size_t at = 0; at < codes_.size();) {
      const std::size_t end = symbol(at);
      if (end == at)
        ++at;
      else
        at = end;
    }
    plain(codes_.size());
    return std::move(runs_);
  }

 private:
  char32_t at(std::size_t i) const { return i < codes_.size() ? codes_[i] : 0; }

  void plain(std::size_t end) {
    if (end > done_) runs_.push_back({utf8(codes_.subspan(done_, end - done_)), SymbolRun::Script::None, false});
    done_ = end;
  }

  /// Whether a symbol may begin at `i`: not after a letter, a digit or a character of a path, unless it directly
  /// follows a symbol, or a symbol and '/' as in "α_rev/α_fwd".
  bool mayBegin(std::size_t i) const {
    if (!isSymbolLetter(at(i))) return false;
    if (i == 0 || i == symbolEnd_) return true;
    const char32_t before = at(i - 1);
    if (before == '/') return i - 1 == symbolEnd_ && symbolEnd_ > 0;
    return !isOfWord(before) && before != '_' && before != '.' && before != '-' && before != '\\' && before != '^';
  }

  /// Whether a symbol may end before `i`: not if a name continues there, as in "q_proj", "a_1.json".
  bool mayEnd(std::size_t i) const {
    const char32_t next = at(i);
    if (isOfWord(next) || next == '_') return false;
    return !((next == '.' || next == '-') && isOfWord(at(i + 1)));
  }

  /// The end of the script that begins at `i`, and its text; an empty optional if there is none.
  std::optional<std::pair<std::size_t, std::string>> script(std::size_t i) const {
    std::size_t end = i;
    if (at(i) == '{') {
      while (end < codes_.size() && at(end) != '}')
        ++end;
      if (end == i + 1 || end == codes_.size()) return std::nullopt;
      return std::pair(end + 1, utf8(codes_.subspan(i + 1, end - i - 1)));
    }
    while (isOfWord(at(end)) || at(end) == '*' || at(end) == 0x22C6)
      ++end;
    std::string word = utf8(codes_.subspan(i, end - i));
    const bool known = std::find(kCases.begin(), kCases.end(), word) != kCases.end();
    if (end == i || (end - i > 2 && !known)) return std::nullopt;
    if (word == "star" || word == "*") word = "⋆";
    return std::pair(end, std::move(word));
  }

  /// Adds the symbol that begins at `i` and returns its end; `i` if there is none.
  std::size_t symbol(std::size_t i) {
    if (!mayBegin(i)) return i;
    std::size_t end = i + 1;
    while (isMark(at(end)))
      ++end;
    const std::size_t letter = end;
    std::string below, above;
    if (at(end) == '_') {
      auto found = script(end + 1);
      if (!found) return i;
      std::tie(end, below) = std::move(*found);
    } else {
      for (std::optional<char32_t> low; (low = fromLow(at(end))); ++end)
        appendUtf8(below, *low);
    }
    if (at(end) == '^') {
      if (auto found = script(end + 1)) std::tie(end, above) = std::move(*found);
    }
    if (end == letter || !mayEnd(end)) return i;
    plain(i);
    runs_.push_back({utf8(codes_.subspan(i, letter - i)), SymbolRun::Script::None, true});
    const double lean = leanOf(codes_[i]);
    addScript(std::move(below), SymbolRun::Script::Below, lean);
    addScript(std::move(above), SymbolRun::Script::Above);
    done_ = symbolEnd_ = end;
    return end;
  }

  /// Indices are slanted, words are upright.
  void addScript(std::string text, SymbolRun::Script script, double back = 0) {
    if (text.empty()) return;
    const bool word = std::find(kCases.begin(), kCases.end(), text) != kCases.end() && text != "qk";
    runs_.push_back({std::move(text), script, !word, back});
  }

  Codes codes_;
  std::vector<SymbolRun> runs_;
  std::size_t done_ = 0, symbolEnd_ = 0;
};

/// A quick test for characters that every symbol contains, since most texts contain no symbols.
bool mayHoldSymbols(std::string_view text) {
  return text.find_first_of("_^") != std::string_view::npos || text.find("\xE2\x82") != std::string_view::npos;
}

}  // namespace

std::vector<SymbolRun> symbolRuns(std::string_view text) {
  if (!mayHoldSymbols(text)) return {{std::string(text), SymbolRun::Script::None, false}};
  const std::vector<char32_t> codes = decodeUtf8(text);
  return Splitter(codes).runs();
}

bool containsSymbols(std::string_view text) {
  return mayHoldSymbols(text) && symbolRuns(text).size() > 1;
}

std::string slantedLetters(std::string_view text) {
  std::string set;
  for (const char32_t code : decodeUtf8(text))
    appendUtf8(set, slanted(code));
  return set;
}

std::string slantedName(std::string_view name) {
  const std::vector<char32_t> codes = decodeUtf8(name);
  std::string set;
  for (std::size_t i = 0; i < codes.size();) {
    std::size_t end = i;
    while (end < codes.size() && isSymbolLetter(codes[end]))
      ++end;
    const Codes word(codes.data() + i, end - i);
    const bool script = i > 0 && (codes[i - 1] == '_' || codes[i - 1] == '^');
    if (word.size() > 1 && !script && !isFormulaFunction(utf8(word))) return std::string(name);
    const char32_t next = end < codes.size() ? codes[end] : 0;
    const bool alone = word.size() == 1 && !script && next != '_' && next != '^' && !isMark(next) && !fromLow(next);
    set += alone ? slantedLetters(utf8(word)) : utf8(word);
    if (word.empty()) appendUtf8(set, codes[end++]);
    i = end;
  }
  return set;
}

}  // namespace sepx::ui

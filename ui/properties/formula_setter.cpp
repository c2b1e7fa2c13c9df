// SPDX-License-Identifier: Apache-2.0
// Layout of the parts of formulas: words, scripts, limits, fractions, roots, brackets, accents, cases. Shifts and gaps
// are those of the OpenType MATH table, which restates those of TeX.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/core/utf8.h"
#include "ui/properties/formula_setter.h"
#include "ui/properties/tr.h"

namespace sepx::ui::formula {

using Box = FormulaBox;
using Node = FormulaNode;
using Kind = Node::Kind;

namespace {

constexpr double kLean = 0.07;             // em
constexpr double kThinRule = 0.058;        // em; the font's own rules look too heavy beside its letters on a screen
constexpr double kDelimiterShare = 0.901;  // the least share of its content that a bracket covers
constexpr double kDelimiterShort = 0.28;   // em by which a bracket may be shorter than its content
constexpr double kNullDelimiter = 0.12;    // em beside a fraction

Style scriptOf(Style style) {
  return style == Style::Display || style == Style::Text ? Style::Script : Style::ScriptScript;
}
Style textOf(Style style) {
  return style == Style::Display ? Style::Text : style;
}

}  // namespace

/// Words in a formula are translated if the font has all their letters.
std::vector<char32_t> Setter::letters(const std::string& words) const {
  std::vector<char32_t> translated = decodeUtf8(tr(words.c_str()));
  const bool all = std::ranges::all_of(translated, [this](char32_t c) { return c == ' ' || font_.glyph(c) != 0; });
  return all ? translated : decodeUtf8(words);
}

Box Setter::word(const Node& one, Style style) const {
  Box box;
  double x = 0;
  for (const char32_t code : letters(one.text)) {
    if (code == ' ') {
      x += 0.28 * em(style);
      box.width = x;
      continue;
    }
    const Box letter = character(font_.glyph(code == '-' ? U'\u2010' : code), style);
    put(box, letter, x, 0);
    x += letter.width;
  }
  box.width = x;
  return box;
}

/// A sum, product or integral, centred on the axis.
Box Setter::large(const Node& one, Style style) const {
  return grown(font_.glyph(one.code), style == Style::Display ? c_.displayOperator * em(style) : 0, style);
}

Box Setter::grown(std::uint32_t glyph, double height, Style style) const {
  const double size = em(style);
  const FormulaFont::Grown form = font_.grow(glyph, height / size);
  Box box;
  const double bottom = form.height * size / 2 - c_.axis * size;  // below the baseline
  for (const FormulaFont::Piece& piece : form.pieces)
    box.glyphs.push_back({piece.glyph, size, 0, bottom - piece.rise * size});
  box.width = form.advance * size;
  box.descent = bottom;
  box.ascent = form.height * size - bottom;
  return box;
}

Box Setter::scripts(const Node& one, Style style) const {
  const Node& base = one.children[0];
  const Style small = scriptOf(style);
  const double size = em(style);
  Box box = node(base, style);
  const double width = box.width;
  const bool single = base.kind == Kind::Glyph && !base.large;
  double italic = 0;
  if (base.kind == Kind::Glyph && !box.glyphs.empty()) italic = font_.extent(box.glyphs[0].glyph).italic * size;
  const bool hasSub = !one.children[1].children.empty();
  const Box sub = node(one.children[1], small);
  Box sup;
  // The font's prime is already raised, so it is set in the type size of its base.
  std::vector<Node> raised;
  double primes = 0;
  for (const Node& part : one.children[2].children) {
    if (part.kind != Kind::Glyph || part.code != 0x2032) {
      raised.push_back(part);
      continue;
    }
    const Box prime = node(part, style);
    put(box, prime, width + italic + primes, 0);
    primes += prime.width;
  }
  if (!raised.empty()) sup = row(raised, small);
  const bool hasSup = !raised.empty();
  double up = std::max(c_.superscriptUp * size, sup.descent + c_.superscriptBottom * size);
  double down = std::max(c_.subscriptDown * size, sub.ascent - c_.subscriptTop * size);
  if (!single) {
    up = std::max(up, box.ascent - c_.superscriptDrop * size);
    down = std::max(down, box.descent + c_.subscriptDrop * size);
  }
  if (hasSub && hasSup) {
    const double gap = (up - sup.descent) - (sub.ascent - down);
    if (gap < c_.scriptGap * size) {
      down += c_.scriptGap * size - gap;
      const double rise =
          std::min(c_.superscriptBottomWithSub * size - (up - sup.descent), down - c_.subscriptDown * size);
      if (rise > 0) {
        up += rise;
        down -= rise;
      }
    }
  }
  if (hasSup) put(box, sup, width + italic + primes, -up);
  const bool leaning = single && base.atom == AtomClass::Ord && base.code > 0x2100;  // free at its lower right
  if (hasSub) put(box, sub, base.large ? width - italic : leaning ? width - kLean * size : width, down);
  box.width += c_.afterScript * size * 0.5;
  return box;
}

Box Setter::limits(const Node& one, Style style) const {
  const Style small = scriptOf(style);
  const double size = em(style);
  const Box base = node(one.children[0], style);
  const Box below = node(one.children[1], small), above = node(one.children[2], small);
  const double width = std::max({base.width, below.width, above.width});
  Box box;
  put(box, base, (width - base.width) / 2, 0);
  if (!one.children[2].children.empty()) {
    const double rise = std::max(c_.upperRise * size, above.descent + c_.upperGap * size);
    put(box, above, (width - above.width) / 2, -(base.ascent + rise));
  }
  if (!one.children[1].children.empty()) {
    const double drop = std::max(c_.lowerDrop * size, below.ascent + c_.lowerGap * size);
    put(box, below, (width - below.width) / 2, base.descent + drop);
  }
  box.width = width;
  return box;
}

Box Setter::fraction(const Node& one, Style style) const {
  const bool display = style == Style::Display;
  const Style inner = display ? Style::Text : scriptOf(style);
  const double size = em(style), rule = std::min(c_.fractionRule, kThinRule) * size, axis = c_.axis * size;
  const Box top = node(one.children[0], inner), bottom = node(one.children[1], inner);
  const double gap = (display ? c_.fractionGapDisplay : c_.fractionGap) * size * 0.6;
  double up = (display ? c_.numeratorUpDisplay : c_.numeratorUp) * size;
  double down = (display ? c_.denominatorDownDisplay : c_.denominatorDown) * size;
  up = std::max(up, axis + rule / 2 + gap + top.descent);
  down = std::max(down, gap + bottom.ascent - axis + rule / 2);
  const double width = std::max(top.width, bottom.width) + 0.1 * size, side = kNullDelimiter * size;
  Box box;
  put(box, top, side + (width - top.width) / 2, -up);
  put(box, bottom, side + (width - bottom.width) / 2, down);
  box.rules.push_back({side, -axis - rule / 2, width, rule});
  box.width = width + 2 * side;
  return box;
}

Box Setter::root(const Node& one, Style style) const {
  const double size = em(style), rule = c_.rootRule * 0.8 * size;
  const Box inside = node(one.children[0], textOf(style));
  const double gap = (style == Style::Display ? c_.rootGapDisplay : c_.rootGap) * size * 0.5;
  const double ascent = std::max(inside.ascent, 0.55 * size), descent = std::max(inside.descent, 0.05 * size);
  const FormulaFont::Grown form = font_.grow(font_.glyph(0x221A), (ascent + descent + gap + rule) / size);
  const double height = form.height * size;
  // The excess height of the sign is shared between the gap above and the space below.
  const double spare = std::max(0.0, height - (ascent + descent + gap + rule));
  const double top = ascent + gap + spare / 2 + rule;  // above the baseline
  Box box;
  double x = 0;
  if (one.children.size() > 1) {
    const Box degree = node(one.children[1], Style::ScriptScript);
    put(box, degree, c_.degreeBefore * size, -(c_.degreeRaise * height - (height - top) + degree.descent));
    x = std::max(0.0, c_.degreeBefore * size + degree.width + c_.degreeAfter * size);
  }
  for (const FormulaFont::Piece& piece : form.pieces)
    box.glyphs.push_back({piece.glyph, size, x, height - top - piece.rise * size});
  const int hook = static_cast<int>(box.glyphs.size()) - 1;
  const double begin = x + form.advance * size;
  put(box, inside, begin, 0);
  box.rules.push_back({begin, -top, inside.width + 0.06 * size, rule, hook});
  box.width = begin + inside.width + 0.12 * size;
  box.ascent = std::max(box.ascent, top + 0.06 * size);
  box.descent = std::max(box.descent, height - top);
  return box;
}

Box Setter::fence(const Node& one, Style style) const {
  const double size = em(style), axis = c_.axis * size;
  const Box inside = node(one.children[0], style);
  const double reach = 2 * std::max(inside.ascent - axis, inside.descent + axis);
  const double height = std::max(kDelimiterShare * reach, reach - kDelimiterShort * size);
  Box box;
  double x = 0;
  const auto add = [&](const Box& part) {
    put(box, part, x, 0);
    x += part.width;
  };
  if (one.code) add(grown(font_.glyph(one.code), height, style));
  add(inside);
  if (one.closing) add(grown(font_.glyph(one.closing), height, style));
  box.width = x;
  return box;
}

Box Setter::accent(const Node& one, Style style) const {
  const double size = em(style);
  Box box = node(one.children[0], style);
  const double width = box.width;
  if (one.code == 0) {
    const double rule = std::min(c_.overRule, kThinRule) * size, gap = c_.overGap * size * 0.6;
    box.rules.push_back({0, -(box.ascent + gap + rule), width, rule});
    box.ascent += gap + 2 * rule;
    return box;
  }
  const std::uint32_t glyph = font_.glyph(one.code);
  const FormulaFont::Extent mark = font_.extent(glyph);
  double middle = width / 2;
  if (box.glyphs.size() == 1) middle = font_.extent(box.glyphs[0].glyph).accent * size;
  const double lift = box.ascent - std::min(box.ascent, c_.accentBase * size);
  box.glyphs.push_back({glyph, size, middle - mark.accent * size, -lift});
  box.ascent = std::max(box.ascent, lift + mark.ascent * size);
  return box;
}

/// Rows of cells, left-aligned in their columns; cases have a brace.
Box Setter::grid(const Node& one, Style style) const {
  const Style inner = textOf(style);
  const double size = em(style), axis = c_.axis * size;
  std::vector<std::vector<Box>> cells;
  std::vector<double> columns;
  for (const Node& line : one.children) {
    cells.emplace_back();
    for (std::size_t i = 0; i < line.children.size(); ++i) {
      cells.back().push_back(node(line.children[i], inner));
      if (columns.size() <= i) columns.push_back(0);
      columns[i] = std::max(columns[i], cells.back().back().width);
    }
  }
  Box inside;
  double y = 0;
  for (std::size_t r = 0; r < cells.size(); ++r) {
    Box line;
    double x = 0;
    for (std::size_t i = 0; i < cells[r].size(); ++i) {
      put(line, cells[r][i], x, 0);
      x += columns[i] + 0.9 * size;
    }
    line.ascent = std::max(line.ascent, 0.7 * size);
    line.descent = std::max(line.descent, 0.25 * size);
    if (r) y += line.ascent + 0.22 * size;
    put(inside, line, 0, y);
    y += line.descent;
  }
  const double height = inside.ascent + inside.descent;
  const double shift = height / 2 - axis - inside.descent;  // puts the middle on the axis
  Box box;
  double x = 0;
  if (one.cases) {
    const Box brace = grown(font_.glyph('{'), height * 0.98, style);
    put(box, brace, 0, 0);
    x = brace.width + 0.12 * size;
  }
  put(box, inside, x, shift);
  return box;
}

}  // namespace sepx::ui::formula

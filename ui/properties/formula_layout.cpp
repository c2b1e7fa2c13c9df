// SPDX-License-Identifier: Apache-2.0
// The setter: one function a kind of node, each answers a box with its reference point on the baseline. The rules are
// those of TeX as the OpenType MATH table restates them (shifts of scripts, gaps of fractions, axis of brackets).
#include "ui/properties/formula_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ui/properties/formula_nodes.h"

namespace sepx::ui {
namespace {

using Node = FormulaNode;
using Kind = Node::Kind;

enum class Style { Display, Text, Script, ScriptScript };

Style scriptOf(Style style) {
  return style == Style::Display || style == Style::Text ? Style::Script : Style::ScriptScript;
}
Style textOf(Style style) {
  return style == Style::Display ? Style::Text : style;
}

constexpr double kMu = 1.0 / 18;           // em
constexpr double kThinRule = 0.058;        // em: the font's own rules are too heavy beside its letters on a screen
constexpr double kDelimiterShare = 0.901;  // of what it encloses that a bracket covers at least
constexpr double kDelimiterShort = 0.28;   // em that a bracket may be shorter
constexpr double kNullDelimiter = 0.12;    // em beside a fraction

/// Space between neighbours in thin, medium and thick (1, 2, 3); negative: only outside scripts. TeX, chapter 18.
constexpr std::array<std::array<int, 8>, 8> kSpacing{{
    // Ord Op Bin Rel Open Close Punct Inner
    {{0, 1, -2, -3, 0, 0, 0, -1}},      // Ord
    {{1, 1, 0, -3, 0, 0, 0, -1}},       // Op
    {{-2, -2, 0, 0, -2, 0, 0, -2}},     // Bin
    {{-3, -3, 0, 0, -3, 0, 0, -3}},     // Rel
    {{0, 0, 0, 0, 0, 0, 0, 0}},         // Open
    {{0, 1, -2, -3, 0, 0, 0, -1}},      // Close
    {{-1, -1, 0, -1, -1, -1, -1, -1}},  // Punct
    {{-1, 1, -2, -3, -1, 0, -1, -1}},   // Inner
}};

using Box = FormulaBox;

void put(Box& box, const Box& part, double x, double y) {
  const int before = static_cast<int>(box.glyphs.size());
  for (FormulaGlyph glyph : part.glyphs) {
    glyph.x += x;
    glyph.y += y;
    box.glyphs.push_back(glyph);
  }
  for (FormulaRule rule : part.rules) {
    rule.x += x;
    rule.y += y;
    if (rule.continues >= 0) rule.continues += before;
    box.rules.push_back(rule);
  }
  box.ascent = std::max(box.ascent, part.ascent - y);
  box.descent = std::max(box.descent, part.descent + y);
  box.width = std::max(box.width, x + part.width);
}

class Setter {
 public:
  Setter(const FormulaFont& font, double size) : font_(font), c_(font.constants()), size_(size) {}

  Box lines(const Node& root, Style style, double maxWidth);

 private:
  struct Atom {
    Box box;
    AtomClass atom = AtomClass::Ord;
    bool space = false;
  };

  double em(Style style) const {
    return size_ * (style == Style::Script ? c_.script : style == Style::ScriptScript ? c_.scriptScript : 1);
  }

  Box character(std::uint32_t glyph, Style style) const;
  Box node(const Node& one, Style style) const;
  Box row(const std::vector<Node>& children, Style style) const;
  std::vector<Atom> atoms(const std::vector<Node>& children, Style style, bool continued) const;
  double between(AtomClass left, AtomClass right, Style style) const;
  Box join(const std::vector<Atom>& atoms, Style style, std::size_t from, std::size_t to) const;
  /// `atoms` in lines of `width`; the second and further begin at `indent`.
  std::vector<Box> broken(std::vector<Atom> atoms, Style style, double width, double indent) const;

  Box word(const Node& one, Style style) const;
  Box large(const Node& one, Style style) const;
  Box grown(std::uint32_t glyph, double height, Style style) const;
  Box scripts(const Node& one, Style style) const;
  Box limits(const Node& one, Style style) const;
  Box fraction(const Node& one, Style style) const;
  Box root(const Node& one, Style style) const;
  Box fence(const Node& one, Style style) const;
  Box accent(const Node& one, Style style) const;
  Box grid(const Node& one, Style style) const;

  const FormulaFont& font_;
  const FormulaFont::Constants& c_;
  double size_;
};

Box Setter::character(std::uint32_t glyph, Style style) const {
  const FormulaFont::Extent extent = font_.extent(glyph);
  const double size = em(style);
  Box box;
  box.glyphs.push_back({glyph, size, 0, 0});
  box.width = extent.advance * size;
  box.ascent = extent.ascent * size;
  box.descent = extent.descent * size;
  return box;
}

Box Setter::node(const Node& one, Style style) const {
  switch (one.kind) {
    case Kind::Row:
      return row(one.children, style);
    case Kind::Glyph:
      return one.large ? large(one, style) : character(font_.glyph(one.code), style);
    case Kind::Word:
      return word(one, style);
    case Kind::Space: {
      Box box;
      box.width = one.amount * em(style);
      return box;
    }
    case Kind::Scripts:
      return one.limits && (style == Style::Display || one.children[0].kind == Kind::Word) ? limits(one, style)
                                                                                           : scripts(one, style);
    case Kind::Fraction:
      return fraction(one, style);
    case Kind::Root:
      return root(one, style);
    case Kind::Fence:
      return fence(one, style);
    case Kind::Accent:
      return accent(one, style);
    case Kind::Grid:
      return grid(one, style);
    case Kind::Mark:
      break;
  }
  return {};
}

/// Boxes with their classes; a sign that has nothing to its left or right stands for itself, as in -x.
std::vector<Setter::Atom> Setter::atoms(const std::vector<Node>& children, Style style, bool continued) const {
  std::vector<Atom> result;
  for (const Node& child : children)
    result.push_back({node(child, style), child.atom, child.kind == Kind::Space});
  const auto neighbour = [&](std::size_t at, int step) -> const Atom* {
    for (auto i = static_cast<std::ptrdiff_t>(at) + step; i >= 0 && i < static_cast<std::ptrdiff_t>(result.size());
         i += step)
      if (!result[static_cast<std::size_t>(i)].space) return &result[static_cast<std::size_t>(i)];
    return nullptr;
  };
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result[i].atom != AtomClass::Bin) continue;
    const Atom *left = neighbour(i, -1), *right = neighbour(i, 1);
    const bool open = left ? left->atom == AtomClass::Op || left->atom == AtomClass::Bin ||
                                 left->atom == AtomClass::Rel || left->atom == AtomClass::Open ||
                                 left->atom == AtomClass::Punct
                           : !continued;
    const bool closed =
        right && (right->atom == AtomClass::Rel || right->atom == AtomClass::Close || right->atom == AtomClass::Punct);
    if (open || closed) result[i].atom = AtomClass::Ord;
  }
  return result;
}

double Setter::between(AtomClass left, AtomClass right, Style style) const {
  const int kind = kSpacing[static_cast<std::size_t>(left)][static_cast<std::size_t>(right)];
  const bool script = style == Style::Script || style == Style::ScriptScript;
  if (kind == 0 || (kind < 0 && script)) return 0;
  static constexpr double kMus[] = {0, 3, 4, 5};
  return kMus[std::abs(kind)] * kMu * em(style);
}

Box Setter::join(const std::vector<Atom>& atoms, Style style, std::size_t from, std::size_t to) const {
  Box box;
  double x = 0;
  const Atom* before = nullptr;
  for (std::size_t i = from; i < to; ++i) {
    const Atom& one = atoms[i];
    if (!one.space) {
      if (before) x += between(before->atom, one.atom, style);
      before = &one;
    }
    put(box, one.box, x, 0);
    x += one.box.width;
  }
  box.width = std::max(0.0, x);
  return box;
}

Box Setter::row(const std::vector<Node>& children, Style style) const {
  const std::vector<Atom> all = atoms(children, style, false);
  return join(all, style, 0, all.size());
}

std::vector<Box> Setter::broken(std::vector<Atom> all, Style style, double width, double indent) const {
  std::vector<Box> result;
  std::size_t from = 0;
  while (from < all.size()) {
    const double room = result.empty() ? width : width - indent;
    std::size_t end = all.size();
    if (room > 0 && join(all, style, from, end).width > room) {
      // The last place before which a line may end: a relation or sign between two things, or what follows a comma.
      std::size_t best = 0;
      for (std::size_t i = from + 1; i < all.size(); ++i) {
        const bool place = all[i].atom == AtomClass::Rel || all[i].atom == AtomClass::Bin ||
                           (all[i - 1].atom == AtomClass::Punct && !all[i].space) ||
                           (all[i].space && i + 1 < all.size());
        if (!place || all[i].box.width < 0) continue;
        if (join(all, style, from, i).width > room && best) break;
        best = i;
        if (join(all, style, from, i).width > room) break;
      }
      if (best) end = best;
    }
    while (from + 1 < end && all[from].space && !result.empty())
      ++from;
    result.push_back(join(all, style, from, end));
    from = end;
  }
  if (result.empty()) result.emplace_back();
  return result;
}

Box Setter::lines(const Node& root, Style style, double maxWidth) {
  struct Line {
    Box left;
    std::vector<Atom> right;
    bool aligned = false;
  };
  std::vector<Line> all;
  const bool several = root.kind == Kind::Grid && !root.cases;
  const auto addLine = [&](const std::vector<Node>& cells) {
    Line line;
    line.aligned = cells.size() > 1;
    if (line.aligned) line.left = node(cells[0], style);
    std::vector<Node> rest;
    for (std::size_t i = line.aligned ? 1 : 0; i < cells.size(); ++i)
      rest.insert(rest.end(), cells[i].children.begin(), cells[i].children.end());
    if (!rest.empty() || cells.empty()) line.right = atoms(rest, style, line.aligned);
    all.push_back(std::move(line));
  };
  if (several) {
    for (const Node& cells : root.children)
      addLine(cells.children);
  } else {
    addLine({root.kind == Kind::Row ? root : Node{Kind::Row, root.atom, 0, 0, {}, 0, false, false, false, {root}}});
  }
  double column = 0;
  for (const Line& line : all)
    column = std::max(column, line.left.width);
  const double gap = 5 * kMu * em(style);  // the mark stands before a relation
  Box box;
  double y = 0;
  bool first = true;
  for (Line& line : all) {
    const double x = line.aligned ? column + (column > 0 ? gap : 0) : 0;
    const double indent = 1.2 * em(style);
    const std::vector<Box> parts = broken(std::move(line.right), style, maxWidth > 0 ? maxWidth - x : 0, indent);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Box whole;
      if (i == 0 && line.aligned) put(whole, line.left, column - line.left.width, 0);
      put(whole, parts[i], x + (i ? indent : 0), 0);
      if (!first) y = box.descent + std::max(0.38 * em(style) + whole.ascent, 0.8 * em(style));
      first = false;
      const double above = box.ascent;
      put(box, whole, 0, y);
      if (y > 0) box.ascent = above;
    }
  }
  return box;
}

Box Setter::word(const Node& one, Style style) const {
  Box box;
  double x = 0;
  for (std::size_t at = 0; at < one.text.size();) {
    const auto first = static_cast<unsigned char>(one.text[at]);
    const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    char32_t code = length == 1 ? first : first & (0x7Fu >> length);
    for (std::size_t i = 1; i < length && at + i < one.text.size(); ++i)
      code = code << 6 | (static_cast<unsigned char>(one.text[at + i]) & 0x3F);
    at += length;
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

/// A sum or an integral, centred on the axis.
Box Setter::large(const Node& one, Style style) const {
  const std::uint32_t glyph = font_.glyph(one.code);
  if (style != Style::Display) return grown(glyph, 0, style);
  return grown(glyph, c_.displayOperator * em(style), style);
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
  // The font's prime is raised already: it stands in the type size of its base.
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
  if (hasSub) put(box, sub, base.large ? width - italic : width, down);
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
  // What the sign is too tall is shared between the gap above and the room below.
  const double spare = std::max(0.0, height - (ascent + descent + gap + rule));
  const double top = ascent + gap + spare / 2 + rule;  // over the baseline
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
  if (one.code) {
    const Box bracket = grown(font_.glyph(one.code), height, style);
    put(box, bracket, x, 0);
    x += bracket.width;
  }
  put(box, inside, x, 0);
  x += inside.width;
  if (one.closing) {
    const Box bracket = grown(font_.glyph(one.closing), height, style);
    put(box, bracket, x, 0);
    x += bracket.width;
  }
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

/// Rows of cells at the left of their columns; cases have a brace.
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
  const double shift = height / 2 - axis - inside.descent;  // so that the middle is on the axis
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

}  // namespace

FormulaBox layOut(const Formula& formula, const FormulaFont& font, const FormulaLayout& wishes) {
  Setter setter(font, wishes.size);
  return setter.lines(formula.root(), wishes.display ? Style::Display : Style::Text, wishes.maxWidth);
}

}  // namespace sepx::ui

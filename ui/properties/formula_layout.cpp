// SPDX-License-Identifier: Apache-2.0
// Layout of rows and lines: the space between atoms, line breaks and alignment. The rules are those of TeX.
#include "ui/properties/formula_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ui/properties/formula_setter.h"

namespace sepx::ui {
namespace formula {

using Box = FormulaBox;
using Node = FormulaNode;
using Kind = Node::Kind;

namespace {

/// Space between neighbours: thin, medium or thick (1, 2, 3); negative: not in scripts. TeXbook, chapter 18.
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

}  // namespace

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
  }
  return {};
}

/// Boxes with their classes. A binary operator without an operand on its left or right becomes an ordinary atom, as in
/// -x.
std::vector<Setter::Atom> Setter::atoms(const std::vector<Node>& children, Style style, bool continued) const {
  std::vector<Atom> result;
  for (const Node& child : children)
    result.push_back({node(child, style), child.atom, child.kind == Kind::Space, child.code == 0x22C5});
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

/// The best position to end a line that begins at `from`: before a relation or an operator or after a comma, preferably
/// outside brackets, preferably before a sum's sign rather than a product's, and not much too early for any of these.
std::size_t Setter::breakBefore(const std::vector<Atom>& all, Style style, std::size_t from, double room) const {
  constexpr double kEarly = 0.45;  // share of the room
  std::size_t best = 0, first = 0;
  int bestRank = 0, depth = 0;
  for (std::size_t i = from + 1; i < all.size(); ++i) {
    depth += (all[i - 1].atom == AtomClass::Open) - (all[i - 1].atom == AtomClass::Close);
    const bool place = all[i].atom == AtomClass::Rel || all[i].atom == AtomClass::Bin ||
                       all[i - 1].atom == AtomClass::Punct || (all[i].space && i + 1 < all.size());
    if (!place) continue;
    const double width = join(all, style, from, i).width;
    if (width > room) {
      if (first == 0) first = i;
      break;
    }
    const bool comma = all[i - 1].atom == AtomClass::Punct;
    const int rank =
        (comma ? 4 : 0) + (depth <= 0 ? 4 : 0) + (all[i].product ? 0 : 2) + (width > kEarly * room ? 6 : 0);
    if (rank >= bestRank) {
      best = i;
      bestRank = rank;
    }
  }
  return best ? best : first ? first : all.size();
}

std::vector<Box> Setter::broken(std::vector<Atom> all, Style style, double width, double indent) const {
  std::vector<Box> result;
  std::size_t from = 0;
  while (from < all.size()) {
    const double room = result.empty() ? width : width - indent;
    std::size_t end = all.size();
    if (room > 0 && join(all, style, from, end).width > room) {
      end = breakBefore(all, style, from, room);
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
  const double gap = 5 * kMu * em(style);  // the alignment mark precedes a relation
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
      if (!first) y = std::max(box.descent + 0.38 * em(style) + whole.ascent, y + 1.4 * em(style));
      first = false;
      const double above = box.ascent;
      put(box, whole, 0, y);
      if (y > 0) box.ascent = above;
    }
  }
  return box;
}

}  // namespace formula

FormulaBox layOut(const Formula& formula, const FormulaFont& font, const FormulaLayout& options) {
  formula::Setter setter(font, options.size);
  return setter.lines(formula.root(), options.display ? formula::Style::Display : formula::Style::Text,
                      options.maxWidth);
}

}  // namespace sepx::ui

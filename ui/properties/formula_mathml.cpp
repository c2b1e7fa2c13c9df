// SPDX-License-Identifier: Apache-2.0
#include "ui/properties/formula_mathml.h"

#include <fmt/format.h>

#include "engine/core/utf8.h"
#include "ui/properties/formula_nodes.h"

namespace sepx::ui {
namespace {

using Node = FormulaNode;
using NodeKind = Node::Kind;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string letter(char32_t code) {
  std::string text;
  appendUtf8(text, code);
  return escaped(text);
}

std::string tag(const char* name, const std::string& content, const char* attributes = "") {
  return fmt::format("<{0}{2}>{1}</{0}>", name, content, attributes);
}

std::string markup(const Node& one);

/// Markup of nodes side by side; consecutive digits form one number.
std::string markup(const std::vector<Node>& nodes) {
  std::string out, number;
  const auto end = [&] {
    if (!number.empty()) out += tag("mn", number);
    number.clear();
  };
  for (const Node& one : nodes) {
    const bool glyph = one.kind == NodeKind::Glyph;
    if (glyph && (isDigit(one.code) || (one.code == '.' && !number.empty()))) {
      number += letter(one.code);
      continue;
    }
    end();
    out += markup(one);
  }
  end();
  return out;
}

std::string row(const Node& one) {
  return tag("mrow", one.kind == NodeKind::Row ? markup(one.children) : markup(one));
}

std::string glyph(const Node& one) {
  if (isDigit(one.code)) return tag("mn", letter(one.code));
  const char32_t plain = plainLetter(one.code);
  if (plain != one.code && slanted(plain) == one.code) return tag("mi", letter(plain));  // MathML slants it itself
  if (one.atom == AtomClass::Ord) return tag("mi", letter(one.code), " mathvariant=\"normal\"");
  const bool bracket = one.atom == AtomClass::Open || one.atom == AtomClass::Close;
  return tag("mo", letter(one.code), bracket ? " stretchy=\"false\"" : "");
}

std::string scripts(const Node& one) {
  const std::string base = row(one.children[0]);
  const bool sub = !one.children[1].children.empty(), sup = !one.children[2].children.empty();
  const std::string below = sub ? row(one.children[1]) : "", above = sup ? row(one.children[2]) : "";
  const bool limits = one.children[0].limits;
  if (sub && sup) return tag(limits ? "munderover" : "msubsup", base + below + above);
  if (sub) return tag(limits ? "munder" : "msub", base + below);
  return sup ? tag(limits ? "mover" : "msup", base + above) : base;
}

std::string grid(const Node& one) {
  std::string rows;
  for (const Node& line : one.children) {
    std::string cells;
    for (const Node& cell : line.children)
      cells += tag("mtd", row(cell), " style=\"text-align:left;padding-left:0;padding-right:0.6em\"");
    rows += tag("mtr", cells);
  }
  const std::string table = tag("mtable", rows);
  return one.cases ? tag("mrow", "<mo>{</mo>" + table) : table;
}

std::string markup(const Node& one) {
  switch (one.kind) {
    case NodeKind::Row:
      return tag("mrow", markup(one.children));
    case NodeKind::Glyph:
      return one.large ? tag("mo", letter(one.code)) : glyph(one);
    case NodeKind::Word:
      return one.atom == AtomClass::Op ? tag("mi", escaped(one.text)) + "<mspace width=\"0.17em\"/>"
                                       : tag("mtext", escaped(one.text));
    case NodeKind::Space:
      return fmt::format("<mspace width=\"{:.3f}em\"/>", one.amount);
    case NodeKind::Scripts:
      return scripts(one);
    case NodeKind::Fraction:
      return tag("mfrac", row(one.children[0]) + row(one.children[1]));
    case NodeKind::Root:
      return one.children.size() > 1 ? tag("mroot", row(one.children[0]) + row(one.children[1]))
                                     : tag("msqrt", row(one.children[0]));
    case NodeKind::Fence:
      return tag("mrow", (one.code ? tag("mo", letter(one.code), " stretchy=\"true\"") : "") + row(one.children[0]) +
                             (one.closing ? tag("mo", letter(one.closing), " stretchy=\"true\"") : ""));
    case NodeKind::Accent:
      return tag("mover", row(one.children[0]) + tag("mo", one.code ? letter(one.code) : "\u00AF"), " accent=\"true\"");
    case NodeKind::Grid:
      return grid(one);
  }
  return {};
}

}  // namespace

std::string mathMl(const Formula& formula, bool display) {
  return fmt::format("<math{} aria-label=\"{}\">{}</math>", display ? " display=\"block\"" : "",
                     escaped(formula.plainText()), row(formula.root()));
}

}  // namespace sepx::ui

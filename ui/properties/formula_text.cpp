// SPDX-License-Identifier: Apache-2.0
// Converts formulas and their numbers to text: one line for screen readers and the clipboard, and numbers in the markup
// of formulas.
#include <cmath>
#include <string_view>
#include <vector>

#include "engine/core/number.h"
#include "engine/core/utf8.h"
#include "ui/properties/formula.h"
#include "ui/properties/formula_nodes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {
namespace {

using Node = FormulaNode;
using NodeKind = Node::Kind;

class Plain {
 public:
  std::string text;

  void node(const Node& one) {
    if (pending_ && one.kind != NodeKind::Row && one.kind != NodeKind::Space) {
      const bool bracket = (one.kind == NodeKind::Glyph && one.atom == AtomClass::Open) || one.kind == NodeKind::Fence;
      pending_ = false;
      if (one.kind == NodeKind::Fraction) {  // log(a/b): without parentheses it would read as (log a)/b
        text += '(';
        node(one);
        text += ')';
        return;
      }
      if (!bracket) text += ' ';
    }
    switch (one.kind) {
      case NodeKind::Row:
        for (const Node& child : one.children)
          node(child);
        break;
      case NodeKind::Glyph:
        sign(one);
        break;
      case NodeKind::Word:
        words(one);
        break;
      case NodeKind::Space:
        if (one.amount > 0.2) blank();
        break;
      case NodeKind::Scripts:
        scripts(one);
        break;
      case NodeKind::Fraction:
        wrapped(one.children[0]);
        text += "/";
        wrapped(one.children[1]);
        break;
      case NodeKind::Root:
        if (one.children.size() > 1) {
          Plain degree;
          degree.node(one.children[1]);
          text += "root_" + degree.text + " ";
        } else {
          text += "\u221A";
        }
        wrapped(one.children[0]);
        break;
      case NodeKind::Fence:
        if (one.code) appendUtf8(text, one.code);
        node(one.children[0]);
        if (one.closing) appendUtf8(text, one.closing);
        break;
      case NodeKind::Accent:
        node(one.children[0]);
        if (one.code) appendUtf8(text, one.code);
        break;
      case NodeKind::Grid:
        grid(one);
        break;
    }
  }

 private:
  void blank() {
    if (!text.empty() && text.back() != ' ' && text.back() != '\n') text += ' ';
  }

  void sign(const Node& one) {
    const char32_t code = plainLetter(one.code);
    // A binary operator has space around it; a unary one has none.
    const bool binary = one.atom == AtomClass::Bin && !text.empty() &&
                        std::string_view("([{,=<>\n/^").find(text.back()) == std::string_view::npos && !afterRelation_;
    if (one.atom == AtomClass::Rel || binary) {
      blank();
      appendUtf8(text, code);
      text += ' ';
    } else {
      appendUtf8(text, code);
      if (one.atom == AtomClass::Punct) text += ' ';
    }
    afterRelation_ = one.atom == AtomClass::Rel || binary;
  }

  void words(const Node& one) {
    if (one.atom == AtomClass::Op && !text.empty() &&
        (isLetter(static_cast<unsigned char>(text.back())) || isDigit(static_cast<unsigned char>(text.back())) ||
         text.back() == ')' || text.back() < 0))
      blank();
    text += tr(one.text);
    pending_ = one.atom == AtomClass::Op;  // a space, unless a bracket follows
    afterRelation_ = false;
  }

  /// The text of a node, in parentheses unless it is a single symbol, number or power.
  void wrapped(const Node& one) {
    Plain inside;
    inside.node(one);
    while (!inside.text.empty() && inside.text.back() == ' ')
      inside.text.pop_back();
    std::size_t letters = 0, digits = 0;
    for (const char c : inside.text) {
      letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
      digits += isDigit(static_cast<unsigned char>(c)) || c == '.';
    }
    const bool power = letters == 3 && inside.text.find('^') != std::string::npos;  // e^2
    const bool single = letters <= 1 || digits == letters || power;
    text += single ? inside.text : "(" + inside.text + ")";
    afterRelation_ = false;
  }

  void scripts(const Node& one) {
    node(one.children[0]);
    pending_ = false;
    if (!one.children[1].children.empty()) {
      text += '_';
      wrapped(one.children[1]);
    }
    const std::vector<Node>& sup = one.children[2].children;
    if (!sup.empty() && sup[0].kind == NodeKind::Glyph && sup[0].code == 0x2032) {
      for (std::size_t i = 0; i < sup.size(); ++i)
        node(sup[i]);
    } else if (!sup.empty()) {
      text += '^';
      wrapped(one.children[2]);
    }
    pending_ = one.atom == AtomClass::Op && one.children[0].kind == NodeKind::Word;
    if (one.atom == AtomClass::Op && !pending_) text += ' ';
    afterRelation_ = false;
  }

  void grid(const Node& one) {
    if (one.cases) text += "{ ";
    for (std::size_t i = 0; i < one.children.size(); ++i) {
      if (i) text += one.cases ? "; " : "\n";
      afterRelation_ = false;
      for (const Node& cell : one.children[i].children) {
        if (&cell != &one.children[i].children.front() && one.cases) text += ", ";
        node(cell);
      }
    }
    if (one.cases) text += " }";
  }

  bool afterRelation_ = false;
  bool pending_ = false;
};

std::string scientific(double value) {
  int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  double mantissa = value / std::pow(10.0, exponent);
  if (std::abs(mantissa) >= 9.995) {
    mantissa /= 10;
    ++exponent;
  }
  return shownFixed(mantissa, 2) + "\\cdot10^{" + withMinus(std::to_string(exponent)) + "}";
}

}  // namespace

std::string Formula::plainText() const {
  Plain plain;
  plain.node(*root_);
  while (!plain.text.empty() && plain.text.back() == ' ')
    plain.text.pop_back();
  return plain.text;
}

std::string plainOfMixed(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('$', at);
    const std::size_t close = open == std::string_view::npos ? open : text.find('$', open + 1);
    if (close == std::string_view::npos) return result += text.substr(at);
    result += text.substr(at, open - at);
    const std::string_view markup = text.substr(open + 1, close - open - 1);
    const Result<Formula> formula = Formula::parse(markup);
    result += formula ? formula->plainText() : std::string(markup);
    at = close + 1;
  }
  return result;
}

std::string formulaNumber(double value, int digits) {
  if (!std::isfinite(value)) return std::isnan(value) ? "\\text{undefined}" : value > 0 ? "\\infty" : "-\\infty";
  if (value != 0 && (std::abs(value) < 0.5 * std::pow(10.0, -digits) || std::abs(value) >= 1e9))
    return scientific(value);
  std::string text = formatFixed(value, digits);
  if (text.find('e') != std::string::npos) return scientific(value);
  if (text.find('.') != std::string::npos) {
    while (text.back() == '0')
      text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return withMinus(text == "-0" ? "0" : text);
}

std::string formulaFixed(double value, int digits) {
  if (!std::isfinite(value) || std::abs(value) >= 1e9) return formulaNumber(value, digits);
  if (value != 0 && std::abs(value) < 0.5 * std::pow(10.0, -digits)) return scientific(value);
  const std::string text = formatFixed(value, digits);
  return text.find('e') == std::string::npos ? withMinus(text) : scientific(value);
}

std::string formulaFactor(double value, int digits) {
  const std::string text = formulaNumber(value, digits);
  return value < 0 ? "(" + text + ")" : text;
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The parser: recursive descent with a limit on depth and size, so that no markup can exhaust stack or memory.
#include "ui/properties/formula.h"

#include <utility>
#include <vector>

#include "engine/core/utf8.h"
#include "ui/properties/formula_nodes.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {
namespace {

constexpr int kDeepest = 40;
constexpr std::size_t kLongest = 20'000;  // bytes

using Node = FormulaNode;
using NodeKind = Node::Kind;

Node row() {
  return {};
}
Node glyph(char32_t code, AtomClass atom) {
  Node node;
  node.kind = NodeKind::Glyph;
  node.code = code;
  node.atom = atom;
  return node;
}
Node word(std::string text, AtomClass atom) {
  Node node;
  node.kind = NodeKind::Word;
  node.text = std::move(text);
  node.atom = atom;
  return node;
}
Node space(double em) {
  Node node;
  node.kind = NodeKind::Space;
  node.amount = em;
  return node;
}
template <class... Children>
Node with(NodeKind kind, Children... children) {
  Node node;
  node.kind = kind;
  (node.children.push_back(std::move(children)), ...);
  return node;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Node> whole() {
    Node lines = rows(End::Text);
    if (error_.empty() && at_ < text_.size()) refuse(tr("a closing sign without an opening one"));
    if (!error_.empty()) return fail(ErrorKind::Usage, error_);
    return lines;
  }

 private:
  enum class End { Text, Brace, Bracket, Right, Cases };

  bool ok() const { return error_.empty(); }
  void refuse(const std::string& why) {
    if (error_.empty()) error_ = trFormat("formula \"{}\", byte {}: {}", text_.substr(0, 60), at_, why);
  }
  bool startsWith(std::string_view what) const { return text_.substr(at_, what.size()) == what; }
  bool take(std::string_view what) {
    if (!startsWith(what)) return false;
    at_ += what.size();
    return true;
  }
  void skipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t'))
      ++at_;
  }
  char32_t character() {
    const auto first = static_cast<unsigned char>(text_[at_]);
    const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    at_ += length;
    return decodeUtf8(text_.substr(at_ - length, length)).front();
  }
  /// The command name after a backslash: letters, or one other character.
  std::string name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && isLetter(static_cast<unsigned char>(text_[at_])))
      ++at_;
    if (at_ == begin && at_ < text_.size()) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool ends(End end) const {
    if (at_ >= text_.size()) return true;
    switch (end) {
      case End::Text:
        return false;
      case End::Brace:
        return text_[at_] == '}';
      case End::Bracket:
        return text_[at_] == ']';
      case End::Right:
        return startsWith("\\right") && !startsWith("\\rightarrow");
      case End::Cases:
        return startsWith("\\end");
    }
    return true;
  }

  /// Rows of cells up to `end`: a grid, or just the cell if there is only one.
  Node rows(End end) {
    Node grid = with(NodeKind::Grid, with(NodeKind::Row));
    for (;;) {
      grid.children.back().children.push_back(line(end));
      if (!ok()) return grid;
      if (take("&")) continue;
      if (!take("\\\\")) break;
      skipSpace();
      if (ends(end)) break;
      grid.children.push_back(with(NodeKind::Row));
    }
    if (grid.children.size() == 1 && grid.children[0].children.size() == 1) {
      return Node(std::move(grid.children[0].children[0]));
    }
    return grid;
  }

  /// Atoms up to `end`, the end of the cell or the end of the line.
  Node line(End end) {
    Node result = row();
    if (++depth_ > kDeepest) refuse(tr("nested too deeply"));
    for (skipSpace(); ok() && !ends(end) && text_[at_] != '&' && !startsWith("\\\\"); skipSpace()) {
      if (text_[at_] == '}') {
        refuse(tr("} without {"));
        break;
      }
      Node atom = scripted();
      if (ok()) result.children.push_back(std::move(atom));
    }
    --depth_;
    return result;
  }

  /// An atom with its scripts and primes.
  Node scripted() {
    Node base = text_[at_] == '^' || text_[at_] == '_' || text_[at_] == '\'' ? row() : atom();
    Node sub = row(), sup = row();
    bool any = false;
    for (skipSpace(); ok() && at_ < text_.size(); skipSpace()) {
      if (take("'")) {
        sup.children.push_back(glyph(0x2032, AtomClass::Ord));
      } else if (take("^")) {
        sup.children.push_back(argument());
      } else if (take("_")) {
        if (!sub.children.empty()) refuse(tr("two subscripts"));
        sub.children.push_back(argument());
      } else {
        break;
      }
      any = true;
    }
    if (!any) return base;
    const AtomClass kind = base.atom;
    const bool limits = base.limits;
    Node result = with(NodeKind::Scripts, std::move(base), std::move(sub), std::move(sup));
    result.atom = kind;
    result.limits = limits;
    return result;
  }

  Node group() {
    Node inside = line(End::Brace);
    if (ok() && !take("}")) refuse(tr("{ without }"));
    return inside;
  }

  /// The argument of a command or script: a group or one atom.
  Node argument() {
    skipSpace();
    if (at_ >= text_.size()) {
      refuse(tr("an argument is missing at the end"));
      return row();
    }
    if (take("{")) return group();
    if (++depth_ > kDeepest) refuse(tr("nested too deeply"));
    Node one = ok() ? atom() : row();
    --depth_;
    return one;
  }

  Node atom() {
    if (take("{")) return group();
    if (take("\\")) return command(name());
    const bool wasDigit = at_ > 0 && isDigit(static_cast<unsigned char>(text_[at_ - 1]));
    const char32_t code = character();
    if (code == '}' || code == '&') refuse(tr("an unexpected character"));
    if (code == '(' || code == '[') return glyph(code, AtomClass::Open);
    if (code == ')' || code == ']' || code == '!') return glyph(code, AtomClass::Close);
    if (code == '/' || code == 0x2032) return glyph(code, AtomClass::Ord);
    if (code == ',' || code == ';') return glyph(code, AtomClass::Punct);
    if (code == '.') {
      const bool digit = at_ < text_.size() && isDigit(static_cast<unsigned char>(text_[at_]));
      return glyph(code, wasDigit || digit ? AtomClass::Ord : AtomClass::Punct);
    }
    if (const FormulaSymbol* symbol = formulaSymbol(code)) return glyph(slanted(symbol->code), symbol->atom);
    return glyph(isLetter(code) ? slanted(code) : code, AtomClass::Ord);
  }

  /// The text between braces as it is written.
  std::string verbatim() {
    skipSpace();
    if (!take("{")) {
      refuse(tr("{ is missing"));
      return {};
    }
    const std::size_t end = text_.find('}', at_);
    if (end == std::string_view::npos) {
      refuse(tr("{ without }"));
      return {};
    }
    std::string inside(text_.substr(at_, end - at_));
    at_ = end + 1;
    if (inside.find_first_of("\\{$") != std::string::npos) refuse(tr("a command inside plain text"));
    return inside;
  }

  Node styled(char32_t (*style)(char32_t)) {
    Node result = row();
    const std::string letters = verbatim();
    for (const char letter : letters)
      result.children.push_back(glyph(style(static_cast<unsigned char>(letter)), AtomClass::Ord));
    return result;
  }

  Node command(const std::string& command) {
    if (command == "frac") {
      Node top = argument(), bottom = argument();
      Node fraction = with(NodeKind::Fraction, std::move(top), std::move(bottom));
      fraction.atom = AtomClass::Inner;
      return fraction;
    }
    if (command == "sqrt") return root();
    if (command == "left") return fence();
    if (command == "begin") return cases();
    if (command == "mathrm" || command == "operatorname" || command == "text") return word(verbatim(), AtomClass::Ord);
    if (command == "mathbf") return styled(boldUpright);
    if (command == "mathcal") return styled(calligraphic);
    if (command == "mathbb") return styled(doubleStruck);
    if (isFormulaFunction(command)) {
      Node function = word(command, AtomClass::Op);
      function.limits = command == "lim" || command == "max" || command == "min" || command == "inf";
      return function;
    }
    return sign(command);
  }

  Node sign(const std::string& command) {
    static constexpr std::pair<const char*, double> kSpaces[] = {
        {",", 3. / 18}, {":", 4. / 18}, {";", 5. / 18}, {"!", -3. / 18}, {" ", 0.25}, {"quad", 1}, {"qquad", 2}};
    for (const auto& [name, em] : kSpaces)
      if (command == name) return space(em);
    static constexpr std::pair<const char*, char32_t> kAccents[] = {{"hat", 0x302}, {"bar", 0x304},  {"tilde", 0x303},
                                                                    {"dot", 0x307}, {"vec", 0x20D7}, {"overline", 0}};
    for (const auto& [name, code] : kAccents) {
      if (command != name) continue;
      Node accent = with(NodeKind::Accent, argument());
      accent.code = code;
      return accent;
    }
    if (command == "{") return glyph('{', AtomClass::Open);
    if (command == "}") return glyph('}', AtomClass::Close);
    if (command == "|") return glyph(0x2016, AtomClass::Ord);
    if (command == "%") return glyph('%', AtomClass::Ord);
    const FormulaSymbol* symbol = formulaSymbol(command);
    if (!symbol) {
      refuse(trFormat("\\{} is not supported", findInvalidUtf8(command) ? "?" : command));
      return row();
    }
    Node node = glyph(slanted(symbol->code), symbol->atom);
    node.large = command == "sum" || command == "prod" || command == "int";
    node.limits = node.large && command != "int";
    return node;
  }

  Node root() {
    skipSpace();
    if (!take("[")) return with(NodeKind::Root, argument());
    Node degree = line(End::Bracket);
    if (ok() && !take("]")) refuse(tr("[ without ]"));
    return with(NodeKind::Root, argument(), std::move(degree));
  }

  /// The delimiter after \left or \right; 0 for a full stop (no delimiter).
  char32_t delimiter() {
    skipSpace();
    if (at_ >= text_.size()) {
      refuse(tr("a bracket is missing"));
      return 0;
    }
    if (take(".")) return 0;
    if (take("\\")) {
      const std::string named = name();
      if (named == "{" || named == "}") return static_cast<unsigned char>(named[0]);
      if (named == "|") return 0x2016;
      if (const FormulaSymbol* symbol = formulaSymbol(named)) return symbol->code;
      refuse(tr("this is not a bracket"));
      return 0;
    }
    const char32_t code = character();
    if (code < 0x80 && std::string_view("()[]|").find(static_cast<char>(code)) == std::string_view::npos)
      refuse(tr("this is not a bracket"));
    return code;
  }

  Node fence() {
    const char32_t opening = delimiter();
    Node result = with(NodeKind::Fence, line(End::Right));
    result.atom = AtomClass::Inner;
    result.code = opening;
    if (ok() && !take("\\right")) refuse(tr("\\left without \\right"));
    if (ok()) result.closing = delimiter();
    return result;
  }

  Node cases() {
    if (verbatim() != "cases") refuse(tr("\\begin supports only cases"));
    if (++depth_ > kDeepest) refuse(tr("nested too deeply"));
    Node inside = ok() ? rows(End::Cases) : row();
    --depth_;
    if (ok() && !take("\\end{cases}")) refuse(tr("\\begin{cases} without \\end{cases}"));
    if (inside.kind != NodeKind::Grid) inside = with(NodeKind::Grid, with(NodeKind::Row, std::move(inside)));
    inside.cases = true;
    inside.atom = AtomClass::Inner;
    return inside;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string error_;
};

}  // namespace

Result<Formula> Formula::parse(std::string_view markup) {
  if (markup.size() > kLongest) return fail(ErrorKind::Usage, tr("the formula is too long"));
  if (const auto broken = findInvalidUtf8(markup))
    return fail(ErrorKind::Usage, trFormat("the formula is not UTF-8 at byte {}", *broken));
  Result<FormulaNode> root = Parser(markup).whole();
  if (!root) return tl::unexpected(root.error());
  Formula formula;
  formula.root_ = std::make_shared<const FormulaNode>(*std::move(root));
  return formula;
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/web_text.h"

#include <fmt/format.h>

#include "engine/render/svg_text.h"
#include "ui/document/json_text.h"
#include "ui/properties/formula.h"
#include "ui/properties/formula_mathml.h"

namespace sepx::ui {
namespace {

std::string wrapped(const char* tag, const std::string& inner) {
  return fmt::format("<{0}>{1}</{0}>", tag, inner);
}

/// Like the lesson panel, treats a code span between dollar signs as a formula.
std::string spanText(const Span& span) {
  const std::string& text = span.text;
  if (span.code && text.size() > 2 && text.front() == '$' && text.back() == '$')
    return htmlFormula(text.substr(1, text.size() - 2), false);
  std::string out = htmlText(text);
  if (span.code) out = wrapped("code", out);
  if (span.emphasis) out = wrapped("em", out);
  return span.strong ? wrapped("strong", out) : out;
}

std::string spansText(const std::vector<Span>& spans) {
  std::string out;
  for (const Span& span : spans)
    out += spanText(span);
  return out;
}

/// Lists that are open, outermost first: "ul" or "ol".
class Lists {
 public:
  explicit Lists(std::string& out) : out_(out) {}
  /// Closes lists that are nested deeper than `depth`.
  void keep(std::size_t depth) {
    while (open_.size() > depth) {
      out_ += fmt::format("</li></{}>\n", open_.back());
      open_.pop_back();
    }
  }
  void item(const Block& block) {
    const auto depth = static_cast<std::size_t>(block.depth) + 1;
    const char* const kind = block.number > 0 ? "ol" : "ul";
    keep(depth);
    if (open_.size() == depth && std::string_view(open_.back()) != kind) keep(depth - 1);
    if (open_.size() == depth) out_ += "</li>\n";
    while (open_.size() < depth) {
      out_ += block.number > 1 ? fmt::format("<{} start=\"{}\">\n", kind, block.number) : fmt::format("<{}>\n", kind);
      open_.push_back(kind);
      if (open_.size() < depth) out_ += "<li>";
    }
    out_ += "<li>";
  }

 private:
  std::string& out_;
  std::vector<const char*> open_;
};

}  // namespace

std::string htmlText(std::string_view text) {
  return render::svg::escaped(text);
}

std::string htmlJson(const Json& json) {
  // ASCII only, so that no character has a meaning for a browser that it does not have in JSON.
  const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<' || c == '>' || c == '&')
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      out += c;
  }
  return out;
}

std::string htmlFormula(const std::string& markup, bool display) {
  const Result<Formula> formula = Formula::parse(markup);
  return formula ? mathMl(*formula, display) : wrapped("code", htmlText(markup));
}

std::string htmlMixed(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('$', at);
    const std::size_t close = open == std::string_view::npos ? open : text.find('$', open + 1);
    if (close == std::string_view::npos) return out + htmlText(text.substr(at));
    out += htmlText(text.substr(at, open - at));
    out += htmlFormula(std::string(text.substr(open + 1, close - open - 1)), false);
    at = close + 1;
  }
  return out;
}

std::string htmlProse(const std::vector<Block>& blocks) {
  std::string out;
  Lists lists(out);
  for (const Block& block : blocks) {
    const std::string text = spansText(block.spans);
    if (block.kind == Block::Kind::Item) {
      lists.item(block);
      out += text;
      continue;
    }
    lists.keep(0);
    if (block.kind == Block::Kind::Heading)
      out += wrapped("h3", text) + "\n";
    else if (block.kind == Block::Kind::Code)
      out += "<pre>" + text + "</pre>\n";
    else
      out += wrapped("p", text) + "\n";
  }
  lists.keep(0);
  return out;
}

}  // namespace sepx::ui

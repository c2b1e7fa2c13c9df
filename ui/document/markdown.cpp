// SPDX-License-Identifier: Apache-2.0
// md4c calls back at every begin and end of a block or span and for every run of text. The runs point into the source,
// from which their line number follows.
#include "ui/document/markdown.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <utility>

#include <fmt/format.h>
#include <md4c.h>

#include "engine/core/utf8.h"

namespace sepx::ui {
namespace {

constexpr int kDeepestList = 8;
constexpr int kMostMarkers = 100;

bool isBlankSign(char c) {
  return c == ' ' || c == '\t';
}

/// The end of the list or quote marker at `at`; `at` if there is none.
std::size_t behindMarker(std::string_view text, std::size_t at) {
  if (text[at] == '>') return at + 1;
  std::size_t end = at;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9')
    ++end;
  const std::string_view marks = end == at ? "-+*" : ".)";
  if (end == text.size() || marks.find(text[end]) == std::string_view::npos) return at;
  ++end;
  return end == text.size() || isBlankSign(text[end]) || text[end] == '\n' || text[end] == '\r' ? end : at;
}

/// Whether a line opens so many lists and quotes that md4c, which visits all open ones at every line, would take
/// minutes.
bool opensTooMany(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {  // at the beginning of a line
    int markers = 0;
    while (at < text.size()) {
      const std::size_t end = isBlankSign(text[at]) ? at + 1 : behindMarker(text, at);
      if (end == at) break;
      markers += isBlankSign(text[at]) ? 0 : 1;
      at = end;
    }
    if (markers > kMostMarkers) return true;
    at = std::min(text.find_first_of("\r\n", at), text.size());
  }
  return false;
}

/// Collects the blocks of one text while md4c walks through it.
class Collector {
 public:
  explicit Collector(std::string_view text) : text_(text) {}

  void enterBlock(MD_BLOCKTYPE type, void* detail);
  void leaveBlock(MD_BLOCKTYPE type);
  /// `change`: 1 where a span of the type begins, -1 where it ends.
  void count(MD_SPANTYPE type, int change);
  void run(MD_TEXTTYPE type, std::string_view characters);

  bool tooDeep() const { return tooDeep_; }
  std::vector<MarkdownBlock> take() { return std::move(blocks_); }

 private:
  void begin(Block::Kind kind);
  void end();
  void append(std::string_view characters);
  void locate(std::string_view characters);

  std::string_view text_;
  std::vector<MarkdownBlock> blocks_;
  MarkdownBlock current_;
  bool open_ = false;
  std::vector<int> lists_;  ///< number of the next item; 0: bullets
  int strong_ = 0, emphasis_ = 0, code_ = 0;
  bool tooDeep_ = false;
  std::size_t scanned_ = 0;  ///< bytes of text_ whose lines are counted
  int line_ = 1;             ///< line of text_[scanned_]
};

void Collector::begin(Block::Kind kind) {
  end();
  current_ = MarkdownBlock{};
  current_.block.kind = kind;
  current_.block.depth = lists_.empty() ? 0 : static_cast<int>(lists_.size()) - 1;
  open_ = true;
}

void Collector::end() {
  const bool code = current_.block.kind == Block::Kind::Code || current_.block.kind == Block::Kind::Heading;
  if (open_ && (code || !current_.block.spans.empty())) {
    if (current_.line == 0) current_.line = line_;
    blocks_.push_back(std::move(current_));
  }
  current_ = MarkdownBlock{};
  open_ = false;
}

void Collector::enterBlock(MD_BLOCKTYPE type, void* detail) {
  switch (type) {
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
      end();
      lists_.push_back(type == MD_BLOCK_OL ? static_cast<int>(static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start) : 0);
      if (lists_.size() > kDeepestList) tooDeep_ = true;
      break;
    case MD_BLOCK_LI:
      begin(Block::Kind::Item);
      if (!lists_.empty() && lists_.back() > 0) current_.block.number = lists_.back()++;
      break;
    case MD_BLOCK_H:
      begin(Block::Kind::Heading);
      current_.level = static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
      break;
    case MD_BLOCK_CODE: {
      begin(Block::Kind::Code);
      const MD_ATTRIBUTE& fence = static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->info;
      if (fence.text) current_.fence.assign(fence.text, fence.size);
      break;
    }
    case MD_BLOCK_P:
      if (!open_ || current_.block.kind != Block::Kind::Item || !current_.block.spans.empty()) {
        begin(Block::Kind::Paragraph);
      }
      break;
    default:
      end();
  }
}

void Collector::leaveBlock(MD_BLOCKTYPE type) {
  if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) lists_.pop_back();
  end();
}

void Collector::count(MD_SPANTYPE type, int change) {
  if (type == MD_SPAN_STRONG) strong_ += change;
  if (type == MD_SPAN_EM) emphasis_ += change;
  if (type == MD_SPAN_CODE) code_ += change;
}

/// Runs arrive in the order of the source, so lines are counted once.
void Collector::locate(std::string_view characters) {
  if (characters.empty() || std::less<>()(characters.data(), text_.data()) ||
      !std::less<>()(characters.data(), text_.data() + text_.size())) {
    return;
  }
  const auto offset = static_cast<std::size_t>(characters.data() - text_.data());
  if (offset >= scanned_) {
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(scanned_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
    scanned_ = offset;
  }
  if (open_ && current_.line == 0) {
    // A code block may begin with empty lines, whose text does not point into the source.
    int before = 0;
    if (current_.block.kind == Block::Kind::Code && !current_.block.spans.empty()) {
      const std::string& soFar = current_.block.spans.front().text;
      before = static_cast<int>(std::count(soFar.begin(), soFar.end(), '\n'));
    }
    current_.line = line_ - before;
  }
}

void Collector::append(std::string_view characters) {
  if (!open_) begin(Block::Kind::Paragraph);
  std::vector<Span>& spans = current_.block.spans;
  const bool block = current_.block.kind == Block::Kind::Code;
  Span span{{}, strong_ > 0, emphasis_ > 0, code_ > 0 || block};
  if (spans.empty() || spans.back().strong != span.strong || spans.back().emphasis != span.emphasis ||
      spans.back().code != span.code) {
    spans.push_back(std::move(span));
  }
  spans.back().text += characters;
}

/// Decodes "&amp;" and similar names, "&#960;" and "&#x3C0;". An unknown name stays as written.
std::string entity(std::string_view written) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kNamed = {
      {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&nbsp;", " "}}};
  for (const auto& [name, meaning] : kNamed) {
    if (written == name) return std::string(meaning);
  }
  if (!written.starts_with("&#") || written.size() < 4) return std::string(written);
  const bool hex = written[2] == 'x' || written[2] == 'X';
  const std::string_view digits = written.substr(hex ? 3 : 2);
  std::uint32_t code = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10).ec != std::errc()) code = 0;
  std::string text;
  appendUtf8(text, code == 0 ? U'\uFFFD' : static_cast<char32_t>(code));  // as CommonMark requires for NUL too
  return text;
}

void Collector::run(MD_TEXTTYPE type, std::string_view characters) {
  locate(characters);
  switch (type) {
    case MD_TEXT_BR:
    case MD_TEXT_SOFTBR:
      append(" ");
      break;
    case MD_TEXT_ENTITY:
      append(entity(characters));
      break;
    case MD_TEXT_NULLCHAR:
      append("\xEF\xBF\xBD");
      break;
    default:
      append(characters);
  }
}

}  // namespace

std::string MarkdownBlock::plain() const {
  std::string text;
  for (const Span& span : block.spans)
    text += span.text;
  return text;
}

Result<std::vector<MarkdownBlock>> parseMarkdown(std::string_view text) {
  MD_PARSER parser{};
  parser.flags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* collector) {
    static_cast<Collector*>(collector)->enterBlock(type, detail);
    return static_cast<Collector*>(collector)->tooDeep() ? 1 : 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* collector) {
    static_cast<Collector*>(collector)->leaveBlock(type);
    return 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void*, void* collector) {
    static_cast<Collector*>(collector)->count(type, 1);
    return 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* collector) {
    static_cast<Collector*>(collector)->count(type, -1);
    return 0;
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* run, MD_SIZE size, void* collector) {
    static_cast<Collector*>(collector)->run(type, {run, size});
    return 0;
  };
  if (opensTooMany(text))
    return fail(ErrorKind::BadInput,
                fmt::format("a line begins with more than {} list and quote markers", kMostMarkers));
  Collector collector(text);
  const int status = md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &collector);
  if (collector.tooDeep()) return fail(ErrorKind::BadInput, "lists are nested deeper than 8 levels");
  if (status != 0) return fail(ErrorKind::BadInput, "the Markdown cannot be read");
  return collector.take();
}

}  // namespace sepx::ui

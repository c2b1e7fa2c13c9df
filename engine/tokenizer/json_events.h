// SPDX-License-Identifier: Apache-2.0
// JSON as a sequence of events, for files of tens of megabytes that are mostly short strings: a string without escapes
// is a view into the file and is not copied. Strict: RFC 8259 and well-formed UTF-8. Memory grows only with the
// nesting, which the handler bounds. Private to engine/tokenizer; pure.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/utf8.h"

namespace sepx::tokenizer {

/// The handler must provide the functions below; each returns whether to continue. A view is valid until the next
/// event, or, where it lies in the file's text, as long as that text.
///   null()  boolean(bool)  negative(std::int64_t)  whole(std::uint64_t)  number(double)  string(std::string_view)
///   key(std::string_view)  begin(bool array)  end()
template <class Handler>
class JsonEvents {
 public:
  JsonEvents(std::string_view text, Handler& handler) : text_(text), handler_(handler) {}

  /// Returns the offset at which the text is not JSON; nothing when it is, or when the handler stopped (`stopped`).
  std::optional<std::size_t> run() {
    if (const auto broken = findInvalidUtf8(text_)) return broken;
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    do {
      if (!value()) return stopped_ ? std::nullopt : std::optional(at_);
      // Read what may follow a value, until another value must follow.
      for (bool more = true; more;) {
        skipBlanks();
        if (open_.empty()) return at_ == text_.size() ? std::nullopt : std::optional(at_);
        if (!afterValue(more)) return stopped_ ? std::nullopt : std::optional(at_);
      }
    } while (true);
  }
  bool stopped() const { return stopped_; }

 private:
  bool go(bool handled) {
    stopped_ = stopped_ || !handled;
    return handled;
  }
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skipBlanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      ++at_;
  }
  bool word(std::string_view wanted) {
    if (text_.substr(at_, wanted.size()) != wanted) return false;
    at_ += wanted.size();
    return true;
  }

  /// Reads one value; for a container that is not empty, its beginning and its first value.
  bool value() {
    for (;;) {
      skipBlanks();
      switch (here()) {
        case '"': {
          std::string_view read;
          return text(read) && go(handler_.string(read));
        }
        case '{':
        case '[': {
          const bool array = here() == '[';
          ++at_;
          if (!go(handler_.begin(array))) return false;
          skipBlanks();
          if (here() == (array ? ']' : '}')) {
            ++at_;
            return go(handler_.end());
          }
          open_.push_back(array);
          if (!array && !member()) return false;
          continue;
        }
        case 't':
          return word("true") && go(handler_.boolean(true));
        case 'f':
          return word("false") && go(handler_.boolean(false));
        case 'n':
          return word("null") && go(handler_.null());
        default:
          return numeral();
      }
    }
  }
  /// After a value: reads the end of its container (`more` stays true, because a container is a value) or a comma.
  bool afterValue(bool& more) {
    const bool array = open_.back();
    const char next = here();
    if (next == (array ? ']' : '}')) {
      ++at_;
      open_.pop_back();
      return go(handler_.end());
    }
    if (next != ',') return false;
    ++at_;
    more = false;
    skipBlanks();
    return array || member();
  }
  bool member() {
    skipBlanks();
    std::string_view name;
    if (here() != '"' || !text(name) || !go(handler_.key(name))) return false;
    skipBlanks();
    if (here() != ':') return false;
    ++at_;
    return true;
  }

  bool text(std::string_view& out) {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && !ends(text_[at_]))
      ++at_;
    out = text_.substr(begin, at_ - begin);
    if (here() == '"') {
      ++at_;
      return true;
    }
    scratch_ = out;
    while (at_ < text_.size()) {
      const char next = text_[at_];
      if (next == '"') {
        ++at_;
        out = scratch_;
        return true;
      }
      if (next == '\\') {
        if (!escape()) return false;
        continue;
      }
      if (ends(next)) return false;  // a control character
      scratch_ += next;
      ++at_;
    }
    return false;
  }
  static bool ends(char byte) { return byte == '"' || byte == '\\' || static_cast<unsigned char>(byte) < 0x20; }
  bool escape() {
    static constexpr std::string_view kNames = "\"\\/bfnrt", kBytes = "\"\\/\b\f\n\r\t";
    if (at_ + 1 >= text_.size()) return false;
    if (text_[at_ + 1] != 'u') {
      const std::size_t which = kNames.find(text_[at_ + 1]);
      if (which == std::string_view::npos) return false;
      scratch_ += kBytes[which];
      at_ += 2;
      return true;
    }
    std::uint32_t code = 0, low = 0;
    if (!four(at_ + 2, code)) return false;
    std::size_t length = 6;
    if (code >= 0xDC00 && code < 0xE000) return false;
    if (code >= 0xD800 && code < 0xDC00) {
      if (text_.substr(at_ + 6, 2) != "\\u" || !four(at_ + 8, low) || low < 0xDC00 || low > 0xDFFF) return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      length = 12;
    }
    appendUtf8(scratch_, static_cast<char32_t>(code));
    at_ += length;
    return true;
  }
  bool four(std::size_t at, std::uint32_t& code) const {
    if (at + 4 > text_.size()) return false;
    const auto read = std::from_chars(text_.data() + at, text_.data() + at + 4, code, 16);
    return read.ec == std::errc() && read.ptr == text_.data() + at + 4;
  }

  std::size_t digits(std::size_t at) const {
    while (at < text_.size() && text_[at] >= '0' && text_[at] <= '9')
      ++at;
    return at;
  }
  bool numeral() {
    const std::size_t begin = at_, first = here() == '-' ? at_ + 1 : at_;
    std::size_t end = digits(first);
    if (end == first || (text_[first] == '0' && end > first + 1)) return false;
    bool whole = true;
    const auto part = [&](std::size_t from) {
      const std::size_t to = digits(from);
      whole = false;
      if (to == from) return false;
      end = to;
      return true;
    };
    if (end < text_.size() && text_[end] == '.' && !part(end + 1)) return false;
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      const bool sign = end + 1 < text_.size() && (text_[end + 1] == '+' || text_[end + 1] == '-');
      if (!part(end + (sign ? 2 : 1))) return false;
    }
    const char *const from = text_.data() + begin, *const to = text_.data() + end;
    if (whole && first == begin) {
      std::uint64_t read = 0;
      if (std::from_chars(from, to, read).ec == std::errc()) return take(end, [&] { return handler_.whole(read); });
    } else if (whole) {
      std::int64_t read = 0;
      if (std::from_chars(from, to, read).ec == std::errc()) return take(end, [&] { return handler_.negative(read); });
    }
    double read = 0;
    const auto parsed = std::from_chars(from, to, read);
    // A number that is too small becomes 0; one that is too large for a double is an error.
    if (parsed.ec == std::errc::result_out_of_range) read = std::strtod(std::string(from, to).c_str(), nullptr);
    if (!std::isfinite(read)) return false;
    return take(end, [&] { return handler_.number(read); });
  }
  template <class Handle>
  bool take(std::size_t end, const Handle& handle) {
    at_ = end;
    return go(handle());
  }

  std::string_view text_;
  Handler& handler_;
  std::size_t at_ = 0;
  std::vector<bool> open_;  ///< open containers; true: an array
  std::string scratch_;
  bool stopped_ = false;
};

}  // namespace sepx::tokenizer

// SPDX-License-Identifier: Apache-2.0
#include "engine/core/terminal_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/core/utf8.h"

namespace sepx {
namespace {

constexpr std::size_t kMostWaiting = 1 << 16;  // bytes that wait for the end of their line

bool isControl(char32_t code) {
  const bool turns = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029 || turns;
}

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

}  // namespace

std::string forTerminal(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    std::size_t length = 1;
    while (length < std::min<std::size_t>(4, text.size()) && continues(text[length]))
      ++length;
    while (length > 1 && firstNotUtf8(text.substr(0, length)))
      --length;
    const std::string_view one = text.substr(0, length);
    text.remove_prefix(length);
    if (firstNotUtf8(one)) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(one[0]));
      continue;
    }
    const char32_t code = decodeUtf8(one).front();
    if (!isControl(code) || code == '\n' || code == '\t')
      shown += one;
    else
      shown += code < 0x100 ? fmt::format("\\x{:02x}", static_cast<unsigned>(code))
                            : fmt::format("\\u{:04x}", static_cast<unsigned>(code));
  }
  return shown;
}

std::string terminalLine(std::string_view sentence, std::size_t most) {
  std::string line = forTerminal(sentence.substr(0, most + 4));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  if (line.size() > most) {
    std::size_t end = most;
    while (end > 0 && continues(line[end]))
      --end;
    line.resize(end);
    line += "…";
  }
  while (!line.empty() && line.back() == ' ')
    line.pop_back();
  return line;
}

TerminalBuffer::int_type TerminalBuffer::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof())) return sync() == 0 ? 0 : traits_type::eof();
  const char one = traits_type::to_char_type(character);
  return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

std::streamsize TerminalBuffer::xsputn(const char* text, std::streamsize count) {
  waiting_.append(text, static_cast<std::size_t>(count));
  const std::size_t end = waiting_.rfind('\n');
  std::size_t ready = end == std::string::npos ? 0 : end + 1;
  if (ready == 0 && waiting_.size() > kMostWaiting) {
    ready = waiting_.size();
    while (ready > waiting_.size() - 4 && continues(waiting_[ready - 1]))
      --ready;
    --ready;  // what may be the first byte of a character that goes on
  }
  return ready == 0 || pass(ready) ? count : 0;
}

int TerminalBuffer::sync() {
  return pass(waiting_.size()) && terminal_.pubsync() == 0 ? 0 : -1;
}

bool TerminalBuffer::pass(std::size_t count) {
  const std::string shown = forTerminal(std::string_view(waiting_).substr(0, count));
  waiting_.erase(0, count);
  return terminal_.sputn(shown.data(), static_cast<std::streamsize>(shown.size())) ==
         static_cast<std::streamsize>(shown.size());
}

}  // namespace sepx

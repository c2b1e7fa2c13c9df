// SPDX-License-Identifier: Apache-2.0
#include "engine/core/terminal_output.h"

#include <algorithm>

#include "engine/core/terminal_text.h"

namespace sepx {
namespace {

constexpr std::size_t kMostWaiting = 1 << 16;  // bytes that are buffered until the line ends
constexpr std::size_t kCharacterBytes = 4;

}  // namespace

TerminalBuffer::int_type TerminalBuffer::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof())) return sync() == 0 ? 0 : traits_type::eof();
  const char one = traits_type::to_char_type(character);
  return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

std::streamsize TerminalBuffer::xsputn(const char* text, std::streamsize count) {
  waiting_.append(text, static_cast<std::size_t>(count));
  const std::string_view all = waiting_;
  const std::size_t end = all.rfind('\n');
  std::size_t ready = end == std::string_view::npos ? 0 : end + 1;
  if (all.size() - ready > kMostWaiting) ready = characterBoundary(all, all.size() - kCharacterBytes);
  if (ready == 0) return count;
  const bool passed = pass(all.substr(0, ready));
  waiting_.erase(0, ready);
  return passed ? count : 0;
}

int TerminalBuffer::sync() {
  const bool passed = pass(waiting_);
  waiting_.clear();
  return passed && terminal_.pubsync() == 0 ? 0 : -1;
}

/// Line by line, because printable() would join several lines into one.
bool TerminalBuffer::pass(std::string_view part) {
  while (!part.empty()) {
    const std::size_t end = std::min(part.find('\n'), part.size());
    std::string line = printable(part.substr(0, end));
    if (end < part.size()) line += '\n';
    part.remove_prefix(std::min(end + 1, part.size()));
    if (terminal_.sputn(line.data(), static_cast<std::streamsize>(line.size())) !=
        static_cast<std::streamsize>(line.size()))
      return false;
  }
  return true;
}

}  // namespace sepx

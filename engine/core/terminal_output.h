// SPDX-License-Identifier: Apache-2.0
// Filters an output stream to a terminal through printable() (terminal_text.h). One thread.
#pragma once

#include <streambuf>
#include <string>
#include <string_view>

namespace sepx {

/// A stream buffer between a stream and its terminal: passes every line through printable(). One thread.
class TerminalBuffer : public std::streambuf {
 public:
  explicit TerminalBuffer(std::streambuf& terminal) : terminal_(terminal) {}
  ~TerminalBuffer() override { sync(); }

 protected:
  int_type overflow(int_type character) override;  ///< as std::streambuf, without control characters
  std::streamsize xsputn(const char* text, std::streamsize count) override;  ///< the same
  int sync() override;                                                       ///< passes on the buffered text

 private:
  bool pass(std::string_view part);

  std::streambuf& terminal_;
  std::string waiting_;  ///< the incomplete last line
};

}  // namespace sepx

// SPDX-License-Identifier: Apache-2.0
// A whole stream on its way to a terminal, through printable() (terminal_text.h). One thread.
#pragma once

#include <streambuf>
#include <string>
#include <string_view>

namespace sepx {

/// Between a stream and the terminal that it writes to: every line that passes through is printable(). One thread.
class TerminalBuffer : public std::streambuf {
 public:
  explicit TerminalBuffer(std::streambuf& terminal) : terminal_(terminal) {}
  ~TerminalBuffer() override { sync(); }

 protected:
  int_type overflow(int_type character) override;  ///< as std::streambuf, without control characters
  std::streamsize xsputn(const char* text, std::streamsize count) override;  ///< the same
  int sync() override;                                                       ///< passes on what waits

 private:
  bool pass(std::string_view part);

  std::streambuf& terminal_;
  std::string waiting_;  ///< the line that has not ended
};

}  // namespace sepx

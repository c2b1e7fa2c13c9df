// SPDX-License-Identifier: Apache-2.0
// What a program prints on a terminal, through printable() (terminal_text.h): sentences, and a whole stream.
// A stream belongs to one thread; the functions are pure.
#pragma once

#include <streambuf>
#include <string>
#include <string_view>

namespace sepx {

/// printable(), cut to `most` bytes with an ellipsis.
std::string terminalLine(std::string_view sentence, std::size_t most = 2000);

/// Between a stream and the terminal that it writes to: every line that passes through is printable(). One thread.
class TerminalBuffer : public std::streambuf {
 public:
  explicit TerminalBuffer(std::streambuf& terminal) : terminal_(terminal) {}
  ~TerminalBuffer() override { sync(); }

 protected:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override;

 private:
  bool pass(std::string_view part);

  std::streambuf& terminal_;
  std::string waiting_;  ///< the line that has not ended
};

}  // namespace sepx

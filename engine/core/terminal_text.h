// SPDX-License-Identifier: Apache-2.0
// Text for a terminal. Texts of files, names and arguments may hold control characters, with which a stranger's file
// could move the cursor, change colours or write over what stands there. Pure; any thread.
#pragma once

#include <streambuf>
#include <string>
#include <string_view>

namespace sepx {

/// The text with every control character but line end and tab written out ("\x1b"), and so what is no UTF-8 and what
/// turns the direction of writing.
std::string forTerminal(std::string_view text);
/// One line of it: line ends become blanks, and what is longer than `most` bytes is cut, with an ellipsis.
std::string terminalLine(std::string_view sentence, std::size_t most = 2000);

/// Between a stream and the terminal that it writes to: what passes through is forTerminal(). One thread.
class TerminalBuffer : public std::streambuf {
 public:
  explicit TerminalBuffer(std::streambuf& terminal) : terminal_(terminal) {}
  ~TerminalBuffer() override { sync(); }

 protected:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override;

 private:
  bool pass(std::size_t count);

  std::streambuf& terminal_;
  std::string waiting_;  ///< may end inside a character
};

}  // namespace sepx

// SPDX-License-Identifier: Apache-2.0
// Runs a program that is measured: its standard error or standard output goes to a pipe that is read line by line, and
// its processor time can be queried.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace sepx::bench {

class Child {
 public:
  /// `logLevel` becomes SEPX_LOG. The pipe carries the standard output if `captureOutput`, otherwise the standard
  /// error; the other stream is discarded.
  Child(const std::vector<std::string>& command, const std::string& logLevel, bool captureOutput = false);
  ~Child();  ///< terminates and reaps the process
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// The next line of the pipe; std::nullopt at its end, or if no line arrives within `seconds`.
  std::optional<std::string> line(double seconds);
  /// The remaining text, until the pipe closes.
  std::string rest();
  /// User and system time so far, seconds.
  double processorSeconds() const;
  bool started() const { return pid_ > 0; }

 private:
  pid_t pid_ = -1;
  int pipe_ = -1;
  std::string buffer_;
};

}  // namespace sepx::bench

// SPDX-License-Identifier: Apache-2.0
// A program under measurement: started with its standard error in a pipe, read line by line, its processor time asked
// for.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace sepx::bench {

class Child {
 public:
  /// `logLevel` becomes SEPX_LOG. The program's standard output goes to the pipe when `captureOutput`, else to nowhere.
  Child(const std::vector<std::string>& command, const std::string& logLevel, bool captureOutput = false);
  ~Child();  ///< terminates and reaps it
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Next line of the pipe within `seconds`; nothing at its end or when time is over.
  std::optional<std::string> line(double seconds);
  /// Everything until the pipe closes.
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

// SPDX-License-Identifier: Apache-2.0
// A program that a test starts: its arguments and environment, its output and exit status. It can keep running while
// the test operates its window.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/patience.h"

namespace sepx::tests {

class Process {
 public:
  /// `environment`: changed variables; nullopt removes one. Standard error and standard output are collected in one
  /// text.
  Process(const std::vector<std::string>& command,
          const std::map<std::string, std::optional<std::string>>& environment = {});
  ~Process();  ///< ends the program if it still runs
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t id() const { return id_; }
  /// Waits for the end, at most `seconds`; empty if the program still runs then. A signal counts as 128 + its number.
  std::optional<int> wait(double seconds = static_cast<double>(kPatience.count()));
  /// The output so far.
  std::string output() const;

 private:
  pid_t id_ = -1;
  std::optional<int> status_;
  std::string outputPath_;
};

/// A folder of this test program in the build folder, emptied first.
std::string freshFolder(const std::string& name);

}  // namespace sepx::tests

// SPDX-License-Identifier: Apache-2.0
// A program started by a test: its arguments and environment, its output and exit status, and a way to leave it running
// while the test acts on its window.
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
  /// `environment`: changed variables; nullopt removes one. Standard error and output go to one text.
  Process(const std::vector<std::string>& command,
          const std::map<std::string, std::optional<std::string>>& environment = {});
  ~Process();  ///< ends it when it still runs
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t id() const { return id_; }
  /// Waits until it ended, at most `seconds`; nothing when it still runs then. A signal counts as 128 + its number.
  std::optional<int> wait(double seconds = static_cast<double>(kPatience.count()));
  /// What it wrote so far.
  std::string output() const;

 private:
  pid_t id_ = -1;
  std::optional<int> status_;
  std::string outputPath_;
};

/// A fresh folder of this test program under the build folder, emptied first.
std::string freshFolder(const std::string& name);

}  // namespace sepx::tests

// SPDX-License-Identifier: Apache-2.0
// A walk in its own process, whose end and output show what is wrong. Any thread.
#pragma once

#include <string>
#include <vector>

namespace sepx::monkey {

struct Outcome {
  bool passed = false;
  std::string sentence;   ///< what is wrong, in one sentence
  std::string signature;  ///< equal for scripts with the same failure
  int step = 0;           ///< the last step that was played, from 1; 0: the walk reached its end
  bool compared = true;   ///< whether the pictures of the first document were compared
  long peakMb = 0;        ///< resident memory
};

/// Limits of a process that plays a walk.
struct Bounds {
  long residentMb = 1500;   ///< more at any time is a failure
  long addressGb = 24;      ///< more is refused by the system: std::bad_alloc
  int silentSeconds = 600;  ///< without a new step, which is a hang: a waiting step is given up after 10 s
};

/// `command`: path and arguments. The program prints "@N" on its own line when step N begins, and "uncompared" if the
/// pictures were not compared. The working folder is `folder`, and the output is in `folder`/said.txt.
Outcome runChild(const std::vector<std::string>& command, const std::string& folder, const Bounds& bounds = {});

}  // namespace sepx::monkey

// SPDX-License-Identifier: Apache-2.0
// A walk in a process of its own: what it ends with says what is wrong. Any thread.
#pragma once

#include <string>
#include <vector>

namespace sepx::monkey {

struct Outcome {
  bool passed = false;
  std::string sentence;   ///< what is wrong; one sentence
  std::string signature;  ///< the same for two scripts that fail alike
  int step = 0;           ///< from 1, that was played last; 0: at its end
  bool compared = true;   ///< the pictures at the beginning
  long peakMb = 0;        ///< resident memory
};

/// Limits of a process that plays a walk.
struct Bounds {
  long residentMb = 1500;   ///< more at any time is a failure
  long addressGb = 24;      ///< more is refused by the system: std::bad_alloc
  int silentSeconds = 600;  ///< without a further step, which is a hang: a step ends by itself after two minutes
};

/// `command`: path and arguments. It says "@N" on a line of its standard output when step N
/// begins, and "uncompared" where that is so. The working
/// folder is `folder`, and what it says stands in `folder`/said.txt.
Outcome runChild(const std::vector<std::string>& command, const std::string& folder, const Bounds& bounds = {});

}  // namespace sepx::monkey

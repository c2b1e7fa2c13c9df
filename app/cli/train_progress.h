// SPDX-License-Identifier: Apache-2.0
// Progress of a run on standard error: one line that is overwritten on a terminal, a new line every ten seconds in a
// file. Main thread.
#pragma once

#include <chrono>
#include <optional>

#include "app/cli/verb.h"
#include "engine/train/snapshot.h"

namespace sepx::app::cli {

class TrainProgress {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kBetweenLines{10};

  explicit TrainProgress(Console& console, Clock::time_point start = Clock::now())
      : console_(console), lastLine_(start) {}
  ~TrainProgress();  ///< clears the line
  TrainProgress(const TrainProgress&) = delete;
  TrainProgress& operator=(const TrainProgress&) = delete;

  void show(const train::Snapshot& snapshot, Clock::time_point now = Clock::now());
  /// Prints a line. The next show() writes the progress line below it.
  void say(const std::string& line);

 private:
  Console& console_;
  Clock::time_point lastLine_;
  bool written_ = false;
};

}  // namespace sepx::app::cli

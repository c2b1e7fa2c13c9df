// SPDX-License-Identifier: Apache-2.0
// Describes a wait of a lesson to the user: what is waited for, its progress, the remaining time, and the time since
// the last progress. Frame thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ui/document/script.h"
#include "ui/runs/run.h"

namespace sepx::ui {

class Workbench;

class WaitWatch {
 public:
  /// `step` is a wait (waitsForWork()) and outlives this; `now` in seconds, as in look().
  WaitWatch(const ScriptStep& step, const Workbench& workbench, double now);
  /// To call once per frame.
  void look(double now);

  /// "Training to step 500: 27 %, about 40 s left".
  std::string words() const;
  /// Progress, 0 to 1; empty optional where the wait is not for a number that grows towards its goal.
  std::optional<double> share() const;
  /// Seconds that the wait has taken so far.
  double passed() const { return now_ - asked_; }
  /// Seconds since the value changed or a run trained.
  double idle() const { return now_ - moved_; }
  /// Why a run that is waited for has failed, one sentence; empty: none has.
  std::string failure() const;

 private:
  double position() const;
  std::string what() const;
  std::int64_t trained() const;

  const ScriptStep& step_;
  const Workbench& workbench_;
  std::vector<RunPointer> runs_;  ///< those that trained when the wait began
  double goal_ = 0, start_ = 0, asked_ = 0, began_ = 0, moved_ = 0, now_ = 0;
  std::string seen_;          ///< the value of the key in the last look()
  std::int64_t trained_ = 0;  ///< steps of all runs in the last look()
};

}  // namespace sepx::ui

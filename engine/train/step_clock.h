// SPDX-License-Identifier: Apache-2.0
// Estimates the duration of a step and of the remaining steps from the last steps. A step that took far longer than its
// neighbours (a suspended machine, a busy disk) counts no more than a slow one. Pauses are not included. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sepx::train {

class StepClock {
 public:
  static constexpr std::size_t kKept = 256;  ///< steps
  static constexpr double kSlowest = 20;     ///< a step counts as at most this many medians

  /// Records the duration of a step, with what belonged to it (evaluation, saving).
  void made(double seconds);
  double median() const;  ///< 0 before the first step
  /// Seconds for `steps` more steps; empty before kFew steps were recorded.
  std::optional<double> left(std::int64_t steps) const;
  static constexpr std::size_t kFew = 3;

 private:
  std::vector<double> recent_;  ///< a ring buffer
  std::size_t next_ = 0;
};

}  // namespace sepx::train

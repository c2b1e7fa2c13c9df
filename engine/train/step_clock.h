// SPDX-License-Identifier: Apache-2.0
// How long a step takes and how long the rest will: over the last steps, where one that took far longer than its
// neighbours (a suspended machine, a busy disk) counts no more than a slow one. Pauses are not its business. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sepx::train {

class StepClock {
 public:
  static constexpr std::size_t kKept = 256;  ///< steps
  static constexpr double kSlowest = 20;     ///< medians that one step counts at most

  /// A step and what belonged to it (evaluation, saving) took so long.
  void made(double seconds);
  double median() const;  ///< 0 before the first step
  /// Seconds for `steps` more; nothing before kFew steps.
  std::optional<double> left(std::int64_t steps) const;
  static constexpr std::size_t kFew = 3;

 private:
  std::vector<double> recent_;  ///< a ring
  std::size_t next_ = 0;
};

}  // namespace sepx::train

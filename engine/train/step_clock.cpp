// SPDX-License-Identifier: Apache-2.0
#include "engine/train/step_clock.h"

#include <algorithm>

namespace sepx::train {

void StepClock::made(double seconds) {
  if (recent_.size() < kKept) {
    recent_.push_back(seconds);
    return;
  }
  recent_[next_] = seconds;
  next_ = (next_ + 1) % kKept;
}

double StepClock::median() const {
  if (recent_.empty()) return 0;
  std::vector<double> sorted = recent_;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

std::optional<double> StepClock::left(std::int64_t steps) const {
  if (recent_.size() < kFew) return std::nullopt;
  const double most = kSlowest * median();
  double sum = 0;
  for (const double seconds : recent_)
    sum += std::min(seconds, most);
  return sum / static_cast<double>(recent_.size()) * static_cast<double>(std::max<std::int64_t>(steps, 0));
}

}  // namespace sepx::train

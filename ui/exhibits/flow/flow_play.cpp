// SPDX-License-Identifier: Apache-2.0
// The clock of the moving heads. Frame thread only.
#include "ui/exhibits/flow/flow_play.h"

#include <algorithm>

namespace sepx::ui {

void FlowPlay::toggle() {
  if (active_) {
    active_ = false;
    return;
  }
  if (!shown_) time_ = 0;
  active_ = shown_ = true;
  last_.reset();
}

void FlowPlay::stop() {
  active_ = shown_ = false;
  time_ = 0;
}

void FlowPlay::update(const FlowResults& results, double speed, double seconds) {
  if (!active_) return;
  double horizon = 0;
  for (std::size_t i = 0; i < results.points(); ++i)
    horizon = std::max(horizon, settlingTime(results.point(i)));
  if (last_) time_ += std::max(0.0, seconds - *last_) * speed * horizon / kSeconds;
  last_ = seconds;
  if (time_ < horizon) return;
  time_ = horizon;
  active_ = shown_ = false;
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The clock of the moving heads. Frame thread only.
#include "ui/exhibits/flow/shared/flow_play.h"

#include <algorithm>
#include <utility>

namespace sepx::ui {

void FlowPlay::toggle() {
  if (active_) {
    active_ = false;
    return;
  }
  if (!shown_) fresh_ = true;
  active_ = shown_ = true;
  last_.reset();
}

void FlowPlay::update(double begin, double horizon, double speed, double seconds) {
  if (!active_) return;
  if (std::exchange(fresh_, false)) time_ = begin;
  if (last_) time_ += std::max(0.0, seconds - *last_) * speed * (horizon - begin) / kSeconds;
  last_ = seconds;
  if (time_ < horizon) return;
  time_ = horizon;
  active_ = shown_ = false;
}

}  // namespace sepx::ui

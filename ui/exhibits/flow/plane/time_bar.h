// SPDX-License-Identifier: Apache-2.0
// See time_bar.cpp.
#pragma once

#include <vector>

#include "ui/exhibits/flow/shared/flow_play.h"
#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::ui {

std::vector<render::Item> timeItems(const FlowFrame& frame);

class TimeScrub {
 public:
  /// Whether the event was for the bar and for nothing else. Positions are page coordinates.
  bool handle(const InputEvent& event, const FlowLayout& layout, const TimeSpan& span, FlowPlay& play);
  /// Whether the pointer is over the bar, or holds it.
  bool near() const { return held_ || over_; }

 private:
  bool held_ = false, over_ = false;
};

}  // namespace sepx::ui

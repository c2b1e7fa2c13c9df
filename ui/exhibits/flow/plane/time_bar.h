// SPDX-License-Identifier: Apache-2.0
// The bar of the flow's time below the plane (FlowLayout::timeBar, page coordinates in points): the loss of the
// selected point along the time of the flow, and the moment at which the moving markers are. A drag in it moves the
// markers.
#pragma once

#include <vector>

#include "ui/exhibits/flow/shared/flow_play.h"
#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::ui {

/// The bar of a frame; nothing where the layout has none. Pure.
std::vector<render::Item> timeItems(const FlowFrame& frame);

/// The gesture that drags the moment. Frame thread.
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

// SPDX-License-Identifier: Apache-2.0
// The page of (e, w, a): what its declarations, numbers and words read. Frame thread.
#pragma once

#include <optional>
#include <string>

#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/space/space_results.h"
#include "ui/exhibits/flow/space/space_state.h"

namespace sepx::ui {

/// Moving heads: one clock for all points, scaled so that the slowest takes about eight seconds.
class SpacePlay {
 public:
  static constexpr double kSeconds = 8;
  void toggle();
  void update(const SpaceResults& results, double speed, double seconds);
  bool active() const { return active_; }
  std::optional<double> headTime() const { return shown_ ? std::optional<double>(time_) : std::nullopt; }

 private:
  bool active_ = false, shown_ = false;
  double time_ = 0;
  std::optional<double> last_;
};

/// What the getters read; lives as long as the page.
struct SpaceReadings {
  const FlowShared& shared;
  const SpaceState& space;
  const SpaceResults& results;
  const SpacePlay& play;
};

void declareSpace(PropertyRegistry& registry, const SpaceReadings& readings);
/// The cards of the read-outs.
void declareSpaceCards(PropertyRegistry& registry, const SpaceReadings& readings);
Numbers spaceNumbers(const SpaceReadings& readings);
/// `section`: whether it is drawn.
std::string spaceCaption(const SpaceReadings& readings, bool section = true);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The page of (e, w, a): what its declarations, numbers and words read. Frame thread.
#pragma once

#include <optional>
#include <string>

#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/space/space_results.h"
#include "ui/exhibits/flow/space/space_state.h"

namespace sepx::ui {

/// What the getters read; lives as long as the page.
struct SpaceReadings {
  const FlowShared& shared;
  const SpaceState& space;
  const SpaceResults& results;
  const FlowPlay& play;
};

void declareSpace(PropertyRegistry& registry, const SpaceReadings& readings);
/// The cards of the read-outs.
void declareSpaceCards(PropertyRegistry& registry, const SpaceReadings& readings);
Numbers spaceNumbers(const SpaceReadings& readings);
/// `section`: whether it is drawn.
std::string spaceCaption(const SpaceReadings& readings, bool section = true);

}  // namespace sepx::ui

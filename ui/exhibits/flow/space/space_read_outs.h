// SPDX-License-Identifier: Apache-2.0
// The parameters of the space of (e, w, a) and its read-outs. Frame thread.
#pragma once

#include "ui/exhibits/flow/shared/flow_play.h"
#include "ui/exhibits/flow/space/space_results.h"

namespace sepx::ui {

/// The objects that the getters read. They live as long as the page.
struct SpaceReadings {
  const FlowShared& shared;
  const SpaceState& space;
  const SpaceResults& results;
  const FlowPlay& play;
};

inline constexpr const char* kSpaceS = "S = e^2\\,(1+ae^2)\\,(1+2w|w|)";
inline constexpr const char* kSpaceEnergy = "E(e,w,a) = e^2-\\left(w^2+\\sgn(w)\\,\\log|w|\\right)-2a^2";
inline constexpr const char* kSpaceSurface =
    "a = k\\,\\frac{\\mathrm{Ai}'(-ks)}{\\mathrm{Ai}(-ks)},\\quad s = e^2-4a^2,\\quad k = 4^{-1/3},\\quad p+q>1,\\ "
    "w\\ge0";

/// The parameters.
void declareSpace(PropertyRegistry& registry);
void declareSpaceReadOuts(PropertyRegistry& registry, const SpaceReadings& readings);

}  // namespace sepx::ui

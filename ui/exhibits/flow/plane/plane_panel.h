// SPDX-License-Identifier: Apache-2.0
// What is shown of the plane, in the ImGui panel: switches of its layers, colour scale, basins, cloud. Frame thread,
// inside an ImGui frame.
#pragma once

#include "ui/exhibit/page_kit.h"
#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::ui {

void drawPlanePanel(const FlowState& state, const PlaneLayers& layers, ExhibitContext& context, PagePanel& panel);

}  // namespace sepx::ui

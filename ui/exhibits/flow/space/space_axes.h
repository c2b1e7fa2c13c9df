// SPDX-License-Identifier: Apache-2.0
// The layout of the space page, the box and its axes, the handles, and the axis gizmo. Pure functions of a frame.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "ui/exhibits/flow/space/space_scene.h"

namespace sepx::ui {

/// `legend`: whether there is one. In a figure, figureLayout() places it.
SpaceLayout layoutSpace(const PageArea& area, const SpaceState& space, bool legend = true);

markov::Place3 placeOf(const FlowPoint& point);

/// All handles of the picture. Later ones are drawn above.
std::vector<SpaceHandle> spaceHandles(const SpaceFrame& frame);

/// Adds the lines of the box, unlit, to the scene.
void addBox(render::Scene3& scene, const SpaceFrame& frame);
/// Ticks and names on the outer edges of the box.
std::vector<render::Item> spaceAxisItems(const SpaceFrame& frame);

std::vector<render::Item> gizmoItems(const SpaceFrame& frame);
/// The end of a gizmo's axis under a place of the page: axis, and whether it is the upper end.
std::optional<std::pair<int, bool>> gizmoAt(const SpaceFrame& frame, render::Point at);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Where things of the space are on the page, its box and axes, what can be taken hold of, and the gizmo. Pure functions
// of a frame.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "ui/exhibits/flow/space/space_scene.h"

namespace sepx::ui {

/// `legend`: whether there is one. In a figure it has its place in figureLayout().
SpaceLayout layoutSpace(const PageArea& area, const SpaceState& space, bool legend = true);

markov::Place3 placeOf(const FlowPoint& point);

/// Later ones are drawn above.
std::vector<SpaceHandle> spaceHandles(const SpaceFrame& frame);

/// Lines of the box, unlit, for the scene.
void addBox(render::Scene3& scene, const SpaceFrame& frame);
/// Ticks and names on the outer edges of the box.
std::vector<render::Item> spaceAxisItems(const SpaceFrame& frame);

std::vector<render::Item> gizmoItems(const SpaceFrame& frame);
/// The end of a gizmo's axis under a place of the page: axis, and whether it is the upper end.
std::optional<std::pair<int, bool>> gizmoAt(const SpaceFrame& frame, render::Point at);

}  // namespace sepx::ui

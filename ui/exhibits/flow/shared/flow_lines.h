// SPDX-License-Identifier: Apache-2.0
// Lines of the Flow picture: cut to the window, thinned to what can be seen at this size, with an edge around them so
// that they are read on every colour below. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::ui {

/// The window and a margin around it: what lies further out is not drawn at all.
render::Rect drawnWindow(const render::Rect& window);
bool nearWindow(const FlowFrame& frame, render::Point at);

/// A line with its casing. `fade` per point, may be empty. Points that are not finite break it.
void addLine(std::vector<render::Item>& items, const std::vector<render::Point>& points, const render::Stroke& stroke,
             const FlowFrame& frame, const std::vector<double>& fade = {});

/// A name beside a place in the plane: above (or below) and to the right of it, turned where the plot ends there.
render::Label nameAt(const FlowFrame& frame, render::Point at, const std::string& name, render::Color color,
                     double away, bool above);

}  // namespace sepx::ui

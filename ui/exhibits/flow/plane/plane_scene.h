// SPDX-License-Identifier: Apache-2.0
// The plane page's own views: what follows from the model, what the user placed, and the read-outs over the plane. Pure
// functions of a frame.
#pragma once

#include <string>
#include <vector>

#include "ui/exhibits/flow/plane/plane_layer.h"
#include "ui/exhibits/flow/shared/flow_layout.h"

namespace sepx::ui {

/// Adds the views of the model (fields, axes, sets) and of what the user placed (points, paths, trajectories).
void addPlaneViews(const FlowFrame& frame, PlaneViews& into);
/// Adds the read-out, the time bar and the square of (p, q).
void addWordViews(const FlowFrame& frame, PlaneViews& into);

/// The time bar: the loss of the selected point over the time of the flow, and the current time of the moving markers.
std::vector<render::Item> timeItems(const FlowFrame& frame);

}  // namespace sepx::ui

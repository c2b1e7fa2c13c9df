// SPDX-License-Identifier: Apache-2.0
// The plane's own views: what follows from the model, what a person placed, and what is written over it. Pure functions
// of a frame.
#pragma once

#include <string>
#include <vector>

#include "ui/exhibits/flow/plane/plane_layer.h"
#include "ui/exhibits/flow/shared/flow_layout.h"

namespace sepx::ui {

/// What follows from the model, and what a person placed.
void addPlaneViews(const FlowFrame& frame, PlaneViews& into);
/// What the read-out says, and the bar of time.
void addWordViews(const FlowFrame& frame, PlaneViews& into);

/// The loss of the selected point along the time of the flow, and the moment at which the moving markers are.
std::vector<render::Item> timeItems(const FlowFrame& frame);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Grid, axes and imported trajectories of the plane as items of a picture, and the colour map of the loss. Pure
// functions of a frame.
#pragma once

#include <vector>

#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::ui {

std::vector<render::Item> gridItems(const FlowFrame& frame);
std::vector<render::Item> axisItems(const FlowFrame& frame);

std::vector<render::Item> ownItems(const FlowFrame& frame);

/// Colour map of the loss. Under basins it is grey, so that the hue shows only the basin, as in the legend.
render::ColorMap lossMap(const FlowFrame& frame);

}  // namespace sepx::ui

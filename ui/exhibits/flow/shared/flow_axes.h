// SPDX-License-Identifier: Apache-2.0
// The plane's grid, axes, own marks and the colours of the loss, as items of a picture. Pure functions of a frame.
#pragma once

#include <vector>

#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::ui {

std::vector<render::Item> gridItems(const FlowFrame& frame);
std::vector<render::Item> axisItems(const FlowFrame& frame);

std::vector<render::Item> ownItems(const FlowFrame& frame);

/// Of the loss; with basins over it the loss is told by lightness alone, so that the hue is the basin's, as in the
/// legend.
render::ColorMap lossMap(const FlowFrame& frame);

}  // namespace sepx::ui

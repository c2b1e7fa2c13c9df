// SPDX-License-Identifier: Apache-2.0
// What is written over the space: names, legend and read-out, with the layout of a figure that has a legend. Pure
// functions of a frame.
#pragma once

#include <optional>
#include <vector>

#include "ui/exhibits/flow/space/space_scene.h"

namespace sepx::ui {

/// Letters of the axis handle and names of points.
std::vector<render::Item> spaceNameItems(const SpaceFrame& frame);
/// The layout of a figure with its legend beside the picture or, on a narrow page, below it.
SpaceLayout figureLayout(const SpaceFrame& frame);
/// Where the legend is; nothing where there is none.
std::optional<render::Rect> spaceLegendBox(const SpaceFrame& frame);
/// The shares of its room that put its upper left corner at a place of the page.
render::Point spaceLegendShares(const SpaceFrame& frame, render::Point corner);
std::vector<render::Item> spaceLegendItems(const SpaceFrame& frame);
std::vector<render::Item> spaceReadOutItems(const SpaceFrame& frame);

}  // namespace sepx::ui

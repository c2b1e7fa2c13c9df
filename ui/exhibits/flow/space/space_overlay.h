// SPDX-License-Identifier: Apache-2.0
// What is drawn over the picture of (e, w, a): names, legend and read-out. Also the layout of a figure that has a
// legend. Pure functions of a frame.
#pragma once

#include <optional>
#include <vector>

#include "ui/exhibits/flow/space/space_scene.h"

namespace sepx::ui {

/// Names of points, letters of the axis arrows, and the positions of the slice and clip planes.
std::vector<render::Item> spaceNameItems(const SpaceFrame& frame);
/// The layout of a figure with its legend beside the picture or, on a narrow page, below it.
SpaceLayout figureLayout(const SpaceFrame& frame);
/// The box of the legend; empty if there is none.
std::optional<render::Rect> spaceLegendBox(const SpaceFrame& frame);
/// The shares (SpaceLegend) that put the legend's upper left corner at a place of the page.
render::Point spaceLegendShares(const SpaceFrame& frame, render::Point corner);
std::vector<render::Item> spaceLegendItems(const SpaceFrame& frame);
std::vector<render::Item> spaceReadOutItems(const SpaceFrame& frame);

}  // namespace sepx::ui

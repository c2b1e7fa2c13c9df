// SPDX-License-Identifier: Apache-2.0
// The inset with the section, and the slider of its plane. Pure functions of a frame.
#pragma once

#include <vector>

#include "ui/exhibits/flow/space/space_scene.h"

namespace sepx::ui {

/// The section in its inset: pixels, traces, points, the slider. `camera`: maps data coordinates to the page.
std::vector<render::Item> insetItems(const SpaceFrame& frame, const Camera& camera);
/// The camera of the inset, from section coordinates to the page.
Camera insetCamera(const SpaceFrame& frame);
/// The handles of the initial points in the inset, each projected along the axis across the section.
std::vector<SpaceHandle> insetHandles(const SpaceFrame& frame);
/// Converts a place on the slider (page) to the coordinate of the plane across its axis, and back.
double sliderValue(const SpaceFrame& frame, double pageY);
double sliderPlace(const SpaceFrame& frame, double at);

}  // namespace sepx::ui

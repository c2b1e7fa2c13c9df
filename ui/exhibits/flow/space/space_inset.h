// SPDX-License-Identifier: Apache-2.0
// The inset with the section, and the slider of its plane. Pure functions of a frame.
#pragma once

#include <vector>

#include "ui/exhibits/flow/space/space_scene.h"

namespace sepx::ui {

/// The section in its inset: pixels, traces, points, the slider. `camera`: how data coordinates lie on the page.
std::vector<render::Item> insetItems(const SpaceFrame& frame, const Camera& camera);
/// Section coordinates of the inset.
Camera insetCamera(const SpaceFrame& frame);
/// Points of the section's inset: where each initial point stands when it is seen along the axis across.
std::vector<SpaceHandle> insetHandles(const SpaceFrame& frame);
/// A place of the slider as a coordinate across the plane, and back.
double sliderValue(const SpaceFrame& frame, double pageY);
double sliderPlace(const SpaceFrame& frame, double at);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// What the plane shows of the points beyond paths, limits and handles: the ways back. Frame thread.
#pragma once

#include <memory>
#include <optional>

#include "ui/canvas/theme.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/exhibits/flow/shared/plane_layer.h"

namespace sepx::ui {

/// The colour that a person gave a point; nothing without one.
std::optional<render::Color> ownColor(const FlowPoint& point);

std::unique_ptr<PlaneLayer> makeWaysBack();

}  // namespace sepx::ui

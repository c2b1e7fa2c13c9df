// SPDX-License-Identifier: Apache-2.0
// Layers of the energy: its level sets and its profile on e = 0. Frame thread.
#pragma once

#include <memory>
#include <optional>

#include "ui/exhibits/flow/plane/plane_layer.h"

namespace sepx::ui {

std::unique_ptr<PlaneLayer> makeContourLayer();
std::unique_ptr<PlaneLayer> makeProfileLayer();

/// Where the energy profile on e = 0 goes in a layout whose legend is placed; empty if it is off or has no room.
std::optional<ProfilePlace> profilePlace(const FlowFrame& frame);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The layer of the flow's texture (line integral convolution). Frame thread.
#pragma once

#include <memory>
#include <vector>

#include "ui/exhibits/flow/plane/plane_layer.h"

namespace sepx::ui {

std::unique_ptr<PlaneLayer> makeTextureLayer();

/// Colours of the 256 levels of a texture: the theme's background below the neutral level and its text colour above,
/// the more opaque the farther from the neutral level.
std::vector<render::Color> texturePalette(const Theme& theme);

}  // namespace sepx::ui

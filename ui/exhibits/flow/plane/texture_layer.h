// SPDX-License-Identifier: Apache-2.0
// The texture of the flow over the ground of the plane (flow.show.texture): grains of noise drawn out along the field's
// lines, darker and lighter than what lies under them in every theme. Frame thread.
#pragma once

#include <memory>

#include "ui/exhibits/flow/plane/plane_layer.h"

namespace sepx::ui {

std::unique_ptr<PlaneLayer> makeTextureLayer();

/// Colours of the 256 levels of a texture: the theme's ground below the neutral level, its text above, by how far.
std::vector<render::Color> texturePalette(const Theme& theme);

}  // namespace sepx::ui

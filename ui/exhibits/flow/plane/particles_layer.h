// SPDX-License-Identifier: Apache-2.0
// A cloud of moving particles over the plane (flow.show.particles), splatted as density, with the share that each basin
// got so far beside the exact one. Frame thread.
#pragma once

#include <memory>

#include "ui/exhibits/flow/plane/plane_layer.h"

namespace sepx::ui {

std::unique_ptr<PlaneLayer> makeParticlesLayer();

/// Colours of the 256 levels of a density: nothing, then the theme's text ever more opaque.
std::vector<render::Color> densityPalette(const Theme& theme);

}  // namespace sepx::ui

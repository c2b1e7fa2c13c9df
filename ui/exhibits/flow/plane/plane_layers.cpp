// SPDX-License-Identifier: Apache-2.0
// The layers of the plane beyond its first ones, bottom first. A new one is one line here.
#include "ui/exhibits/flow/plane/plane_layer.h"

#include "ui/exhibits/flow/plane/contour_layers.h"
#include "ui/exhibits/flow/plane/particles_layer.h"
#include "ui/exhibits/flow/plane/texture_layer.h"

namespace sepx::ui {

PlaneLayers makePlaneLayers() {
  PlaneLayers layers;
  layers.push_back(makeColorLayer());
  layers.push_back(makeTextureLayer());
  layers.push_back(makeParticlesLayer());
  layers.push_back(makeNullclineLayer());
  layers.push_back(makeWaysBack());
  layers.push_back(makeGuidelineLayer());
  layers.push_back(makeContourLayer());
  layers.push_back(makeCommonLayer());
  layers.push_back(makeNamesLayer());
  layers.push_back(makeProfileLayer());
  return layers;
}

}  // namespace sepx::ui

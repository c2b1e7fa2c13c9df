// SPDX-License-Identifier: Apache-2.0
// Layers of the chosen field: the colours of the plane, nullclines, and the flow run backwards. Frame thread.
#pragma once

#include <memory>

#include "ui/exhibits/flow/plane/plane_layer.h"

namespace sepx::ui {

std::unique_ptr<PlaneLayer> makeColorLayer();
std::unique_ptr<PlaneLayer> makeNullclineLayer();
/// The flow run backwards from every point.
std::unique_ptr<PlaneLayer> makeBackwardPathLayer();

}  // namespace sepx::ui

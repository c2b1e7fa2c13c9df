// SPDX-License-Identifier: Apache-2.0
// The layer of a real transformer that trains from a point of the plane. Frame thread.
#pragma once

#include <memory>

#include "ui/exhibits/flow/plane/plane_layer.h"

namespace sepx::ui {

/// A real transformer that trains from a point of the plane.
std::unique_ptr<PlaneLayer> makeRealLayer();

}  // namespace sepx::ui

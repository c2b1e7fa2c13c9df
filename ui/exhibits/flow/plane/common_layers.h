// SPDX-License-Identifier: Apache-2.0
// Layers that two settings of the plane have in common: the region that both reach, the names of its sets, and the
// guidelines. Frame thread.
#pragma once

#include "ui/exhibits/flow/plane/plane_layer.h"

namespace sepx::ui {

std::unique_ptr<PlaneLayer> makeCommonLayer();
std::unique_ptr<PlaneLayer> makeGuidelineLayer();

std::unique_ptr<PlaneLayer> makeNamesLayer();

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The region from which both kinds of chain reach global minima, and the names of the sets of the plane. Frame thread.
#pragma once

#include "ui/exhibits/flow/plane/plane_layer.h"

namespace sepx::ui {

std::unique_ptr<PlaneLayer> makeCommonLayer();
std::unique_ptr<PlaneLayer> makeNamesLayer();

}  // namespace sepx::ui

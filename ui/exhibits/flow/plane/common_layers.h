// SPDX-License-Identifier: Apache-2.0
// The layers of the region from which both kinds of chain (p + q below and above 1) reach global minima, and of the
// names of the plane's sets. Frame thread.
#pragma once

#include "ui/exhibits/flow/plane/plane_layer.h"

namespace sepx::ui {

std::unique_ptr<PlaneLayer> makeCommonLayer();
std::unique_ptr<PlaneLayer> makeNamesLayer();

}  // namespace sepx::ui

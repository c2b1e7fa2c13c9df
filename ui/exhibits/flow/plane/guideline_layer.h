// SPDX-License-Identifier: Apache-2.0
// The layer of the guideline of A.3.2: every point of the Gaussian cloud outside I_common starts instead at the
// recommended initialisation (e,w) = (0.5, -1), which is read as canonical scalars (erratum 15). Frame thread.
#pragma once

#include <memory>

#include "ui/exhibits/flow/plane/plane_layer.h"

namespace sepx::ui {

/// The key of its parameter is flow.guideline.
std::unique_ptr<PlaneLayer> makeGuidelineLayer();

}  // namespace sepx::ui

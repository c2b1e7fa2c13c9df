// SPDX-License-Identifier: Apache-2.0
// The exhibit of Local-to-Global: gradient flow in the (e,w) plane, and every other plane field of the registry. Drag a
// point, see where it goes. Frame thread only; long work runs as jobs on the lanes flow.loss, flow.basin, flow.paths,
// flow.cloud.
#pragma once

#include <memory>

#include "ui/page/exhibit.h"

namespace sepx::ui {

std::unique_ptr<Exhibit> makeFlowExhibit();

}  // namespace sepx::ui

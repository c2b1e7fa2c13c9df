// SPDX-License-Identifier: Apache-2.0
// The Flow exhibit (Local-to-Global): gradient flow in the (e,w) plane, and every other plane field of the registry.
// The user drags an initial point and sees where the flow takes it. Frame thread only; long work runs as jobs on lanes
// whose names begin with "flow.".
#pragma once

#include <memory>

#include "ui/page/exhibit.h"

namespace sepx::ui {

std::unique_ptr<Exhibit> makeFlowExhibit();

}  // namespace sepx::ui

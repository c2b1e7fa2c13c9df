// SPDX-License-Identifier: Apache-2.0
// Declares the initial points, their read-outs, and the parameters for placing many points at once.
#pragma once

#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// Declares the initial points, their read-outs and the placing of many points at once. Called by declareFlow().
void declarePoints(PropertyRegistry& registry, const FlowShared& readings);

}  // namespace sepx::ui

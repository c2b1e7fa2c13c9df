// SPDX-License-Identifier: Apache-2.0
// Every parameter and read-out of the Flow exhibit, declared once: control, script key, session field and help come
// from here.
#pragma once

#include "ui/exhibits/flow/shared/flow_shared.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// Called by declareFlow(): the initial points, what each of them is known for, and how many are placed at once.
void declarePoints(PropertyRegistry& registry, const FlowShared& readings);

/// Called by declareFlow(): the colour scale.
void declareLimits(PropertyRegistry& registry, const FlowShared& readings);

void declareFlow(PropertyRegistry& registry, const FlowShared& readings);

}  // namespace sepx::ui

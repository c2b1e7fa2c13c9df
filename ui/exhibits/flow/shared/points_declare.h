// SPDX-License-Identifier: Apache-2.0
// The initial points, what each of them is known for, and how many are placed at once.
#pragma once

#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// Called by declareFlow(): the initial points, what each of them is known for, and how many are placed at once.
void declarePoints(PropertyRegistry& registry, const FlowShared& readings);

}  // namespace sepx::ui

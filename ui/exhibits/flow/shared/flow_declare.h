// SPDX-License-Identifier: Apache-2.0
// What the pages of the Flow exhibit share: parameters and read-outs.
#pragma once

#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

void declareFlow(PropertyRegistry& registry, const FlowShared& readings);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Declares the parameters and read-outs that the pages of the Flow exhibit share.
#pragma once

#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

void declareFlow(PropertyRegistry& registry, const FlowShared& readings);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Every parameter and read-out of the Flow exhibit, declared once: control, script key, session field and help come
// from here.
#pragma once

#include <optional>
#include <vector>

#include "ui/exhibits/flow/shared/flow_play.h"
#include "ui/exhibits/flow/shared/flow_results.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// What the read-outs read; the referents outlive the registry.
struct FlowReadings {
  const FlowState& state;
  const FlowResults& results;
  const FlowPlay& play;
  const std::optional<render::Point>& hover;  ///< data under the pointer
  const std::vector<FieldPointer>& fields;
};

/// Called by declareFlow(): the initial points, what each of them is known for, and how many are placed at once.
void declarePoints(PropertyRegistry& registry, const FlowReadings& readings);

/// Called by declareFlow(): the colour scale.
void declareLimits(PropertyRegistry& registry, const FlowReadings& readings);

void declareFlow(PropertyRegistry& registry, const FlowReadings& readings);

}  // namespace sepx::ui

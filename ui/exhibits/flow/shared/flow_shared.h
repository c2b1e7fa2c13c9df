// SPDX-License-Identifier: Apache-2.0
// What the pages of the Flow exhibit share.
#pragma once

#include <optional>
#include <vector>

#include "ui/exhibits/flow/shared/flow_play.h"
#include "ui/exhibits/flow/shared/flow_results.h"
#include "ui/exhibits/flow/shared/flow_state.h"

namespace sepx::ui {

/// The referents live as long as the exhibit. The plane works on results, play and place; the others read them.
struct FlowShared {
  const FlowState& state;
  FlowResults& results;  ///< of the plane; its paths are kept up to date for every page that lists the points
  FlowPlay& play;        ///< of the plane
  std::optional<render::Point>& hover;  ///< data of the plane, under the pointer
  const std::vector<FieldPointer>& fields;
};

}  // namespace sepx::ui

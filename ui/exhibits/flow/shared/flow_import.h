// SPDX-License-Identifier: Apache-2.0
// A table that a person dropped, as initial points or as trajectories of their own: which of the two its columns say.
// Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/core/table.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/properties/refused.h"

namespace sepx::ui {

inline constexpr std::size_t kMostPoints = kMostElements;
inline constexpr std::size_t kMostSamples = 200'000;  ///< of all imported trajectories together

/// One of the two lists is empty.
struct ImportedTable {
  std::vector<FlowPoint> points;
  std::vector<Trajectory> trajectories;
};

/// Columns e,w, or the field's variables, or x,y, or the only two that are numbers; of points also name, a and color
/// ("#rrggbb"). With a column of time (t, time,
/// step, …) or of a trajectory's name (point, trajectory, run, …) they are trajectories, else initial points. Usage
/// with the columns it knows; BadInput with the row whose number is missing. `name`: the file's.
Result<ImportedTable> readImported(const Table& table, const std::string& name, const FlowState& state);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Reads an imported table as initial points or as trajectories; its columns decide which. Pure.
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

/// The coordinates are the columns named after the field's variables, e,w or x,y, or else the only two numeric columns.
/// A table with a column of time (t, time, step, …) or of trajectory names (point, trajectory, run, …) is read as
/// trajectories. Any other table is read as initial points, optionally with name, a and color ("#rrggbb"). Errors:
/// Usage with the table's columns if the coordinates cannot be identified; BadInput with the row of a missing or
/// invalid number. `name`: of the file.
Result<ImportedTable> readImported(const Table& table, const std::string& name, const FlowState& state);

}  // namespace sepx::ui

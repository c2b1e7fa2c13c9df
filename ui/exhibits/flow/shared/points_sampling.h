// SPDX-License-Identifier: Apache-2.0
// Many initial points at once: a grid, a ring, a Gaussian cloud N(c, sigma^2 I). The same request places the same
// points on every machine and thread. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ui/exhibits/flow/shared/flow_state.h"

namespace sepx::ui {

/// Largest number of points placed at once; all points together are bounded by kMostPoints.
inline constexpr int kMostSampled = 20'000;

enum class SampleShape { Grid, Ring, Gauss };

struct Sampling {
  SampleShape shape = SampleShape::Grid;
  int count = 25;
  double radius = 1;  ///< of the ring; half the side of the grid's square
  double sigma = 0.3;
  FlowPoint center;           ///< its name and colour are ignored
  std::uint64_t seed = 0;     ///< the document's
  std::uint64_t program = 0;  ///< --seed
  bool threeD = false;        ///< a cloud is also spread in a; a grid or a ring lies at the centre's a
};

/// Returns exactly `count` points without names. A grid has ceil(sqrt(count)) columns, row by row from the lower left;
/// the last row may be shorter. A ring begins at the right and runs counter-clockwise.
std::vector<FlowPoint> sampledPoints(const Sampling& sampling);

/// Reads the request from the document's flow.sampling.* values.
Sampling readSampling(const Document& document, const PropertyRegistry& registry, const FlowState& state,
                      SampleShape shape, bool threeD, std::uint64_t program);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// The positions of a field's attractors, for the kernels that test which of them an orbit has reached. Any thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/dynamics/vector_field.h"
#include "shaders/include/kernel_params.h"

namespace sepx::gpu {

inline constexpr std::size_t kMostAttractors = 64;  ///< per field

/// The first kMostAttractors attractors, in data coordinates. Empty for a field that classifies points itself.
inline std::vector<glsl::vec2> attractorsOf(const dynamics::VectorField& field, std::span<const double> parameters) {
  std::vector<glsl::vec2> attractors;
  if (field.hasClassifier()) return attractors;
  for (const dynamics::FixedPoint& point : field.fixedPoints(parameters))
    if (point.kind == dynamics::LimitKind::Attractor && attractors.size() < kMostAttractors)
      attractors.push_back({static_cast<float>(point.x[0]), static_cast<float>(point.x[1])});
  return attractors;
}

}  // namespace sepx::gpu

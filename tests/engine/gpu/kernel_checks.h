// SPDX-License-Identifier: Apache-2.0
// Comparison of a kernel with its CPU reference in double precision: labels by the share that differs away from basin
// boundaries, orbits element by element.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/dynamics/basin_map.h"
#include "engine/dynamics/trajectories.h"
#include "engine/gpu/kernels/compute_program.h"
#include "engine/markov/canonical_field.h"
#include "engine/markov/flow.h"
#include "tests/engine/gpu/gpu_test.h"

namespace sepx::gpu {

inline dynamics::FieldRegistry allFields() {
  dynamics::FieldRegistry registry = dynamics::textbookFields();
  markov::addCanonicalFields(registry);
  return registry;
}

inline std::vector<double> fallbacks(const dynamics::VectorField& field) {
  std::vector<double> values;
  for (const dynamics::FieldParameter& parameter : field.info().parameters)
    values.push_back(parameter.fallback);
  return values;
}

inline dynamics::BasinWindow windowOf(const dynamics::VectorField& field, int width, int height) {
  const dynamics::FieldInfo& info = field.info();
  return {info.windowMin[0], info.windowMax[0], info.windowMin[1], info.windowMax[1], width, height};
}

/// Compares a kernel with its CPU reference for every registered field of the plane. `check` gets the context, the
/// field and a pool. A new field of the plane needs shaders/fields/<key>.glsl and its line in shaders/CMakeLists.txt.
template <class Check>
void forEveryPlaneField(const char* kernel, const Check& check) {
  const auto context = makeContext();
  const auto registry = allFields();
  ThreadPool pool;
  int covered = 0;
  for (const auto& field : registry.all()) {
    const std::string& key = field->info().key;
    CAPTURE(key);
    if (field->dimension() != 2) continue;
    REQUIRE(hasKernel(kernel, key));
    ++covered;
    check(*context, *field, pool);
  }
  CHECK(covered >= 2);
  requireClean(*context);
}

struct LabelComparison {
  std::size_t inside = 0;     ///< pixels whose neighbours in `reference` all have the same label
  std::size_t different = 0;  ///< number of these pixels that differ
  double share() const { return inside ? static_cast<double>(different) / static_cast<double>(inside) : 0.0; }
};

/// Pixels next to a boundary of `reference` are left out, because their label depends on the last digit of the pixel's
/// position.
inline LabelComparison compareLabels(const dynamics::BasinMap& map, const dynamics::BasinMap& reference) {
  const int width = reference.window.width, height = reference.window.height;
  const auto label = [&](int x, int y) {
    return reference
        .labels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
  };
  LabelComparison result;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      bool edge = false;
      for (int v = std::max(y - 1, 0); v <= std::min(y + 1, height - 1); ++v)
        for (int u = std::max(x - 1, 0); u <= std::min(x + 1, width - 1); ++u)
          edge |= label(u, v) != label(x, y);
      if (edge) continue;
      ++result.inside;
      const std::size_t at =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
      result.different += map.labels[at] != reference.labels[at];
    }
  return result;
}

/// The share of orbits with an element that differs from the reference by more than `tolerance`.
inline double strayShare(const dynamics::TrajectoryBatch& batch, const dynamics::TrajectoryBatch& reference,
                         double tolerance) {
  if (batch.points == 0) return 0;
  const std::size_t length = batch.states.size() / static_cast<std::size_t>(batch.points);
  int stray = 0;
  for (int point = 0; point < batch.points; ++point) {
    bool far = false;
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t at = static_cast<std::size_t>(point) * length + i;
      far |= !(std::abs(batch.states[at] - reference.states[at]) <= tolerance);
    }
    stray += far;
  }
  return stray / static_cast<double>(batch.points);
}

}  // namespace sepx::gpu

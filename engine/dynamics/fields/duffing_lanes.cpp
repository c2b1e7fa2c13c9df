// SPDX-License-Identifier: Apache-2.0
#include "engine/dynamics/fields/duffing_lanes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "engine/dynamics/basin_lanes.h"

namespace sepx::dynamics {

namespace {

constexpr int kOrder = 14;
constexpr double kTolerance = 1e-10;  // of one step, relative
constexpr std::uint32_t kIdle = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint8_t kUndecided = 0, kLeft = static_cast<std::uint8_t>(LimitKind::Attractor), kRight = kLeft + 1,
                       kGoOn = 254;

/// Arguments of a kernel call: the initial points have the indices list[0, count) in the arrays.
struct Work {
  const double *x = nullptr, *v = nullptr;
  const std::uint32_t* list = nullptr;
  std::size_t count = 0;
  double delta = 0, maxLength = 0, maxSteps = 0;
  std::uint8_t* labels = nullptr;
};

#define SEPX_LANES "engine/dynamics/fields/duffing_lanes.inc"
#include "engine/core/simd_levels.inc"

}  // namespace

void duffingLabels(double delta, std::span<const double> x, std::span<const double> v, const BasinMapOptions& options,
                   std::uint8_t* labels, SimdLevel level) {
  assert(x.size() == v.size());
  std::vector<std::uint32_t> list;
  constexpr double kMost = 1e4;  // no power of a rate overflows within a series
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double xx = x[i] * x[i], energy = 0.5 * (v[i] * v[i] - xx + 0.5 * xx * xx);
    labels[i] = kUndecided;
    if (!(delta > 0) || !std::isfinite(x[i] + v[i]) || (x[i] == 0 && v[i] == 0)) continue;
    if (energy < 0)
      labels[i] = x[i] < 0 ? kLeft : kRight;
    else if (std::max(std::abs(x[i]), std::abs(v[i])) <= kMost)
      list.push_back(static_cast<std::uint32_t>(i));
    else
      labels[i] = BasinLanes::kNeedsGeneralPath;
  }
  if (list.empty()) return;
  Work work;
  work.x = x.data();
  work.v = v.data();
  work.list = list.data();
  work.count = list.size();
  work.delta = delta;
  work.maxLength = options.maxLength;
  work.maxSteps = options.maxSteps;
  work.labels = labels;
  switch (std::min(level, simdLevel())) {
#if defined(__x86_64__)
    case SimdLevel::Avx512:
      return avx512::run(work);
    case SimdLevel::Avx2:
      return avx2::run(work);
#endif
    default:
      return generic::run(work);
  }
}

}  // namespace sepx::dynamics

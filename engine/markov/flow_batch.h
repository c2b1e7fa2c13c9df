// SPDX-License-Identifier: Apache-2.0
// Finds where many orbits of the gradient flow with optimal bias end, all at once and by integration alone, with no
// closed form and no projection onto the energy. The flow is -Lambda'(S) e G(theta), so its orbits are those of the
// polynomial field
//   e' = 2 v (1 + 2ae^2),  w' = 4 e u |w|,  a' = e^3 v,   u = 1 + ae^2, v = 1 + 2w|w|,
// which is regular at the axis and at Theta*. Every lane of a vector sums a Taylor series of order 20 with its own
// step, and a lane whose orbit has ended takes the next start. A start's result depends only on the start, with the
// same bits on any number of threads; instruction sets differ in the last digits. Worker threads only.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/core/simd.h"
#include "engine/core/thread_pool.h"
#include "engine/markov/basin.h"

namespace sepx::markov {

struct FlowBatchOptions {    ///< options of all orbits of a batch
  double tolerance = 1e-16;  ///< of one step, relative to 1 + |e|, to w and to 1 + |a|
  int maxSteps = 4000;       ///< beyond it the status is time-limit
  SimdLevel level = simdLevel();
};

/// The initial points, one array per coordinate; `a` is empty for (e,w).
struct FlowStarts {
  std::span<const double> e, w, a;
};

struct FlowBatch {
  std::vector<double> e, w, a;      ///< end of each orbit, or its last point if it was given up
  std::vector<double> energyDrift;  ///< largest |E - E_0|/(1 + |E_0|) over its steps; 0 where w = 0
  std::vector<int> steps;
  std::vector<LimitKind> label;
  std::vector<FlowStatus> status;
};

/// Model EW or EWA. Starts that lie, as far as doubles can tell, on the separatrix of the plane or on the surface of
/// unbounded orbits are not integrated. Nor are those that are not finite or too far out (time-limit, undecided).
/// `cancelled` is called now and then; the remaining starts have the status time-limit.
FlowBatch flowBatch(const Chain& chain, Model model, const FlowStarts& starts, const FlowBatchOptions& options,
                    ThreadPool& pool, const std::function<bool()>& cancelled = {});

/// Label of a start that basinLabels() leaves to a slower method, because its numbers are too extreme for the lanes.
inline constexpr std::uint8_t kNeedsGeneralPath = 255;

/// Only the labels, for some pixels of a basin map, on the calling thread. They tell whether the orbit first crosses
/// e = 0 or S = 0 off the axis. A label is a LimitKind or kNeedsGeneralPath. starts.a may be empty for (e,w,a) too;
/// then a = 0.
void basinLabels(const Chain& chain, Model model, const FlowStarts& starts, std::uint8_t* labels,
                 SimdLevel level = simdLevel());

}  // namespace sepx::markov

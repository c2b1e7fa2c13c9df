// SPDX-License-Identifier: Apache-2.0
// Where many orbits of the gradient flow with optimal bias end, all at once, by integration alone: no closed form, no
// projection onto the energy. The flow is -Lambda'(S) e G(theta), so its orbits are those of the polynomial field
//   e' = 2 v (1 + 2ae^2),  w' = 4 e u |w|,  a' = e^3 v,   u = 1 + ae^2, v = 1 + 2w|w|,
// which is regular at the axis and at Theta*: a Taylor series of order 20 is summed in every lane of a vector, each
// lane with its own step, and a lane whose orbit has ended takes the next start. A start's result depends on nothing
// but the start: the same bits on any number of threads; instruction sets differ in the last digits. Workers only.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/core/simd.h"
#include "engine/core/thread_pool.h"
#include "engine/markov/basin.h"

namespace sepx::markov {

struct FlowBatchOptions {    ///< of all orbits of a batch
  double tolerance = 1e-16;  ///< of one step, relative to 1 + |e|, to w and to 1 + |a|
  int maxSteps = 4000;       ///< the status is time-limit then
  SimdLevel level = simdLevel();
};

/// The starting points, one array a coordinate; `a` is empty for (e,w).
struct FlowStarts {
  std::span<const double> e, w, a;
};

struct FlowBatch {
  std::vector<double> e, w, a;      ///< where each orbit ends; its last point where it was given up
  std::vector<double> energyDrift;  ///< largest |E - E_0|/(1 + |E_0|) over its steps; 0 where w = 0
  std::vector<int> steps;
  std::vector<LimitKind> label;
  std::vector<FlowStatus> status;
};

/// Model EW or EWA. Starts on the separatrix of the plane or on the surface of unbounded orbits as far as doubles can
/// tell are not integrated; nor are those from which an end is not a number (too far out: time-limit, undecided).
/// `cancelled` is asked now and then; what is left over has the status time-limit.
FlowBatch flowBatch(const Chain& chain, Model model, const FlowStarts& starts, const FlowBatchOptions& options,
                    ThreadPool& pool, const std::function<bool()>& cancelled = {});

/// Of a start that `basinLabels` leaves to a slower method: numbers too extreme for lanes.
inline constexpr std::uint8_t kNeedsCare = 255;

/// Labels alone, of some pixels of a basin map, on the calling thread: which of e = 0 and S = 0 off the axis the orbit
/// crosses first. The label is a LimitKind or kNeedsCare; starts.a may be empty for (e,w,a), too: a = 0.
void basinLabels(const Chain& chain, Model model, const FlowStarts& starts, std::uint8_t* labels,
                 SimdLevel level = simdLevel());

}  // namespace sepx::markov

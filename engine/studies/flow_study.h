// SPDX-License-Identifier: Apache-2.0
// Figures 1, 2 and 5 of Local-to-Global: the flow from a Gaussian cloud for p + q below and above one, in the plane
// (e,w), in the space (e,w,a), and there near the origin. What a figure shows is counted: kinds of ends, integrated
// along the orbits and not in time, against theory. Deterministic for a seed on any number of threads. Workers only.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/markov/basin.h"
#include "engine/studies/study.h"

namespace sepx::studies {

/// One half of a figure: p + q below or above one.
struct FlowFigurePart {
  markov::Chain chain;
  double sigma = 0;                                 ///< of the cloud N(0, sigma^2 I)
  std::vector<markov::State> starts;                ///< of the cloud
  std::vector<markov::LimitKind> ends;              ///< integrated
  std::size_t differ = 0;                           ///< of those from theory
  std::size_t basinPixels = 0, basinsDiffer = 0;    ///< integrated basin map against the closed form; figure 1 alone
  std::size_t count(markov::LimitKind kind) const;  ///< how many of `ends`
};

struct FlowFigure {  ///< a figure, computed again
  int figure = 1;
  bool quick = false;
  std::vector<FlowFigurePart> parts;
  /// Nothing differs from theory.
  std::vector<Check> checks() const;
  bool passed() const { return studies::passed(checks()); }
};

/// What is shown of it: how many starts end where. `drawn` holds the figure.
StudyResult resultOf(const FlowFigure& figure);

/// Quick: a quarter of the cloud.
Result<FlowFigure> computeFlowFigure(int figure, const Work& work);

}  // namespace sepx::studies

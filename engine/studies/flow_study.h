// SPDX-License-Identifier: Apache-2.0
// Figures 1, 2 and 5 of Local-to-Global: the flow from a Gaussian cloud of initial points for p + q below and above
// one, in the plane (e,w), in the space (e,w,a), and in that space near the origin. Counts the kinds of ends,
// integrated along the orbits and not in time, and compares them with theory. Deterministic for a seed on any number of
// threads. Worker threads only.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/markov/basin.h"
#include "engine/studies/study.h"

namespace sepx::studies {

/// One half of a figure: p + q below or above one.
struct FlowFigurePart {
  markov::Chain chain;
  double sigma = 0;                               ///< of the cloud N(0, sigma^2 I)
  std::vector<markov::State> starts;              ///< initial points
  std::vector<markov::LimitKind> ends;            ///< integrated, one per initial point
  std::size_t differ = 0;                         ///< number of ends that differ from theory
  std::size_t basinPixels = 0, basinsDiffer = 0;  ///< integrated basin map compared with the closed form; only figure 1
  std::size_t count(markov::LimitKind kind) const;  ///< how many of `ends`
};

struct FlowFigure {  ///< the reproduction of a figure
  int figure = 1;
  bool quick = false;
  std::vector<FlowFigurePart> parts;
  /// Checks that nothing differs from theory.
  std::vector<Check> checks() const;
  bool passed() const { return studies::passed(checks()); }
};

/// The result to show: how many initial points end where. `drawn` holds the figure.
StudyResult resultOf(const FlowFigure& figure);

/// Quick: a quarter of the cloud.
Result<FlowFigure> computeFlowFigure(int figure, const Work& work);

}  // namespace sepx::studies

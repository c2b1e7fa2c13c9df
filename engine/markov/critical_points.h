// SPDX-License-Identifier: Apache-2.0
// The sets of critical points of Theorems 1 (e,w), 7 (e,w,b), 10 (e,w,a) and 9 (e,w,a,b), with the name, equation,
// kind, loss and sample points of each, and an examination of loss, gradient and Hessian at those points.
// Published / corrected: the bars of |1 + a e^2| in the bias of Gamma* (erratum 4); Theta_station is a set of strict
// saddles with the loss H(pi) (erratum 3). Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/markov/basin.h"
#include "engine/markov/canonical_model.h"

namespace sepx::markov {

enum class CriticalSet { Star, Minima, Maxima, Saddles, Station };  ///< as the theorems name them

/// The paper's name and equation of a set, in ASCII.
struct CriticalSetInfo {
  CriticalSet set = CriticalSet::Star;
  LimitKind kind = LimitKind::Undecided;  ///< what its points are
  std::string_view name;                  ///< "Theta_star"; "Gamma_star" with a free bias
  std::string_view equation;              ///< "e^2 (1 + 2 w|w|) = S_star"
  double loss = 0;                        ///< by the theorem, nats
  int dimensions = 0;                     ///< of the set: 0 a point, 1 a curve, 2 a surface
};

/// The sets of a model in the order of its theorem; each is nonempty. For p + q = 1: only Star, with S = 0 (erratum
/// 17).
std::vector<CriticalSetInfo> criticalSetsOf(const Chain& chain, Model model);
/// 1, 7, 10, 9
int criticalTheorem(Model model);

/// `count` points of the set, the same for the same seed: |w| and |a| of order one or two, e away from zero where the
/// set has e != 0. A set that is a single point gives one. Only for sets that criticalSetsOf() returns.
std::vector<State> criticalPoints(const Chain& chain, Model model, CriticalSet set, int count, std::uint64_t seed = 0);

/// Numbers of Hessian eigenvalues by sign; those below 1e-9 of the largest (or of 1e-3 if all are small) are zero.
struct Inertia {
  int negative = 0, zero = 0, positive = 0;
  bool operator==(const Inertia&) const = default;
};
Inertia inertiaOf(const State& eigenvalues);

/// The results of examine() at the points of a set.
struct CriticalFindings {
  int points = 0;
  double largestGradient = 0;  ///< max |grad L|
  State where;                 ///< the point of that gradient
  double lowestLoss = 0, highestLoss = 0;
  double largestLossError = 0;  ///< max |L - the theorem's loss|
  Inertia least, most;          ///< over the points, each count separately
  double lowestEigenvalue = 0, highestEigenvalue = 0;
  /// Every point has the eigenvalue signs of its kind: no negative at a minimum, no positive at a maximum, both at a
  /// strict saddle. The saddle with v = 0 = e has only zeros (third order decides), so no more is required of it.
  bool asTheorem = true;
};
CriticalFindings examine(const Chain& chain, Model model, const CriticalSetInfo& info,
                         const std::vector<State>& points);

}  // namespace sepx::markov

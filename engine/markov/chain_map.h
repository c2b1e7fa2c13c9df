// SPDX-License-Identifier: Apache-2.0
// The quantities that vary over the square of (p,q): the loss gap H(pi) - H(x_{n+1}|x_n), the expected excess loss of a
// Gaussian initialisation (P(I_min) times that gap), S_star, the distance of Theta* from the origin, and the time that
// the flow takes. Orbits as curves and energy contours are the same for every chain; basins vary only with the sign of
// p + q - 1 (note 19). All five quantities are the same for (p,q) and (q,p), because the two symbols only change names.
// Any thread.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/markov/canonical_model.h"
#include "engine/markov/critical_sets.h"

namespace sepx::markov {

enum class ChainQuantity { Excess, Gap, S_star, Distance, Time };  ///< what is drawn over (p, q)

/// H(pi) - H(x_{n+1}|x_n): the excess loss of a local minimum over a global one, in nats. It is the mutual information
/// of neighbouring bits.
double lossGap(const Chain& chain);

/// The point of Theta* (e,w) nearest to the origin with e >= 0. With w = +-sqrt(x): e^2 = S_star/(1 +- 2x), and |theta|
/// is least at 1 +- 2x = +-sqrt(2|S_star|) or, for 0 <= S_star <= 1/2, at w = 0. p + q = 1: the origin.
PlanePoint nearestMinimum(const Chain& chain);
/// The distance of that point: sqrt(S_star) for S_star <= 1/2, sqrt(sqrt(2 S_star) - 1/2) above,
/// sqrt(sqrt(2|S_star|) + 1/2) for p + q > 1.
double minimumDistance(const Chain& chain);

/// Number of initial points of medianTime(): the same draws of N(0, I) for every chain, times sigma.
inline constexpr int kTimeStarts = 9;
/// The median over these points of the first time with L(t) - L_lim < 1 % of L(0) - L_lim. It grows as 1/|p+q-1|
/// towards the line p + q = 1 while |S| of the points stays far below |S_star|. Nearer to the line S^2 dominates the
/// loss and the time stays bounded. No value at p + q = 1, or unless more than half of the points have a time.
std::optional<double> medianTime(const Chain& chain, Model model, double sigma);

/// 1/(2 pi0 pi1 |p+q-1|): the time in which |e| near e = 0, w = 0 changes by a factor exp(1) [(110) with its factor 2,
/// erratum 18]. Infinite at p + q = 1.
double clockUnit(const Chain& chain);

/// One quantity for one chain; NaN where it has no value. `probability`: P(I_min) for the chain's sign of p + q - 1.
double chainValue(ChainQuantity quantity, const Chain& chain, Model model, double sigma, double probability);

/// The quantity at the centres of size x size pixels of the unit square, p to the right, q up, row 0 at the top. The
/// time is given as its log10. NaN where there is no value and in pixels that a cancelled map did not reach.
struct ChainMapRequest {
  ChainQuantity quantity = ChainQuantity::Excess;
  Model model = Model::EW;  ///< EW or EWA, for P(I_min) and for the time
  double sigma = 0.3;
  int size = 64;
  bool operator==(const ChainMapRequest&) const = default;
};
std::vector<float> chainMap(const ChainMapRequest& request, ThreadPool& pool,
                            const std::function<bool()>& cancelled = {},
                            const std::function<void(double share)>& progress = {});

}  // namespace sepx::markov

// SPDX-License-Identifier: Apache-2.0
// Trains the bias by gradient steps instead of solving for it. After every step of theta = (e,w) or (e,w,a) with
// learning rate eta the bias makes m steps of gradient descent with the same rate. m = 0 means b = b*(theta) exactly,
// the assumption of the theory:
//   theta <- theta - eta d L/d theta (theta, b);   m times  b <- b - eta d L/d b (theta, b)
// As eta -> 0 this becomes the flow of L(theta, b) in which the bias moves m times as fast, so m = 1 is the free flow
// itself and m = 2 has the one additional step of the paper. With a free bias the energy is not an invariant and the
// orbit is not that of the theory (erratum 16). Any thread; deterministic.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/markov/flow.h"

namespace sepx::markov {

struct BiasOptions {          ///< options of one comparison
  double learningRate = 0.1;  ///< eta
  int steps = 1000;           ///< number of steps of theta
  double tMax = 1e6;          ///< longest time of the free flow
  bool operator==(const BiasOptions&) const = default;
};
/// A Usage error with a message if an option is out of range.
Result<void> check(const BiasOptions& options);

enum class BiasRun { FreeFlow, Steps };  ///< whether b follows theta freely or by steps

/// Element k belongs to time t[k], which is k eta for steps and the flow's own time for the free flow.
struct BiasPath {
  BiasRun run = BiasRun::Steps;
  int biasSteps = 0;  ///< m; 0: exact
  std::vector<double> t;
  std::vector<State> theta;               ///< without the bias
  std::vector<double> bias;               ///< b
  std::vector<double> offset;             ///< b - b*(theta)
  std::vector<double> energy;             ///< NaN where there is none (w = 0)
  std::vector<double> distance;           ///< from the theory's orbit
  LimitKind kind = LimitKind::Undecided;  ///< limit of the same model's flow from the last point
  std::optional<Limit> limit;             ///< that limit, without its bias
  bool diverged = false;
  bool settled = false;               ///< steps: |grad L| <= 1e-4 at the last point; free flow: it came to rest
  double energyChange = 0;            ///< last minus first; NaN where there is none
  double farthest = 0;                ///< largest of `distance`
  double largestOffset = 0;           ///< largest |b - b*|
  std::optional<double> endDistance;  ///< from the last point (its limit, for the free flow) to the theory's limit
};

struct BiasComparison {                   ///< the theory's orbit and the paths with a trained bias
  std::vector<State> orbit;               ///< the theory's, from start to limit
  LimitKind kind = LimitKind::Undecided;  ///< kind of the theory's limit
  std::optional<Limit> limit;
  std::vector<BiasPath> paths;  ///< the free flow first, then one path per m, in the given order
  bool cancelled = false;
};

/// Starts from theta0 (model EW or EWA) and b = b*(theta0). `goOn` as in runOptimisers().
Result<BiasComparison> compareBias(const Chain& chain, Model model, const State& theta0, const std::vector<int>& m,
                                   const BiasOptions& options = {}, const std::function<bool(double)>& goOn = {});

/// Tests the paper's "one additional step is usually sufficient" (m = 2) on a cloud of initial points from N(0, sigma^2
/// I): the results of m bias steps are compared with the theory.
struct BiasSurvey {
  int starts = 0;
  int otherEnd = 0;           ///< ended in another kind of limit than the theory predicts
  int unsettled = 0;          ///< not settled after all steps, or diverged; not counted in otherEnd
  double medianDistance = 0;  ///< distance from the theory's end point, over starts with the same kind of limit
  double medianEnergy = 0;    ///< |E_end - E_start| over the same starts
  bool cancelled = false;
};
Result<BiasSurvey> surveyBias(const Chain& chain, double sigma, int starts, int m, std::uint64_t seed,
                              const BiasOptions& options, ThreadPool& pool, const std::function<bool()>& goOn = {});

}  // namespace sepx::markov

// SPDX-License-Identifier: Apache-2.0
// The bias followed instead of solved for. After every step of theta = (e,w) or (e,w,a) with rate eta the bias makes m
// steps of gradient descent with the same rate; m = 0 stands for b = b*(theta) exactly, the theory's assumption:
//   theta <- theta - eta d L/d theta (theta, b);   m times  b <- b - eta d L/d b (theta, b)
// As eta -> 0 that is the flow of L(theta, b) with the bias m times as fast, so m = 1 is the free flow itself and m = 2
// has the one additional step of the paper. With a free bias the energy is not an invariant and the orbit is not that
// of the theory (erratum 16). Any thread; deterministic.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/markov/flow.h"

namespace sepx::markov {

struct BiasOptions {          ///< of one comparison
  double learningRate = 0.1;  ///< eta
  int steps = 1000;           ///< of theta
  double tMax = 1e6;          ///< the free flow is followed at most this long
  bool operator==(const BiasOptions&) const = default;
};
/// Usage with a sentence.
Result<void> check(const BiasOptions& options);

enum class BiasRun { FreeFlow, Steps };  ///< whether b follows theta freely or by steps

/// Element k belongs to time t[k]: k eta of steps, the flow's own time of the free flow.
struct BiasPath {
  BiasRun run = BiasRun::Steps;
  int biasSteps = 0;  ///< m; 0: exact
  std::vector<double> t;
  std::vector<State> theta;               ///< without the bias
  std::vector<double> bias;               ///< b
  std::vector<double> offset;             ///< b - b*(theta)
  std::vector<double> energy;             ///< NaN where there is none (w = 0)
  std::vector<double> distance;           ///< from the theory's orbit
  LimitKind kind = LimitKind::Undecided;  ///< where the flow of the same model goes from the last point
  std::optional<Limit> limit;             ///< that limit, without its bias
  bool diverged = false;
  bool settled = false;      ///< of steps: |grad L| at most 1e-4 at the last point; of the flow: it came to rest
  double energyChange = 0;   ///< last minus first; NaN where there is none
  double farthest = 0;       ///< largest of `distance`
  double largestOffset = 0;  ///< largest |b - b*|
  std::optional<double> endDistance;  ///< from the last point (its limit, for the free flow) to the theory's limit
};

struct BiasComparison {                   ///< orbit of the theory beside those with steps
  std::vector<State> orbit;               ///< the theory's, from start to limit
  LimitKind kind = LimitKind::Undecided;  ///< the theory's end
  std::optional<Limit> limit;
  std::vector<BiasPath> paths;  ///< the free flow first, then m in the order asked for
  bool cancelled = false;
};

/// From theta0 (model EW or EWA) and b = b*(theta0). `goOn` as in raceOptimisers.
Result<BiasComparison> compareBias(const Chain& chain, Model model, const State& theta0, const std::vector<int>& m,
                                   const BiasOptions& options = {}, const std::function<bool(double)>& goOn = {});

/// How far "one additional step is usually sufficient" (m = 2) holds over a cloud: starts from N(0, sigma^2 I), m bias
/// steps, against the theory.
struct BiasSurvey {
  int starts = 0;
  int otherEnd = 0;           ///< end in another kind of limit than the theory says
  int unsettled = 0;          ///< still on their way after all steps, or diverged: not counted in otherEnd
  double medianDistance = 0;  ///< of the end points from the theory's, over those that end alike
  double medianEnergy = 0;    ///< of |E_end - E_start|, of the same
  bool cancelled = false;
};
Result<BiasSurvey> surveyBias(const Chain& chain, double sigma, int starts, int m, std::uint64_t seed,
                              const BiasOptions& options, ThreadPool& pool, const std::function<bool()>& goOn = {});

}  // namespace sepx::markov

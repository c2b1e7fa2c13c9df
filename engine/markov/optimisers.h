// SPDX-License-Identifier: Apache-2.0
// Optimisers in the (e,w) plane from one point: gradient flow, gradient descent, SGD on sampled sequences, momentum,
// AdamW. Each records its path and loss step by step, and where it leaves the basin of the flow; the label of every
// iterate is that of Theorems 2 and 8. Step k of gradient descent with learning rate eta corresponds to the time k eta
// of the flow and converges to it at first order in eta. Any thread; the same seed gives the same paths.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/markov/basin.h"
#include "engine/nn/optimiser.h"

namespace sepx::markov {

enum class OptimiserKind { Flow, GradientDescent, Sgd, Momentum, AdamW };  ///< gradient flow, and four rules in steps
inline constexpr int kOptimiserKinds = 5;                                  ///< how many there are
/// flow | gd | sgd | momentum | adamw
std::string_view optimiserName(OptimiserKind kind);
std::optional<OptimiserKind> optimiserFromName(std::string_view name);

struct OptimiserSettings {  ///< one rule and its hyperparameters
  OptimiserKind kind = OptimiserKind::GradientDescent;
  nn::OptimiserOptions rule;  ///< for Flow only the learning rate counts: the flow's time per step
  bool sampled = false;       ///< the gradient of a batch instead of the population's; not for Flow
  bool operator==(const OptimiserSettings&) const = default;
};
/// All five: learning rate 0.1, AdamW 0.02; only SGD is sampled; momentum 0.9; AdamW without weight decay.
std::vector<OptimiserSettings> usualOptimisers();

struct OptimiserRunOptions {  ///< options of a comparison from one start
  std::vector<OptimiserSettings> optimisers = usualOptimisers();
  int steps = 400;
  int batch = 16, length = 64;  ///< B sequences of N predictions each; step k has the same batch for every optimiser
  std::uint64_t seed = 0;
  int biasSteps = 0;  ///< after every step of (e,w): 0: b = b* exactly; m: m steps of b by the same rule, no decay
  bool operator==(const OptimiserRunOptions&) const = default;
};
/// A Usage error with a message if steps, batch, length, bias steps or a rule is out of range.
Result<void> check(const OptimiserRunOptions& options);

enum class OptimiserEnd { Settled, Moving, Diverged };  ///< how a path ended
/// settled | moving | diverged
std::string_view optimiserEndName(OptimiserEnd end);

/// Element k belongs to the point after k steps; element 0 is the start.
struct OptimiserPath {
  OptimiserSettings settings;
  std::vector<State> theta;                 ///< (e, w)
  std::vector<double> bias;                 ///< b at that point: b* or the trained one
  std::vector<double> loss;                 ///< of the population at (e, w, b), nats
  std::vector<double> energy;               ///< NaN where there is none (w = 0)
  std::vector<LimitKind> label;             ///< limit of the flow from that point
  std::optional<int> leftAt;                ///< first step whose point lies in another basin than the start; none for
                                            ///< a start on the separatrix or with p + q = 1
  std::optional<int> backAt;                ///< first step after that which is in the start's basin again
  OptimiserEnd end = OptimiserEnd::Moving;  ///< Settled: |grad L| of the population at most 1e-4 at the last point
  double endGradient = 0;                   ///< this |grad L|
  double farthest = 0;                      ///< largest distance of an iterate from the orbit of the flow
  std::optional<double> behind;  ///< largest distance from the flow at the time k eta: not for momentum and AdamW,
                                 ///< whose steps correspond to no flow time

  const State& last() const { return theta.back(); }
};

struct OptimiserRun {                      ///< paths of all rules from one start
  LimitKind basin = LimitKind::Undecided;  ///< of the start
  std::vector<OptimiserPath> paths;        ///< in the order of the optimisers
  bool cancelled = false;
};

/// `goOn`, if given, is called with the completed share and cancels the run by returning false. A Usage error if the
/// start is not finite or check() rejects the options.
Result<OptimiserRun> runOptimisers(const Chain& chain, const State& theta0, const OptimiserRunOptions& options = {},
                                   const std::function<bool(double share)>& goOn = {});

}  // namespace sepx::markov

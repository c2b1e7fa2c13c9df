// SPDX-License-Identifier: Apache-2.0
// Update rules, written once: stochastic gradient descent with momentum (heavy ball or Nesterov), Adam and AdamW, and
// the schedule of the learning rate. g is the gradient of the step, eta the learning rate, lambda the weight decay:
//   SGD    g' = g + lambda theta;  m <- mu m + g' (m <- g' first);  theta <- theta - eta (m, or g' + mu m: Nesterov)
//   Adam   g' = g + lambda theta;  AdamW: theta <- (1 - eta lambda) theta, g' = g   (decoupled decay)
//          m <- b1 m + (1 - b1) g';  v <- b2 v + (1 - b2) g'^2
//          theta <- theta - eta/(1 - b1^t) m / (sqrt(v)/sqrt(1 - b2^t) + epsilon)     t = 1, 2, ...
// They are the rules of torch.optim.SGD, Adam and AdamW. Any thread; a state belongs to one. Must not own parameters.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/result.h"

namespace sepx::nn {

enum class Rule { Sgd, Adam, AdamW };

struct OptimiserOptions {
  Rule rule = Rule::Sgd;
  double learningRate = 0.1;  ///< eta
  double momentum = 0;        ///< mu of Sgd; 0: none, and no state
  bool nesterov = false;      ///< of Sgd with momentum
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double weightDecay = 0;  ///< lambda

  bool operator==(const OptimiserOptions&) const = default;
};

/// Usage unless eta and lambda are finite and not negative, 0 <= mu, b1, b2 < 1, epsilon > 0, and Nesterov has a
/// momentum.
Result<void> check(const OptimiserOptions& options);

/// What a rule remembers of one parameter array. Plain arrays: a run saves and loads them as they are.
template <class T>
struct OptimiserState {
  std::int64_t steps = 0;  ///< made so far: t - 1 of the next one
  std::vector<T> first;    ///< m, [parameters]; empty before the first step and where the rule has none
  std::vector<T> second;   ///< v, [parameters]; Adam and AdamW

  bool operator==(const OptimiserState&) const = default;
};

/// One update of `theta`, in place. `gradient` has the same length, and `state` is of this array. Sums are made in T,
/// as in the published rules; the factors of the step are made in double.
template <class T>
void step(const OptimiserOptions& options, std::span<T> theta, std::span<const T> gradient, OptimiserState<T>& state);

extern template void step<float>(const OptimiserOptions&, std::span<float>, std::span<const float>,
                                 OptimiserState<float>&);
extern template void step<double>(const OptimiserOptions&, std::span<double>, std::span<const double>,
                                  OptimiserState<double>&);

/// eta over the steps: rises in a line over `warmUp` steps, then stays, or falls as half a cosine to `floor` at
/// `total`.
struct Schedule {
  double learningRate = 0.1;
  std::int64_t warmUp = 0;
  std::int64_t total = 0;  ///< 0: constant after the warm-up
  double floor = 0;        ///< eta at `total` and after it

  bool operator==(const Schedule&) const = default;
};
/// Of step t = 0, 1, ...: eta (t + 1)/warmUp while t < warmUp; then floor + (eta - floor)(1 + cos pi s)/2, where s goes
/// from 0 at `warmUp` to 1 at `total`.
double learningRateAt(const Schedule& schedule, std::int64_t step);

}  // namespace sepx::nn

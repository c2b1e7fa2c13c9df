// SPDX-License-Identifier: Apache-2.0
// Update rules, written once: stochastic gradient descent with momentum (heavy ball or Nesterov), Adam and AdamW, and
// the schedule of the learning rate. g is the gradient of the step, eta the learning rate, lambda the weight decay:
//   SGD    g' = g + lambda theta;  m <- mu m + g' (m <- g' first);  theta <- theta - eta (m, or g' + mu m: Nesterov)
//   Adam   g' = g + lambda theta;  AdamW: theta <- (1 - eta lambda) theta, g' = g   (decoupled decay)
//          m <- b1 m + (1 - b1) g';  v <- b2 v + (1 - b2) g'^2
//          theta <- theta - eta/(1 - b1^t) m / (sqrt(v)/sqrt(1 - b2^t) + epsilon)     t = 1, 2, ...
// They are the rules of torch.optim.SGD, Adam and AdamW. The functions with a thread pool work on a whole model's flat
// array: its step, its clipping and the average of its parameters. Any thread; a state belongs to one thread. Must not
// own parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/thread_pool.h"

namespace sepx::nn {

enum class Rule { Sgd, Adam, AdamW };  ///< how a gradient becomes a step

struct OptimiserOptions {  ///< a rule and its hyperparameters
  Rule rule = Rule::Sgd;
  double learningRate = 0.1;  ///< eta
  double momentum = 0;        ///< mu, for Sgd; 0: no momentum and no state
  bool nesterov = false;      ///< for Sgd with momentum
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double weightDecay = 0;  ///< lambda

  bool operator==(const OptimiserOptions&) const = default;
};

/// Fails with ErrorKind::Usage unless eta and lambda are finite and not negative, 0 <= mu, b1, b2 < 1, epsilon > 0, and
/// Sgd with nesterov has mu > 0.
Result<void> check(const OptimiserOptions& options);

/// The state of a rule for one parameter array. Plain arrays: a run saves and loads them unchanged.
template <class T>
struct OptimiserState {
  std::int64_t steps = 0;  ///< steps made so far: t - 1 of the next step
  std::vector<T> first;    ///< m, [parameters]; empty before the first step and for a rule without m
  std::vector<T> second;   ///< v, [parameters]; only for Adam and AdamW

  bool operator==(const OptimiserState&) const = default;
};

/// Updates `theta` once, in place. `gradient` has the same length, and `state` belongs to this array. Sums are computed
/// in T, as in the published rules; the factors of the step are computed in double.
template <class T>
void step(const OptimiserOptions& options, std::span<T> theta, std::span<const T> gradient, OptimiserState<T>& state);

extern template void step<float>(const OptimiserOptions&, std::span<float>, std::span<const float>,
                                 OptimiserState<float>&);
extern template void step<double>(const OptimiserOptions&, std::span<double>, std::span<const double>,
                                  OptimiserState<double>&);

/// Elements [first, last) of a flat array.
struct FlatRange {
  std::size_t first = 0, last = 0;
  bool operator==(const FlatRange&) const = default;
};

/// Options of a step of a whole model, in addition to those of its rule.
struct FlatStep {
  double gradientFactor = 1;       ///< factor of `gradient` in the step: clipping, means
  bool decayAll = true;            ///< false: only `decayed` (matrices, embeddings) decays
  std::vector<FlatRange> decayed;  ///< ascending, disjoint
  bool clearGradient = false;      ///< sets `gradient` to 0 afterwards, for the sums of the next step
};

/// As step() above, but divided among the threads in fixed blocks: bitwise the same result on any number of threads.
template <class T>
void step(ThreadPool& pool, const OptimiserOptions& options, std::span<T> theta, std::span<T> gradient,
          OptimiserState<T>& state, const FlatStep& flat = {});
/// Number of arrays of the parameters' size that a rule keeps: 0, 1 or 2.
int statesPerParameter(const OptimiserOptions& options);

/// 2-norm, summed in double over blocks of a fixed size, in order: bitwise the same on any number of threads.
template <class T>
double norm(ThreadPool& pool, std::span<const T> gradient);
/// min(1, most/(norm + 1e-6)), as in torch.nn.utils.clip_grad_norm_; 1 where `most` is 0, which means no clipping.
double clipFactor(double norm, double most);
template <class T>
void scale(ThreadPool& pool, std::span<T> values, double factor);

/// Decay of the average at update n = 0, 1, ...: min(d, (1 + n)/(10 + n)), so that the initial point soon loses weight.
double averageDecay(double d, std::int64_t n);
/// average <- decay average + (1 - decay) theta
template <class T>
void updateAverage(ThreadPool& pool, std::span<const T> theta, std::span<T> average, double decay);

/// Learning rate eta over the steps: it rises linearly over `warmUp` steps, then stays constant or falls along half a
/// cosine to `floor` at step `total`.
struct Schedule {
  double learningRate = 0.1;
  std::int64_t warmUp = 0;
  std::int64_t total = 0;  ///< 0: constant after the warm-up
  double floor = 0;        ///< eta at `total` and after it

  bool operator==(const Schedule&) const = default;
};
/// eta of step t = 0, 1, ...: eta (t + 1)/warmUp while t < warmUp; then floor + (eta - floor)(1 + cos pi s)/2, where s
/// rises from 0 at `warmUp` to 1 at `total`.
double learningRateAt(const Schedule& schedule, std::int64_t step);

}  // namespace sepx::nn

// SPDX-License-Identifier: Apache-2.0
// The update rules, element by element, without allocation after the first step of a state. Any thread. A whole model
// is cut into blocks of a fixed size; any thread may process any block.
#include "engine/nn/optimiser.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "engine/core/simd.h"

namespace sepx::nn {

namespace {

bool isRate(double value) {
  return std::isfinite(value) && value >= 0;
}
bool isShare(double value) {
  return value >= 0 && value < 1;
}

/// The factors of one step for a range with or without decay, computed in double.
template <class T>
struct Factors {
  T scale, eta, mu, decay;  ///< decay: coupled, added to the gradient
  T keep;                   ///< decoupled decay: 1 - eta lambda
  T stepSize, rootCorrection, b2, new1, new2, epsilon;
  bool nesterov;
  int arrays;  ///< number of state arrays
};

#define SEPX_LANES "engine/nn/optimiser_lanes.inc"
#include "engine/core/simd_levels.inc"

/// Runs one pass with the instructions of `level`.
#if defined(__x86_64__)
#define SEPX_DISPATCH(level, call)                         \
  do {                                                     \
    if ((level) == SimdLevel::Avx512) return avx512::call; \
    if ((level) == SimdLevel::Avx2) return avx2::call;     \
    return generic::call;                                  \
  } while (false)
#else
#define SEPX_DISPATCH(level, call) return (void)(level), generic::call
#endif

template <class T>
Factors<T> factorsOf(const OptimiserOptions& options, std::int64_t steps, double scale, bool decays) {
  const bool adam = options.rule != Rule::Sgd, decoupled = options.rule == Rule::AdamW;
  const double t = static_cast<double>(steps + 1), lambda = decays ? options.weightDecay : 0;
  Factors<T> f{};
  f.scale = static_cast<T>(scale);
  f.eta = static_cast<T>(options.learningRate);
  f.mu = static_cast<T>(options.momentum);
  f.decay = static_cast<T>(decoupled ? 0 : lambda);
  f.keep = static_cast<T>(decoupled ? 1 - options.learningRate * lambda : 1);
  f.nesterov = options.nesterov;
  f.arrays = statesPerParameter(options);
  if (!adam) return f;
  f.stepSize = static_cast<T>(options.learningRate / (1 - std::pow(options.beta1, t)));
  f.rootCorrection = static_cast<T>(std::sqrt(1 - std::pow(options.beta2, t)));
  f.b2 = static_cast<T>(options.beta2);
  f.new1 = static_cast<T>(1 - options.beta1);
  f.new2 = static_cast<T>(1 - options.beta2);
  f.epsilon = static_cast<T>(options.epsilon);
  return f;
}

template <class T>
void update(SimdLevel level, const Factors<T>& f, std::span<T> theta, std::span<const T> gradient,
            OptimiserState<T>& state, FlatRange range) {
  const std::size_t at = range.first, count = range.last - range.first;
  T* x = theta.data() + at;
  const T* g = gradient.data() + at;
  if (f.arrays == 2) SEPX_DISPATCH(level, adam(f, x, g, state.first.data() + at, state.second.data() + at, count));
  if (f.arrays == 1) SEPX_DISPATCH(level, momentum(f, x, g, state.first.data() + at, count));
  SEPX_DISPATCH(level, descent(f, x, g, count));
}

/// Allocates zeros before the first step: m <- mu 0 + g' is then the rule's first m.
template <class T>
void prepare(const OptimiserOptions& options, std::size_t parameters, OptimiserState<T>& state) {
  assert(state.first.empty() || state.first.size() == parameters);
  const int arrays = statesPerParameter(options);
  if (arrays > 0 && state.first.empty()) state.first.assign(parameters, T{0});
  if (arrays > 1 && state.second.empty()) state.second.assign(parameters, T{0});
}

constexpr std::size_t kBlock = 16384;  // elements that a thread takes at once

/// Calls body(range, decays) for the pieces of `all`, split where decay begins and ends.
template <class Body>
void forDecay(const FlatStep& flat, FlatRange all, const Body& body) {
  if (flat.decayAll) return body(all, true);
  auto next = std::partition_point(flat.decayed.begin(), flat.decayed.end(),
                                   [&](const FlatRange& range) { return range.last <= all.first; });
  for (std::size_t at = all.first; at < all.last;) {
    const bool inside = next != flat.decayed.end() && next->first <= at;
    const std::size_t end = std::min(all.last, next == flat.decayed.end() ? all.last
                                               : inside                   ? next->last
                                                                          : next->first);
    if (end > at) body(FlatRange{at, end}, inside);
    at = end;
    if (inside) ++next;
  }
}

}  // namespace

Result<void> check(const OptimiserOptions& options) {
  if (!isRate(options.learningRate)) return fail(ErrorKind::Usage, "the learning rate must be 0 or more");
  if (!isRate(options.weightDecay)) return fail(ErrorKind::Usage, "the weight decay must be 0 or more");
  if (!isShare(options.momentum)) return fail(ErrorKind::Usage, "the momentum must be at least 0 and below 1");
  if (!isShare(options.beta1) || !isShare(options.beta2))
    return fail(ErrorKind::Usage, "beta 1 and beta 2 must be at least 0 and below 1");
  if (!std::isfinite(options.epsilon) || options.epsilon <= 0) return fail(ErrorKind::Usage, "epsilon must be above 0");
  if (options.rule == Rule::Sgd && options.nesterov && options.momentum == 0)
    return fail(ErrorKind::Usage, "Nesterov's rule needs a momentum above 0");
  return {};
}

int statesPerParameter(const OptimiserOptions& options) {
  if (options.rule != Rule::Sgd) return 2;
  return options.momentum != 0 ? 1 : 0;
}

// Uses the generic instructions: there are few parameters, and the result is bitwise the same on every machine.
template <class T>
void step(const OptimiserOptions& options, std::span<T> theta, std::span<const T> gradient, OptimiserState<T>& state) {
  assert(theta.size() == gradient.size());
  prepare(options, theta.size(), state);
  update(SimdLevel::Generic, factorsOf<T>(options, state.steps, 1, true), theta, gradient, state, {0, theta.size()});
  ++state.steps;
}

template <class T>
void step(ThreadPool& pool, const OptimiserOptions& options, std::span<T> theta, std::span<T> gradient,
          OptimiserState<T>& state, const FlatStep& flat) {
  assert(theta.size() == gradient.size());
  prepare(options, theta.size(), state);
  const Factors<T> decayed = factorsOf<T>(options, state.steps, flat.gradientFactor, true);
  const Factors<T> kept = factorsOf<T>(options, state.steps, flat.gradientFactor, false);
  const SimdLevel level = simdLevel();
  pool.parallelFor(0, theta.size(), kBlock, [&](std::size_t first, std::size_t last) {
    forDecay(flat, {first, last}, [&](FlatRange range, bool decays) {
      update<T>(level, decays ? decayed : kept, theta, gradient, state, range);
    });
    if (flat.clearGradient) std::fill(gradient.data() + first, gradient.data() + last, T{0});
  });
  ++state.steps;
}

namespace {

template <class T>
double squares(SimdLevel level, const T* x, std::size_t count) {
  SEPX_DISPATCH(level, sumOfSquares(x, count));
}
template <class T>
void averageBlock(SimdLevel level, const T* theta, T* out, std::size_t count, T decay, T rest) {
  SEPX_DISPATCH(level, average(theta, out, count, decay, rest));
}

}  // namespace

template <class T>
double norm(ThreadPool& pool, std::span<const T> gradient) {
  std::vector<double> sums((gradient.size() + kBlock - 1) / kBlock);
  const SimdLevel level = simdLevel();
  pool.parallelFor(0, gradient.size(), kBlock, [&](std::size_t first, std::size_t last) {
    sums[first / kBlock] = squares(level, gradient.data() + first, last - first);
  });
  double sum = 0;
  for (const double part : sums)
    sum += part;
  return std::sqrt(sum);
}

double clipFactor(double norm, double most) {
  return most > 0 ? std::min(1.0, most / (norm + 1e-6)) : 1;
}

template <class T>
void scale(ThreadPool& pool, std::span<T> values, double factor) {
  const T times = static_cast<T>(factor);
  pool.parallelFor(0, values.size(), kBlock, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      values[i] *= times;
  });
}

double averageDecay(double d, std::int64_t n) {
  const double count = static_cast<double>(n);
  return std::min(d, (1 + count) / (10 + count));
}

template <class T>
void updateAverage(ThreadPool& pool, std::span<const T> theta, std::span<T> average, double decay) {
  assert(theta.size() == average.size());
  const SimdLevel level = simdLevel();
  const T kept = static_cast<T>(decay), rest = static_cast<T>(1 - decay);
  pool.parallelFor(0, theta.size(), kBlock, [&](std::size_t first, std::size_t last) {
    averageBlock(level, theta.data() + first, average.data() + first, last - first, kept, rest);
  });
}

#define SEPX_INSTANTIATE(T)                                                                                \
  template void step(const OptimiserOptions&, std::span<T>, std::span<const T>, OptimiserState<T>&);       \
  template void step(ThreadPool&, const OptimiserOptions&, std::span<T>, std::span<T>, OptimiserState<T>&, \
                     const FlatStep&);                                                                     \
  template double norm(ThreadPool&, std::span<const T>);                                                   \
  template void scale(ThreadPool&, std::span<T>, double);                                                  \
  template void updateAverage(ThreadPool&, std::span<const T>, std::span<T>, double);
SEPX_INSTANTIATE(float)
SEPX_INSTANTIATE(double)
#undef SEPX_INSTANTIATE

double learningRateAt(const Schedule& schedule, std::int64_t step) {
  if (step < schedule.warmUp)
    return schedule.learningRate * static_cast<double>(step + 1) / static_cast<double>(schedule.warmUp);
  if (schedule.total <= 0) return schedule.learningRate;
  const std::int64_t span = schedule.total - schedule.warmUp;
  if (span <= 0 || step >= schedule.total) return schedule.floor;
  const double s = static_cast<double>(step - schedule.warmUp) / static_cast<double>(span);
  return schedule.floor + (schedule.learningRate - schedule.floor) * (1 + std::cos(std::numbers::pi * s)) / 2;
}

}  // namespace sepx::nn

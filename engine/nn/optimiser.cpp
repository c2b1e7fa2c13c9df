// SPDX-License-Identifier: Apache-2.0
// The update rules, element by element: no allocation after the first step of a state. Any thread.
#include "engine/nn/optimiser.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace sepx::nn {

namespace {

bool isRate(double value) {
  return std::isfinite(value) && value >= 0;
}
bool isShare(double value) {
  return value >= 0 && value < 1;
}

template <class T>
void stepSgd(const OptimiserOptions& options, std::span<T> theta, std::span<const T> gradient,
             OptimiserState<T>& state) {
  const T eta = static_cast<T>(options.learningRate), mu = static_cast<T>(options.momentum);
  const T decay = static_cast<T>(options.weightDecay);
  const bool remembers = options.momentum != 0;
  const bool first = state.first.empty();
  if (remembers && first) state.first.assign(theta.size(), T{0});
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const T g = gradient[i] + decay * theta[i];
    T direction = g;
    if (remembers) {
      T& m = state.first[i];
      m = first ? g : mu * m + g;
      direction = options.nesterov ? g + mu * m : m;
    }
    theta[i] -= eta * direction;
  }
}

template <class T>
void stepAdam(const OptimiserOptions& options, std::span<T> theta, std::span<const T> gradient,
              OptimiserState<T>& state) {
  if (state.first.empty()) {
    state.first.assign(theta.size(), T{0});
    state.second.assign(theta.size(), T{0});
  }
  const bool decoupled = options.rule == Rule::AdamW;
  const double t = static_cast<double>(state.steps + 1);
  const T stepSize = static_cast<T>(options.learningRate / (1 - std::pow(options.beta1, t)));
  const T rootCorrection = static_cast<T>(std::sqrt(1 - std::pow(options.beta2, t)));
  const T keep = static_cast<T>(1 - options.learningRate * options.weightDecay);
  const T decay = static_cast<T>(options.weightDecay);
  const T b2 = static_cast<T>(options.beta2);
  const T new1 = static_cast<T>(1 - options.beta1), new2 = static_cast<T>(1 - options.beta2);
  const T epsilon = static_cast<T>(options.epsilon);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    if (decoupled) theta[i] *= keep;
    const T g = decoupled ? gradient[i] : gradient[i] + decay * theta[i];
    T& m = state.first[i];
    T& v = state.second[i];
    m += new1 * (g - m);
    v = b2 * v + new2 * g * g;
    theta[i] -= stepSize * m / (std::sqrt(v) / rootCorrection + epsilon);
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

template <class T>
void step(const OptimiserOptions& options, std::span<T> theta, std::span<const T> gradient, OptimiserState<T>& state) {
  assert(theta.size() == gradient.size());
  assert(state.first.empty() || state.first.size() == theta.size());
  if (options.rule == Rule::Sgd)
    stepSgd(options, theta, gradient, state);
  else
    stepAdam(options, theta, gradient, state);
  ++state.steps;
}

template void step<float>(const OptimiserOptions&, std::span<float>, std::span<const float>, OptimiserState<float>&);
template void step<double>(const OptimiserOptions&, std::span<double>, std::span<const double>,
                           OptimiserState<double>&);

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

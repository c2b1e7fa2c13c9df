// SPDX-License-Identifier: Apache-2.0
// Sampled loss and gradient. The logit after symbol 1 is z_1 = k + b + S/2, after symbol 0 z_0 = k + b - S/2, with
// S = e^2 u v, k = e^2 w|w| |u|, u = 1 + a e^2, v = 1 + 2w|w| (errata 4, 5, 12). Any thread.
#include "engine/markov/sampled_loss.h"

#include <algorithm>
#include <cmath>

namespace sepx::markov {

namespace {

double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}
double sigmoid(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}
/// a b, but 0 for 0 times infinity: a transition that does not occur adds no loss.
double product(double a, double b) {
  return a == 0 || b == 0 ? 0 : a * b;
}

/// Both logits and their slopes in the order of theta.
struct Logits {
  std::array<double, 2> z{};
  std::array<State, 2> slope;
};

Logits logitsOf(const Chain& chain, Model model, const State& theta) {
  const double e = theta[0], w = theta[1], a = hasAttention(model) ? theta[2] : 0.0;
  const double b = hasFreeBias(model) ? theta[dimension(model) - 1] : optimalBias(chain, model, theta);
  const double ee = e * e, u = 1 + product(a, ee), ww = w * std::abs(w), v = 1 + 2 * ww;
  const double sign = u > 0 ? 1 : u < 0 ? -1 : 0, rise = 2 * e + 4 * product(a, e * ee);
  const double k = product(product(ee, ww), std::abs(u)), S = reducedS(model, theta);
  Logits logits;
  for (std::size_t symbol = 0; symbol < 2; ++symbol) {
    const double half = symbol == 1 ? 0.5 : -0.5;
    logits.z[symbol] = k + b + half * S;
    State& slope = logits.slope[symbol];
    slope = State::Zero(dimension(model));
    slope[0] = product(rise, sign * ww + half * v);
    slope[1] = product(product(ee, u), (2 * sign + 4 * half) * std::abs(w));
    if (hasAttention(model)) slope[2] = product(ee * ee, sign * ww + half * v);
    if (hasFreeBias(model)) slope[dimension(model) - 1] = 1;
  }
  return logits;
}

}  // namespace

TransitionCounts sampleTransitions(const Chain& chain, int batch, int length, RandomStream& stream) {
  TransitionCounts counts;
  const double pi1 = chain.pi1();
  const std::array<double, 2> toOne{chain.p, 1 - chain.q};
  for (int sequence = 0; sequence < batch; ++sequence) {
    std::size_t now = stream.uniform() < pi1 ? 1 : 0;
    for (int i = 0; i < length; ++i) {
      const std::size_t next = stream.uniform() < toOne[now] ? 1 : 0;
      ++counts.n[now][next];
      now = next;
    }
  }
  return counts;
}

SampledEvaluation evaluateSampled(const Chain& chain, Model model, const State& theta, const TransitionCounts& counts) {
  SampledEvaluation result;
  result.gradient = State::Zero(dimension(model));
  const double total = static_cast<double>(counts.total());
  if (total == 0) return result;
  const Logits logits = logitsOf(chain, model, theta);
  for (std::size_t i = 0; i < 2; ++i) {
    const double z = logits.z[i];
    const double ones = static_cast<double>(counts.n[i][1]) / total;
    const double zeros = static_cast<double>(counts.n[i][0]) / total;
    result.loss += product(ones, softplus(-z)) + product(zeros, softplus(z));
    const double residual = zeros * sigmoid(z) - ones * sigmoid(-z);  // d loss/d z
    for (Eigen::Index j = 0; j < result.gradient.size(); ++j)
      result.gradient[j] += product(residual, logits.slope[i][j]);
  }
  return result;
}

}  // namespace sepx::markov

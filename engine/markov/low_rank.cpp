// SPDX-License-Identifier: Apache-2.0
#include "engine/markov/low_rank.h"

#include <algorithm>
#include <cmath>

#include "engine/markov/lambda.h"

namespace sepx::markov {
namespace {

double softplusOfLogit(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}
double probabilityOfLogit(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

/// 1 + sign w^2 d N(c)
double gain(const LowRank& at, double c) {
  return 1 + at.sign * at.w * at.w * at.d * (c * at.w > 0 ? at.beta : at.r - at.beta);
}

}  // namespace

std::array<double, 2> lowRankLogits(const LowRank& at) {
  std::array<double, 2> logits{};
  for (const int bit : {0, 1}) {
    const double c = at.e * bit - at.p;
    logits[static_cast<std::size_t>(bit)] = at.e * at.d * c * gain(at, c) + at.b;
  }
  return logits;
}

double lowRankLoss(const Chain& chain, const LowRank& at) {
  const auto [zero, one] = lowRankLogits(at);
  return chain.pi0() * (chain.p * softplusOfLogit(-zero) + (1 - chain.p) * softplusOfLogit(zero)) +
         chain.pi1() * ((1 - chain.q) * softplusOfLogit(-one) + chain.q * softplusOfLogit(one));
}

std::array<double, 4> lowRankGradient(const Chain& chain, const LowRank& at) {
  const auto logits = lowRankLogits(at);
  std::array<double, 4> gradient{};
  for (const int bit : {0, 1}) {
    const double share = bit == 1 ? chain.pi1() : chain.pi0(), wanted = bit == 1 ? 1 - chain.q : chain.p;
    const double slope = share * (probabilityOfLogit(logits[static_cast<std::size_t>(bit)]) - wanted);
    const double c = at.e * bit - at.p, g = gain(at, c);
    gradient[0] += slope * at.d * g * (c + at.e * bit);
    gradient[1] -= slope * at.d * g * at.e;
    gradient[2] += slope * at.e * at.d * c * 2 * (g - 1) / (at.w == 0 ? 1 : at.w);
    gradient[3] += slope;
  }
  return gradient;
}

double lowRankBias(const Chain& chain, const LowRank& at) {
  const auto logits = lowRankLogits(at);
  return lambdaC(chain, logits[1] - logits[0]) - (logits[0] - at.b);
}

LowRank lowRankMinimum(const Chain& chain, LowRank at, double part) {
  at.e = 1;
  at.p = part;
  const auto logits = lowRankLogits(at);
  at.e = std::sqrt(chain.S_star() / (logits[1] - logits[0]));  // the logits' difference scales as e^2
  at.p = part * at.e;
  at.b = 0;
  at.b = lowRankBias(chain, at);
  return at;
}

}  // namespace sepx::markov

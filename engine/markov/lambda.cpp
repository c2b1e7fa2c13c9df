// SPDX-License-Identifier: Apache-2.0
// Lambda(S) and its derivatives (Local-to-Global, Lemmas 5-8) in stable form. Everything that could overflow is kept
// as a logarithm.
#include "engine/markov/lambda.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sepx::markov {

namespace {

/// log(exp(x) + exp(y)), also for x or y = -inf.
double logAddExp(double x, double y) {
  const double high = std::max(x, y), low = std::min(x, y);
  if (high == -std::numeric_limits<double>::infinity()) return high;
  return high + std::log1p(std::exp(low - high));
}

double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}
double sigmoid(double x) {
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const double t = std::exp(x);
  return t / (1 + t);
}
/// log of sigmoid'(x)
double logSigmoidSlope(double x) {
  return -std::abs(x) - 2 * std::log1p(std::exp(-std::abs(x)));
}

/// The logits after a 0 and after a 1: c and c + S, each without cancellation.
struct Logits {
  double c, cPlusS;
};

Logits logits(const Chain& chain, double S) {
  const double p = chain.p, q = chain.q;
  const double logGap = p == q ? -std::numeric_limits<double>::infinity() : std::log(std::abs(p - q));
  constexpr double kSmall = 1e-290;  // 4 p q underflows not far below this
  const double product = 4 * p * q;
  const double logProduct = product > kSmall ? std::log(product) : std::log(4 * p) + std::log(q);
  const double halfLogD = logAddExp(2 * logGap, logProduct + S) / 2;
  const double sum = logAddExp(halfLogD, logGap);
  if (p < q) {
    const double c = std::log(2 * p) - sum;
    return {c, c + S};
  }
  const double cPlusS = sum - std::log(2 * q);
  return {cPlusS - S, cPlusS};
}

/// sigmoid(c) - p without cancellation where the two are close.
double excess(double p, double c) {
  const double distance = std::log(p) - std::log1p(-p) - c;
  if (std::abs(distance) > 1) return sigmoid(c) - p;
  return -sigmoid(c) * (1 - p) * std::expm1(distance);
}

}  // namespace

double lambdaC(const Chain& chain, double S) {
  return logits(chain, S).c;
}

double lambdaFirst(const Chain& chain, double S) {
  return -chain.pi0() * excess(chain.p, lambdaC(chain, S));
}

Lambda lambda(const Chain& chain, double S) {
  const auto [c, cPlusS] = logits(chain, S);
  const double p = chain.p, q = chain.q, pi0 = chain.pi0(), pi1 = chain.pi1();
  Lambda result;
  result.c = c;
  result.value =
      pi0 * ((1 - p) * softplus(c) + p * softplus(-c)) + pi1 * (q * softplus(cPlusS) + (1 - q) * softplus(-cPlusS));
  result.f2 = excess(p, c);
  result.f1 = -result.f2 / pi1;
  result.first = -pi0 * result.f2;
  const double log1 = std::log(pi1) + logSigmoidSlope(cPlusS), log0 = std::log(pi0) + logSigmoidSlope(c);
  result.second = std::exp(log1 + log0 - logAddExp(log1, log0));
  return result;
}

}  // namespace sepx::markov

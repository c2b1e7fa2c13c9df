// SPDX-License-Identifier: Apache-2.0
// Entropies and S_star of the binary Markov chain, in nats. Pure functions.
#include "engine/markov/chain.h"

#include <cmath>

#include <fmt/format.h>

#include "engine/core/number.h"

namespace sepx::markov {

namespace {

/// Entropy of a coin that shows one side with probability x, the other with y = 1 - x.
double coinEntropy(double x, double y) {
  return -x * std::log(x) - y * std::log(y);
}

}  // namespace

Result<Chain> Chain::make(double p, double q) {
  const auto inside = [](double x) { return x > 0 && x < 1; };
  for (const auto& [name, value] : {std::pair<char, double>{'p', p}, {'q', q}})
    if (!inside(value))
      return fail(ErrorKind::Usage,
                  fmt::format("{} = {} is not between 0 and 1; both p and q must lie strictly inside (0, 1)", name,
                              formatShortest(value)));
  return Chain{p, q};
}

double Chain::marginalEntropy() const {
  return coinEntropy(pi0(), pi1());
}

double Chain::entropyRate() const {
  return pi0() * coinEntropy(p, 1 - p) + pi1() * coinEntropy(q, 1 - q);
}

double Chain::mutualInformation() const {
  // sum of pi_i P_ij log(P_ij/pi_j); the quotients are 1 + something small near p + q = 1
  const double s = switching();
  return (pi0() * p + pi1() * q) * std::log1p(s) + pi0() * (1 - p) * std::log1p(-p * s / q) +
         pi1() * (1 - q) * std::log1p(-q * s / p);
}

double Chain::S_star() const {
  const double excess = (1 - p - q) / (p * q);  // the quotient minus 1; accurate where p + q is close to 1
  if (std::abs(excess) < 0.5) return std::log1p(excess);
  return std::log1p(-p) + std::log1p(-q) - std::log(p) - std::log(q);
}

}  // namespace sepx::markov

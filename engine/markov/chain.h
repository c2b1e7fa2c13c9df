// SPDX-License-Identifier: Apache-2.0
// The binary first-order Markov chain of Local-to-Global, section 2: P = [1-p, p; q, 1-q]. Entropies in nats.
#pragma once

#include "engine/core/result.h"

namespace sepx::markov {

struct Chain {
  double p = 0.5;  ///< P(1|0)
  double q = 0.8;  ///< P(0|1)

  /// A Usage error unless 0 < p < 1 and 0 < q < 1; NaN is an error too.
  static Result<Chain> make(double p, double q);

  double pi0() const { return q / (p + q); }        ///< stationary P(x = 0)
  double pi1() const { return p / (p + q); }        ///< stationary P(x = 1)
  double switching() const { return p + q - 1; }    ///< its sign decides the basins (Theorems 2 and 8)
  bool degenerate() const { return p + q == 1.0; }  ///< the next bit does not depend on this one: no basins
  double marginalEntropy() const;                   ///< H(pi)
  double entropyRate() const;                       ///< H(x_{n+1}|x_n)
  double mutualInformation() const;                 ///< H(pi) - H(x_{n+1}|x_n)
  double S_star() const;                            ///< log((1-p)(1-q)/(pq)), where Lambda is least [Theorem 1]
};

}  // namespace sepx::markov

// SPDX-License-Identifier: Apache-2.0
// The loss as a function of S alone: L(theta) = Lambda(S), S = e^2 u v, u = 1 + a e^2, v = 1 + 2 w|w| (Lemmas 5-8, in
// the stable forms of the project's science notes). Lambda is strictly convex with its minimum at S_star. Finite for
// |S| <= 1e300.
#pragma once

#include "engine/markov/chain.h"

namespace sepx::markov {

struct Lambda {
  double c = 0;           ///< b* - e^2/2 in 2-D
  double value = 0;       ///< loss, nats
  double first = 0;       ///< dLambda/dS
  double second = 0;      ///< d2Lambda/dS2
  double f1 = 0, f2 = 0;  ///< of Lemma 3, with its signs
};

/// Only c(S).
double lambdaC(const Chain& chain, double S);
/// Only dLambda/dS, for a third of the work.
double lambdaFirst(const Chain& chain, double S);
Lambda lambda(const Chain& chain, double S);

}  // namespace sepx::markov

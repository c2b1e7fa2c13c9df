// SPDX-License-Identifier: Apache-2.0
// The coordinates in which the canonical flows are integrated: X = (e, r[, a][, b]) with w = w0 exp(r). No orbit
// crosses w = 0, and dr/dt is smooth where w itself decays over hundreds of powers of ten. With optimal bias the flow
// is -Lambda'(S) e G(X), where G is smooth and has no zero at e = 0. G/|G| has the same orbits, crosses the axis
// without a jump and is not stiff. Any thread.
#pragma once

#include "engine/markov/canonical_model.h"

namespace sepx::markov {

class FlowChart {
 public:
  FlowChart(const Chain& chain, Model model, const State& theta0);

  State start() const { return start_; }
  State theta(const State& X) const;  ///< the state at chart coordinates X
  /// log|w|, exact even where w underflows. Requires w0 != 0.
  double logW(const State& X) const { return logW0_ + X[1]; }
  bool offAxis() const { return sign_ != 0; }
  double S(const State& X) const;
  double v(const State& X) const;

  /// dX/dt of the gradient flow.
  State velocity(const State& X) const;
  /// d velocity/dX, from the Hessian.
  Jacobian jacobian(const State& X) const;
  /// G/|G|; zero where G is zero. Optimal bias only.
  State direction(const State& X) const;
  /// |dX/dt| for optimal bias: the speed of the flow along direction().
  double speed(const State& X) const;
  /// E of the orbit at X, for w0 != 0.
  double energy(const State& X) const;

 private:
  double w(double r) const;
  State divisible(State point) const;
  State fieldG(const State& X) const;

  Chain chain_;
  Model model_;
  State start_;
  double w0_ = 0, sign_ = 0, logW0_ = 0;
};

}  // namespace sepx::markov

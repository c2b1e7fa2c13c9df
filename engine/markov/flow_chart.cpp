// SPDX-License-Identifier: Apache-2.0
// Gradient flow in the coordinates (e, log(w/w0)[, a][, b]). Pure functions; any thread.
#include "engine/markov/flow_chart.h"

#include <cmath>

#include "engine/markov/lambda.h"

namespace sepx::markov {

FlowChart::FlowChart(const Chain& chain, Model model, const State& theta0)
    : chain_(chain), model_(model), start_(theta0) {
  start_[1] = 0;
  w0_ = theta0[1];
  if (w0_ == 0) return;
  sign_ = w0_ > 0 ? 1 : -1;
  logW0_ = std::log(std::abs(w0_));
}

double FlowChart::w(double r) const {
  constexpr double kExponent = 700;  // exp(r) is a normal number for smaller |r|
  return std::abs(r) < kExponent || sign_ == 0 ? w0_ * std::exp(r) : sign_ * std::exp(logW0_ + r);
}

State FlowChart::theta(const State& X) const {
  State result = X;
  result[1] = w(X[1]);
  return result;
}

double FlowChart::v(const State& X) const {
  return 1 + 2 * sign_ * (sign_ == 0 ? 0 : std::exp(2 * (logW0_ + X[1])));
}

double FlowChart::S(const State& X) const {
  const double ee = X[0] * X[0];
  return ee * (hasAttention(model_) ? 1 + X[2] * ee : 1) * v(X);
}

State FlowChart::fieldG(const State& X) const {
  const double e = X[0], ee = e * e, vv = v(X);
  const double a = hasAttention(model_) ? X[2] : 0;
  State G(X.size());
  G[0] = 2 * vv * (1 + 2 * a * ee);
  G[1] = 4 * e * (1 + a * ee) * sign_;
  if (hasAttention(model_)) G[2] = e * ee * vv;
  return G;
}

State FlowChart::direction(const State& X) const {
  State G = fieldG(X);
  const double norm = G.stableNorm();
  return norm > 0 ? State(G / norm) : State(State::Zero(X.size()));
}

double FlowChart::speed(const State& X) const {
  return std::abs(lambdaFirst(chain_, S(X)) * X[0]) * fieldG(X).stableNorm();
}

State FlowChart::divisible(State point) const {
  constexpr double kTiny = 1e-150;  // w^2 is negligible below it; w is needed as a divisor
  if (sign_ != 0 && std::abs(point[1]) < kTiny) point[1] = sign_ * kTiny;
  return point;
}

Jacobian FlowChart::jacobian(const State& X) const {
  // dr/dt = -(dL/dw)/w and d/dr = w d/dw
  const State point = divisible(theta(X));
  const Evaluation at = evaluate(chain_, model_, point);
  Jacobian result = -at.hessian;
  const double w = point[1];
  if (sign_ == 0) {
    result.row(1).setZero();
    result.col(1).setZero();
    return result;
  }
  result.row(1) /= w;
  result.col(1) *= w;
  result(1, 1) += at.gradient[1] / w;
  return result;
}

State FlowChart::velocity(const State& X) const {
  if (!hasFreeBias(model_)) return -lambdaFirst(chain_, S(X)) * X[0] * fieldG(X);
  const State point = divisible(theta(X));
  State result = -gradient(chain_, model_, point);
  result[1] = sign_ == 0 ? 0 : result[1] / point[1];
  return result;
}

double FlowChart::energy(const State& X) const {
  const double e = X[0], ww = std::exp(2 * logW(X)), a = hasAttention(model_) ? X[2] : 0;
  return e * e - ww - sign_ * logW(X) - 2 * a * a;
}

}  // namespace sepx::markov

// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/transfer_flow.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Core>

#include "engine/reversal/rope_bounds.h"
#include "engine/reversal/rope_correlation.h"

namespace sepx::reversal {
namespace {

using Eigen::VectorXd;

constexpr double kStep = 1.0 / 200;  ///< in log(1 + t)

VectorXd vectorOf(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

/// m and lambda of the header.
struct Margin {
  double m = 0, lambda = 0;
};
Margin operator+(Margin a, Margin b) {
  return {a.m + b.m, a.lambda + b.lambda};
}
Margin operator*(double x, Margin a) {
  return {x * a.m, x * a.lambda};
}

class Flow {
 public:
  explicit Flow(const TransferFlow& flow)
      : kind_(flow.kind),
        others_(flow.vocabulary - 1),
        rate_(flow.rate),
        scale_(1 / std::sqrt(static_cast<double>(flow.q.size()))) {
    const VectorXd q = vectorOf(flow.q), k = vectorOf(flow.k);
    if (kind_ == TransferKind::Rope) {
      const std::vector<double> angles = ropeAngles(static_cast<int>(flow.q.size()), flow.base);
      forward_ = q.dot(vectorOf(turnedPlanes(flow.k, angles, flow.forward)));
      reverse_ = q.dot(vectorOf(turnedPlanes(flow.k, angles, -flow.reverse)));
      forwardPull_ = q.squaredNorm();
      reversePull_ = ropeCondition(flow);
    } else {
      product_ = q.dot(k);
      squares_ = q.squaredNorm() + k.squaredNorm();
      forward_ = flow.slope * flow.forward;
      reverse_ = -flow.slope * flow.reverse;
    }
  }

  /// The derivative with respect to t.
  Margin slope(const Margin& at) const {
    const double alpha = sigmoid(forwardScore(at.lambda) * scale_), error = rate_ * miss(alpha * at.m);
    return {alpha * error * (1 + 1.0 / others_), alpha * (1 - alpha) * scale_ * error * at.m};
  }
  TransferState seen(double t, const Margin& at) const {
    TransferState out;
    out.t = t;
    out.forwardAlpha = sigmoid(forwardScore(at.lambda) * scale_);
    out.reverseAlpha = sigmoid(reverseScore(at.lambda) * scale_);
    out.forwardMiss = miss(out.forwardAlpha * at.m);
    out.reverseMiss = miss(out.reverseAlpha * at.m);
    out.forward = 1 - out.forwardMiss;
    out.reverse = 1 - out.reverseMiss;
    out.other = -at.m / (others_ + 1.0);  // the flow conserves the sum of Y
    out.target = at.m + out.other;
    return out;
  }

 private:
  /// 1 - p(A) for a margin of logits, accurate also where p(A) rounds to 1.
  double miss(double margin) const {
    const double others = others_ * std::exp(-margin);
    return others / (1 + others);
  }
  double product(double lambda) const {
    if (kind_ != TransferKind::AlibiTrained) return product_;
    const double grown = std::exp(2 * lambda);
    return (product_ * (grown + 1 / grown) + squares_ / 2 * (grown - 1 / grown)) / 2;
  }
  double forwardScore(double lambda) const { return forward_ + forwardPull_ * lambda + product(lambda); }
  double reverseScore(double lambda) const { return reverse_ + reversePull_ * lambda + product(lambda); }

  TransferKind kind_;
  int others_;
  double rate_, scale_;
  double forward_ = 0, reverse_ = 0;          ///< constant parts of the scores
  double forwardPull_ = 0, reversePull_ = 0;  ///< growth of the scores with lambda, for RoPE
  double product_ = 0, squares_ = 0;          ///< q.k and |q|^2 + |k|^2 at t = 0, of ALiBi
};

}  // namespace

Result<void> check(const TransferFlow& flow) {
  if (flow.q.size() != flow.k.size() || flow.q.empty())
    return fail(ErrorKind::Usage, fmt::format("the query has {} coordinates and the key {}; give both the same number",
                                              flow.q.size(), flow.k.size()));
  if (flow.kind == TransferKind::Rope)
    if (auto fine = checkRope(static_cast<int>(flow.q.size()), flow.base); !fine) return fine;
  if (flow.vocabulary < 2 || flow.target < 0 || flow.target >= flow.vocabulary)
    return fail(ErrorKind::Usage,
                fmt::format("token {} of a vocabulary of {} cannot be the target; the vocabulary must have at least 2 "
                            "tokens, and the target must be one of them",
                            flow.target, flow.vocabulary));
  return {};
}

std::vector<double> ropeConditions(const TransferFlow& flow, std::span<const double> sums) {
  const std::vector<double> angles = ropeAngles(static_cast<int>(flow.q.size()), flow.base);
  std::vector<double> weights;  // |q_s|^2 of the planes: q^T R(r) q = sum of w_s cos(r theta_s)
  for (std::size_t s = 0; s < angles.size(); ++s)
    weights.push_back(flow.q[2 * s] * flow.q[2 * s] + flow.q[2 * s + 1] * flow.q[2 * s + 1]);
  std::vector<double> conditions;
  conditions.reserve(sums.size());
  for (const double sum : sums) {
    double value = 0;
    for (std::size_t s = 0; s < angles.size(); ++s)
      value += weights[s] * std::cos(sum * angles[s]);
    conditions.push_back(value);
  }
  return conditions;
}

double ropeCondition(const TransferFlow& flow) {
  const double sum = flow.forward + flow.reverse;
  return ropeConditions(flow, {&sum, 1}).front();
}

std::vector<TransferState> transferStates(const TransferFlow& flow, std::span<const double> times) {
  const Flow field(flow);
  Margin state;
  double at = 0;  // log(1 + t)
  std::vector<TransferState> states;
  states.reserve(times.size());
  for (const double t : times) {
    const double span = std::log1p(t) - at;
    const auto steps = static_cast<int>(std::ceil(std::max(span, 0.0) / kStep));
    const double h = steps > 0 ? span / steps : 0;
    for (int i = 0; i < steps; ++i) {
      const double begin = std::exp(at + i * h), middle = std::exp(at + (i + 0.5) * h),
                   end = std::exp(at + (i + 1) * h);
      const Margin k1 = begin * field.slope(state), k2 = middle * field.slope(state + h / 2 * k1),
                   k3 = middle * field.slope(state + h / 2 * k2), k4 = end * field.slope(state + h * k3);
      state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    at = std::log1p(t);
    states.push_back(field.seen(t, state));
  }
  return states;
}

}  // namespace sepx::reversal

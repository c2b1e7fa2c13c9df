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

constexpr double kStep = 1.0 / 500;  ///< in log(1 + t)

VectorXd vectorOf(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

VectorXd softmax(const VectorXd& z) {
  const VectorXd e = (z.array() - z.maxCoeff()).exp();
  return e / e.sum();
}

/// The state is (Y, q, k) in one vector.
class Flow {
 public:
  explicit Flow(const TransferFlow& flow)
      : flow_(flow),
        angles_(rope() ? ropeAngles(static_cast<int>(flow.q.size()), flow.base) : std::vector<double>()),
        D_(static_cast<Eigen::Index>(flow.q.size())),
        V_(flow.vocabulary),
        scale_(1 / std::sqrt(double(D_))) {}

  VectorXd start() const {
    VectorXd state(V_ + 2 * D_);
    state << VectorXd::Zero(V_), vectorOf(flow_.q), vectorOf(flow_.k);
    return state;
  }
  VectorXd slope(const VectorXd& state) const {
    const VectorXd Y = state.head(V_), q = state.segment(V_, D_), k = state.tail(D_);
    const double alpha = sigmoid(forwardScore(q, k) * scale_);
    VectorXd error = softmax(alpha * Y);
    error[flow_.target] = 0;
    error[flow_.target] = -error.sum();  // 1 - p(A) is the sum of the others: nothing is lost where p(A) rounds to 1
    VectorXd out = VectorXd::Zero(state.size());
    out.head(V_) = -flow_.rate * alpha * error;
    const double score = -flow_.rate * alpha * (1 - alpha) * scale_ * error.dot(Y);
    if (flow_.kind == TransferKind::Rope) out.tail(D_) = score * turned(q, -flow_.forward);
    if (flow_.kind == TransferKind::AlibiTrained) {
      out.segment(V_, D_) = score * k;
      out.tail(D_) = score * q;
    }
    return out;
  }
  TransferState seen(double t, const VectorXd& state) const {
    const VectorXd Y = state.head(V_), q = state.segment(V_, D_), k = state.tail(D_);
    TransferState out;
    out.t = t;
    out.forwardAlpha = sigmoid(forwardScore(q, k) * scale_);
    out.reverseAlpha = sigmoid(reverseScore(q, k) * scale_);
    out.forward = softmax(out.forwardAlpha * Y)[flow_.target];
    out.reverse = softmax(out.reverseAlpha * Y)[flow_.target];
    out.Y.assign(Y.begin(), Y.end());
    return out;
  }

 private:
  bool rope() const { return flow_.kind == TransferKind::Rope; }
  VectorXd turned(const VectorXd& x, double r) const {
    return vectorOf(turnedPlanes({x.data(), static_cast<std::size_t>(x.size())}, angles_, r));
  }
  double forwardScore(const VectorXd& q, const VectorXd& k) const {
    return rope() ? q.dot(turned(k, flow_.forward)) : q.dot(k) + flow_.slope * flow_.forward;
  }
  double reverseScore(const VectorXd& q, const VectorXd& k) const {
    return rope() ? q.dot(turned(k, -flow_.reverse)) : q.dot(k) - flow_.slope * flow_.reverse;
  }

  const TransferFlow& flow_;
  std::vector<double> angles_;
  Eigen::Index D_, V_;
  double scale_;
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
                fmt::format("token {} of a vocabulary of {} cannot be the target; give one from 0, of "
                            "2 tokens or more",
                            flow.target, flow.vocabulary));
  return {};
}

double ropeCondition(const TransferFlow& flow) {
  const std::vector<double> angles = ropeAngles(static_cast<int>(flow.q.size()), flow.base);
  return vectorOf(flow.q).dot(vectorOf(turnedPlanes(flow.q, angles, flow.forward + flow.reverse)));
}

std::vector<TransferState> transferStates(const TransferFlow& flow, std::span<const double> times) {
  const Flow field(flow);
  VectorXd state = field.start();
  double at = 0;  // log(1 + t)
  std::vector<TransferState> states;
  for (const double t : times) {
    const double span = std::log1p(t) - at;
    const auto steps = static_cast<int>(std::ceil(std::max(span, 0.0) / kStep));
    const double h = steps > 0 ? span / steps : 0;
    const auto slope = [&](double u, const VectorXd& y) { return VectorXd(std::exp(u) * field.slope(y)); };
    for (int i = 0; i < steps; ++i) {
      const double u = at + i * h;
      const VectorXd k1 = slope(u, state), k2 = slope(u + h / 2, state + h / 2 * k1),
                     k3 = slope(u + h / 2, state + h / 2 * k2), k4 = slope(u + h, state + h * k3);
      state += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    at = std::log1p(t);
    states.push_back(field.seen(t, state));
  }
  return states;
}

}  // namespace sepx::reversal

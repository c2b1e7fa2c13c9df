// SPDX-License-Identifier: Apache-2.0
#include "engine/markov/softmax_scalar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "engine/markov/canonical_model.h"

namespace sepx::markov {
namespace {

using dynamics::LimitKind;

double softplusOf(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}
double sigmoidOf(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

/// A state of the past on which the logit of the next bit depends: its probability, that logit without b, P(next = 1).
struct Past {
  double probability, logit, one;
};

/// All states, by n, the last bit and the number of ones. Each n has the weight 1/N.
std::vector<Past> pasts(const Chain& chain, double e, double w, const SoftmaxScalar& attention, int N) {
  std::vector<Past> all;
  // [last bit][ones among the first n]
  std::array<std::vector<double>, 2> now{std::vector<double>(static_cast<std::size_t>(N) + 2, 0.0),
                                         std::vector<double>(static_cast<std::size_t>(N) + 2, 0.0)};
  now[0][0] = chain.pi0();
  now[1][1] = chain.pi1();
  for (int n = 1; n <= N; ++n) {
    auto next = now;
    for (auto& row : next)
      std::fill(row.begin(), row.end(), 0.0);
    for (const int bit : {0, 1}) {
      const double one = bit == 1 ? 1 - chain.q : chain.p;
      for (int ones = bit; ones <= n; ++ones) {
        const auto m = static_cast<std::size_t>(ones);
        const double probability = now[static_cast<std::size_t>(bit)][m];
        if (probability == 0) continue;
        all.push_back({probability / N, softmaxLogit(bit, static_cast<double>(ones) / n, e, w, attention), one});
        next[0][m] += probability * (1 - one);
        next[1][m + 1] += probability * one;
      }
    }
    now = std::move(next);
  }
  return all;
}

/// tanh and 1 - tanh^2.
struct Tanh {
  explicit Tanh(double x) : value(std::tanh(x)), slope(1 / (std::cosh(x) * std::cosh(x))) {}
  double value, slope;
};

/// A function of t with two derivatives.
struct Jet {
  double value = 0, first = 0, second = 0;
  Jet operator+(const Jet& other) const { return {value + other.value, first + other.first, second + other.second}; }
  Jet operator*(double by) const { return {value * by, first * by, second * by}; }
};
Jet relu(const Jet& x) {
  return x.value > 0 ? x : Jet{};
}

class SoftmaxField final : public dynamics::VectorField {
 public:
  const dynamics::FieldInfo& info() const override { return info_; }
  State evaluate(const State& x, std::span<const double> parameters) const override {
    const SoftmaxLimit at = limit(x, parameters);
    return -lambdaFirst(chainOf(parameters), at.S) * at.gradient;
  }
  dynamics::Jacobian jacobian(const State& x, std::span<const double> parameters) const override {
    const SoftmaxLimit at = limit(x, parameters);
    const Lambda slope = lambda(chainOf(parameters), at.S);
    return -(slope.second * at.gradient * at.gradient.transpose() + slope.first * at.hessian);
  }
  std::optional<double> potential(const State& x, std::span<const double> parameters) const override {
    return lambda(chainOf(parameters), limit(x, parameters).S).value;
  }
  /// The points of e = 0 at which the curvature across e = 0 changes sign, for e > 0 and for e < 0. The two coincide if
  /// p = q.
  std::vector<dynamics::FixedPoint> fixedPoints(std::span<const double> parameters) const override {
    const double mean = parameters[2] * std::tanh(std::log(parameters[0] / parameters[1]) / 2);
    std::vector<dynamics::FixedPoint> found;
    for (const double side : {1.0, -1.0})
      if (side * mean > -1 && (found.empty() || mean != 0))
        found.push_back({Eigen::Vector2d(0, -std::sqrt(0.5 / std::min(1 + side * mean, 2.0))), LimitKind::Saddle});
    return found;
  }
  unsigned invariantPlanes() const override { return 1u << 1; }
  bool hasClassifier() const override { return true; }

  /// The argument is that of the plane without attention (canonical_field.cpp): with v >= 0 all critical points have
  /// S = S_star or e = 0.
  LimitKind classify(const State&, const State& x, std::span<const double> parameters) const override {
    const Chain chain = chainOf(parameters);
    const double s = chain.switching();
    if (chain.degenerate() || s == 0 || parameters[2] < 0) return LimitKind::Undecided;
    if (limit(x, parameters).S * chain.S_star() > 0) return LimitKind::GlobalMin;
    // S/e^2 on the side of e where the point lies; hessian(0, 0) = 2 S/e^2 at e = 0.
    const double across = limit(State(Eigen::Vector2d(x[0] < 0 ? -1e-300 : 0, x[1])), parameters).hessian(0, 0) / 2;
    if (x[0] == 0) return s * across > 0 ? LimitKind::LocalMin : LimitKind::LocalMax;
    constexpr double kNearAxis = 1e-3, kClearOfSaddle = 4;
    const bool near = std::abs(x[0]) < kNearAxis && std::abs(parameters[3]) * x[0] * x[0] < kNearAxis;
    return near && s * across > 0 && std::abs(across) > kClearOfSaddle * std::abs(x[0]) ? LimitKind::LocalMin
                                                                                        : LimitKind::Undecided;
  }

 private:
  static Chain chainOf(std::span<const double> parameters) { return Chain{parameters[0], parameters[1]}; }
  static SoftmaxLimit limit(const State& x, std::span<const double> parameters) {
    return softmaxLimit(chainOf(parameters), x[0], x[1], {parameters[2], parameters[3]});
  }

  dynamics::FieldInfo info_{.key = "softmax",
                            .name = "Canonical transformer with softmax (e, w)",
                            .description =
                                "Gradient flow of (13), (19) after long sequences: v of the value, k of the "
                                "scores, both held",
                            .equation = "(e,w)' = -grad Lambda(S), S = logit after 1 less logit after 0",
                            .variables = {"e", "w"},
                            .parameters = {{"p", "p", 0.5, 0.005, 0.995},
                                           {"q", "q", 0.8, 0.005, 0.995},
                                           {"v", "v", 1, 0, 3},
                                           {"k", "k", 2, 0, 8}},
                            .windowMin = Eigen::Vector2d(-2, -2),
                            .windowMax = Eigen::Vector2d(2, 2)};
};

}  // namespace

double softmaxMean(int bit, double ones, double e, double k) {
  // The larger of the two weights is scaled to 1, so nothing overflows.
  const double t = k * e * e / 4 * (bit == 1 ? 1 : -1), small = std::exp(-2 * std::abs(t));
  const double one = ones * (t >= 0 ? 1 : small), zero = (1 - ones) * (t >= 0 ? small : 1);
  return (one - zero) / (one + zero) / 2;
}

double softmaxLogit(int bit, double ones, double e, double w, const SoftmaxScalar& attention) {
  const double h = bit - 0.5 + attention.v * softmaxMean(bit, ones, e, attention.k);
  return e * e * h + 4 * w * std::abs(w) * e * std::max(e * h, 0.0);
}

BestLoss softmaxLoss(const Chain& chain, double e, double w, const SoftmaxScalar& attention, int N) {
  const std::vector<Past> all = pasts(chain, e, w, attention, N);
  // dL/db increases with b, so its zero lies between the bounds that the single logits give.
  double low = std::log(std::min(chain.p, 1 - chain.q)) - 1, high = -std::log(std::min(1 - chain.p, chain.q)) + 1;
  double lowest = all.front().logit, highest = lowest;
  for (const Past& past : all) {
    lowest = std::min(lowest, past.logit);
    highest = std::max(highest, past.logit);
  }
  low -= highest;
  high -= lowest;
  while (high - low > 1e-14 * (1 + std::abs(high))) {
    const double b = (low + high) / 2;
    double slope = 0;
    for (const Past& past : all)
      slope += past.probability * (sigmoidOf(past.logit + b) - past.one);
    if (b == low || b == high) break;
    (slope > 0 ? high : low) = b;
  }
  BestLoss best{0, (low + high) / 2};
  for (const Past& past : all)
    best.loss += past.probability *
                 (past.one * softplusOf(-past.logit - best.bias) + (1 - past.one) * softplusOf(past.logit + best.bias));
  return best;
}

SoftmaxLimit softmaxLimit(const Chain& chain, double e, double w, const SoftmaxScalar& attention) {
  const double v = attention.v, k = attention.k, t = k * e * e / 4, m = std::log(chain.p / chain.q) / 2;
  const auto jet = [&](double x, double sign, double bit) {  // (bit +- v tanh)/2 and its derivatives in t
    const Tanh of(x);
    return Jet{(bit + v * of.value) / 2, sign * v * of.slope / 2, -v * of.value * of.slope};
  };
  const Jet one = jet(t + m, 1, 1), zero = jet(m - t, -1, -1), difference = one + zero * -1;
  const Jet active = e < 0 ? relu(zero * -1) + relu(one * -1) * -1 : relu(one) + relu(zero) * -1;
  const Jet F = difference + active * (4 * w * std::abs(w));
  const double ee = e * e, te = k * e / 2;  // dt/de
  SoftmaxLimit at;
  at.S = ee * F.value;
  at.gradient = Eigen::Vector2d(2 * e * F.value + ee * te * F.first, 8 * std::abs(w) * ee * active.value);
  const double mixed = 8 * std::abs(w) * (2 * e * active.value + ee * te * active.first);
  Eigen::Matrix2d hessian;
  hessian << 2 * F.value + (4 * e * te + ee * k / 2) * F.first + ee * te * te * F.second, mixed, mixed,
      (w > 0   ? 8
       : w < 0 ? -8
               : 0) *
          ee * active.value;
  at.hessian = hessian;
  return at;
}

double softmaxEnergy(double e, double w, const SoftmaxScalar& attention) {
  // Simpson's rule over s = e^2.
  constexpr int kParts = 2000;
  const double end = e * e;
  const auto slope = [&](double s) {
    const double t = attention.k * s / 4;
    const Tanh of(t);
    const double D = 1 + attention.v * of.value;
    return D / (D + t * attention.v * of.slope);
  };
  double sum = slope(0) + slope(end);
  for (int i = 1; i < kParts; ++i)
    sum += (i % 2 == 1 ? 4 : 2) * slope(end * i / kParts);
  return sum * end / (3 * kParts) - w * w - (w > 0 ? 1 : -1) * std::log(std::abs(w));
}

std::unique_ptr<dynamics::VectorField> makeSoftmaxField() {
  return std::make_unique<SoftmaxField>();
}

}  // namespace sepx::markov

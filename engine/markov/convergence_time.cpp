// SPDX-License-Identifier: Apache-2.0
// Integrates the time of the flow until only a small share of the loss is left. The embedded Runge-Kutta pair of
// Dormand and Prince is written out for four numbers, because a map of the plane needs tens of thousands of times. Pure
// functions.
#include "engine/markov/convergence_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <boost/math/tools/toms748_solve.hpp>

#include "engine/markov/basin.h"
#include "engine/markov/flow.h"

namespace sepx::markov {

namespace {

constexpr double kSquareable = 1e150;  // beyond, S overflows
constexpr double kMapTolerance = 1e-5;

/// Lambda(S) - Lambda(S_lim) without cancellation where the two are near each other: the integral of Lambda' there.
double lossAbove(const Chain& chain, double S, double limit) {
  constexpr double kNear = 0.5;
  if (!(std::abs(S - limit) < kNear)) return lambda(chain, S).value - lambda(chain, limit).value;
  constexpr double kNodes[] = {0, 0.538469310105683091, 0.906179845938663993};  // Gauss-Legendre, five points
  constexpr double kWeights[] = {0.568888888888888889, 0.478628670499366468, 0.236926885056189088};
  const double middle = 0.5 * (S + limit), half = 0.5 * (S - limit);
  double sum = kWeights[0] * lambdaFirst(chain, middle);
  for (int i = 1; i < 3; ++i)
    sum +=
        kWeights[i] * (lambdaFirst(chain, middle - half * kNodes[i]) + lambdaFirst(chain, middle + half * kNodes[i]));
  return sum * half;
}

/// The S between S0 and the limit at which `share` of the loss above the limit is left.
std::optional<double> targetOf(const Chain& chain, double S0, double limit, double share) {
  const double all = lossAbove(chain, S0, limit);
  if (!(all > 0) || !std::isfinite(all)) return std::nullopt;
  const auto above = [&](double x) { return lossAbove(chain, limit + x * (S0 - limit), limit) / all - share; };
  std::uintmax_t iterations = 100;
  const auto root = boost::math::tools::toms748_solve(above, 0.0, 1.0, -share, 1 - share,
                                                      boost::math::tools::eps_tolerance<double>(48), iterations);
  return limit + 0.5 * (root.first + root.second) * (S0 - limit);
}

/// log|e|, log(w/w0), a and the time.
using Phase = std::array<double, 4>;

/// The orbit of (e,w) or (e,w,a) from one point, parametrised by its arc length in these coordinates.
class Run {
 public:
  Run(const Chain& chain, Model model, const State& theta0, double tolerance)
      : chain_(chain), attention_(hasAttention(model)), tolerance_(tolerance) {
    const double w0 = theta0[1];
    sign_ = w0 > 0 ? 1 : w0 < 0 ? -1 : 0;
    twiceLogW0_ = sign_ == 0 ? 0 : 2 * std::log(std::abs(w0));
    at_ = {std::log(std::abs(theta0[0])), 0, attention_ ? theta0[2] : 0, 0};
    way_ = S(at_) < chain.S_star() ? 1 : -1;
  }

  double S(const Phase& y) const {
    const double ee = std::exp(2 * y[0]);
    return ee * (1 + y[2] * ee) * v(y);
  }

  /// The time at which S equals `target`; no value if S does not reach it within the step limit.
  std::optional<double> timeTo(double target) {
    constexpr int kMostSteps = 4000;
    if (!(way_ * (S(at_) - target) < 0)) return at_[3];
    double h = 0.05;
    for (int i = 0; i < kMostSteps; ++i) {
      const auto [end, error] = step(h);
      const bool there = way_ * (S(end) - target) >= 0;
      if (there) {
        const double last = lengthTo(target, h);
        const auto [arrived, rest] = step(last);
        if (rest <= 1) return arrived[3];
        h = 0.5 * last;
        continue;
      }
      if (error <= 1) at_ = end;
      const double factor = std::isfinite(error) ? 0.9 * std::pow(std::max(error, 1e-10), -0.2) : 0.2;
      h *= std::clamp(factor, 0.2, 4.0);
      if (!(h > 1e-14)) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  double v(const Phase& y) const { return 1 + 2 * sign_ * (sign_ == 0 ? 0 : std::exp(twiceLogW0_ + 2 * y[1])); }

  Phase slope(const Phase& y) const {
    const double ee = std::exp(2 * y[0]), vv = v(y), u = 1 + y[2] * ee;
    Phase G{2 * vv * (1 + 2 * y[2] * ee), 4 * ee * u * sign_, attention_ ? ee * ee * vv : 0, 0};
    const double length = std::sqrt(G[0] * G[0] + G[1] * G[1] + G[2] * G[2]);
    const double speed = std::abs(lambdaFirst(chain_, ee * u * vv));
    if (!(length > 0) || !std::isfinite(length)) return {0, 0, 0, std::numeric_limits<double>::infinity()};
    for (int k = 0; k < 3; ++k)
      G[k] *= way_ / length;
    G[3] = 1 / (speed * length);
    return G;
  }

  /// One step from the current point: its end, and its error in units of the tolerance.
  std::pair<Phase, double> step(double h) const {
    static constexpr double kA[6][6] = {{1.0 / 5},
                                        {3.0 / 40, 9.0 / 40},
                                        {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static constexpr double kE[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                     -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    std::array<Phase, 7> slopes;
    slopes[0] = slope(at_);
    Phase y = at_;
    for (int stage = 0; stage < 6; ++stage) {
      y = at_;
      for (int j = 0; j <= stage; ++j)
        for (int k = 0; k < 4; ++k)
          y[k] += h * kA[stage][j] * slopes[j][k];
      slopes[stage + 1] = slope(y);
    }
    double worst = 0;
    for (int k = 0; k < 4; ++k) {
      double error = 0;
      for (int j = 0; j < 7; ++j)
        error += h * kE[j] * slopes[j][k];
      // errors of the logarithms are absolute; that of a is relative to 1 + |a|, that of the time to the time passed
      const double scale = k < 2 ? 1.0 : k == 2 ? 1 + std::abs(y[k]) : std::abs(y[k]);
      const double share = std::abs(error) / (tolerance_ * scale);
      worst = share <= worst ? worst : share;  // NaN counts as worst
      if (std::isnan(share)) worst = std::numeric_limits<double>::infinity();
    }
    return {y, worst};
  }

  /// The length of at most h at which S equals `target`. S does not depend on the time, so no step has to be rejected
  /// for it.
  double lengthTo(double target, double h) const {
    const auto missing = [this, target](double length) { return S(step(length).first) - target; };
    const double atStart = S(at_) - target, atEnd = missing(h);
    if (atEnd == 0) return h;
    std::uintmax_t iterations = 60;
    const auto root = boost::math::tools::toms748_solve(missing, 0.0, h, atStart, atEnd,
                                                        boost::math::tools::eps_tolerance<double>(44), iterations);
    return 0.5 * (root.first + root.second);
  }

  const Chain& chain_;
  bool attention_;
  double tolerance_, sign_ = 0, twiceLogW0_ = 0, way_ = 1;
  Phase at_{};
};

/// With a free bias: finds the crossing on the integrated path and refines it by following the flow from the sample
/// before it.
std::optional<double> timeByPath(const Chain& chain, Model model, const State& theta0, double share) {
  const Result<FlowResult> flow = flowFrom(chain, model, theta0);
  if (!flow || !flow->limit) return std::nullopt;
  const double limit = flow->limit->loss, all = loss(chain, model, theta0) - limit;
  if (!(all > 0)) return 0.0;
  const auto left = [&](const State& theta) { return loss(chain, model, theta) - limit - share * all; };
  const Path& path = flow->path;
  std::size_t i = 0;
  while (i < path.theta.size() && left(path.theta[i]) >= 0)
    ++i;
  if (i == path.theta.size()) return std::nullopt;
  if (i == 0) return 0.0;
  double low = 0, high = path.t[i] - path.t[i - 1];
  constexpr int kHalvings = 26;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = 0.5 * (low + high);
    const Result<Path> at = flowAt(chain, model, path.theta[i - 1], {middle});
    if (!at || at->theta.empty()) return path.t[i - 1] + middle;
    (left(at->theta.back()) >= 0 ? low : high) = middle;
  }
  return path.t[i - 1] + 0.5 * (low + high);
}

/// S at the limit; only for models without a free bias.
std::optional<double> limitS(const Chain& chain, Model model, const State& theta0) {
  if (chain.degenerate()) return 0.0;
  if (model == Model::EW) {
    const LimitKind kind = basinLabel(chain, theta0[0], theta0[1]);
    if (kind == LimitKind::Undecided) return std::nullopt;
    return kind == LimitKind::GlobalMin ? chain.S_star() : 0.0;
  }
  const Result<FlowResult> flow = flowFrom(chain, model, theta0);
  if (!flow || !flow->limit) return std::nullopt;
  return flow->label == LimitKind::GlobalMin ? chain.S_star() : 0.0;
}

}  // namespace

std::optional<double> convergenceTime(const Chain& chain, Model model, const State& theta0, double share,
                                      double tolerance) {
  if (theta0.size() != dimension(model) || !theta0.allFinite() || !(share > 0 && share < 1)) return std::nullopt;
  if (theta0.cwiseAbs().maxCoeff() > kSquareable) return std::nullopt;
  if (hasFreeBias(model)) return timeByPath(chain, model, theta0, share);
  if (theta0[0] == 0) return 0.0;
  const std::optional<double> limit = limitS(chain, model, theta0);
  if (!limit) return std::nullopt;
  const double S0 = reducedS(model, theta0);
  if (!std::isfinite(S0)) return std::nullopt;
  if (S0 == *limit || S0 == chain.S_star()) return 0.0;
  const std::optional<double> target = targetOf(chain, S0, *limit, share);
  if (!target) return std::nullopt;
  return Run(chain, model, theta0, tolerance).timeTo(*target);
}

std::vector<float> convergenceTimeMap(const Chain& chain, const dynamics::BasinWindow& window, ThreadPool& pool,
                                      const std::function<bool()>& cancelled, double share) {
  const auto width = static_cast<std::size_t>(std::max(window.width, 0));
  const auto height = static_cast<std::size_t>(std::max(window.height, 0));
  std::vector<float> times(width * height, std::numeric_limits<float>::quiet_NaN());
  pool.parallelFor(0, height, 1, [&](std::size_t first, std::size_t last) {
    State theta(2);
    for (std::size_t row = first; row < last; ++row) {
      if (cancelled && cancelled()) return;
      for (std::size_t column = 0; column < width; ++column) {
        theta << window.x(static_cast<int>(column)), window.y(static_cast<int>(row));
        if (const auto time = convergenceTime(chain, Model::EW, theta, share, kMapTolerance))
          times[row * width + column] = static_cast<float>(*time);
      }
    }
  });
  return times;
}

}  // namespace sepx::markov

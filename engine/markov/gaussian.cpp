// SPDX-License-Identifier: Apache-2.0
// P(I_min) of a Gaussian initialisation: in the plane by tanh-sinh quadrature, which tolerates the logarithm of g at
// w = 0; in space over the Airy curves that reach e = 0, (e, a) = (e(t), a(t)) with s = t^2 - 4 alpha^2, whose area
// element is (t/e) J dt dalpha, J = da/dalpha = exp(2 int a ds) (the basins are in attention_basin.h). Pure functions.
#include "engine/markov/gaussian.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/math/special_functions/lambert_w.hpp>

#include "engine/dynamics/integrator.h"
#include "engine/markov/energy.h"

namespace sepx::markov {

double probabilityLocalMinimum(double sigma, bool switchingAboveOne) {
  if (!(sigma > 0) || !std::isfinite(sigma)) return std::numeric_limits<double>::quiet_NaN();
  constexpr double kSaddle = 1 / std::numbers::sqrt2;
  constexpr double kReach = 40;  // standard deviations; beyond, the density is below 1e-300
  const double first = switchingAboveOne ? 0.0 : kSaddle;
  const double last = switchingAboveOne ? std::min(kSaddle, kReach * sigma) : kSaddle + kReach * sigma;
  const double scale = 1 / (sigma * std::sqrt(2 * std::numbers::pi));
  const auto integrand = [sigma, scale](double x) {  // x = -w
    if (x <= 0) return scale;
    const double g = std::sqrt(std::max(separatrixSquared(-x), 0.0));
    return scale * std::exp(-0.5 * (x / sigma) * (x / sigma)) * std::erf(g / (sigma * std::numbers::sqrt2));
  };
  static thread_local boost::math::quadrature::tanh_sinh<double> rule;  // caches its abscissas
  // The density fills only part of a long interval, so the interval is split into pieces of a few standard deviations.
  constexpr int kPieces = 10;
  double sum = switchingAboveOne ? 0.5 : 0.0;
  for (int i = 0; i < kPieces; ++i) {
    const double a = first + (last - first) * i / kPieces;
    // starts at zero, where the rule's points cluster and doubles are dense enough to distinguish them
    sum += rule.integrate([&integrand, a](double x) { return integrand(a + x); }, 0.0, (last - first) / kPieces, 1e-14);
  }
  return std::clamp(sum, 0.0, 1.0);
}

namespace {

constexpr double kReachAlpha = 9, kReachPlane = 12;  // range of integration in standard deviations

/// P(X > x) for X ~ N(0,1).
double upperTail(double x) {
  return 0.5 * std::erfc(x / std::numbers::sqrt2);
}

/// |w| of the w < 0 with g(w)^2 = D: 2w^2 - log(2w^2) = 2D + 1. `inner`: the root below 1/sqrt 2, else the one above.
double rootOfG(double D, bool inner) {
  const double argument = -std::exp(-1 - 2 * D);
  const double x = inner     ? -boost::math::lambert_w0(argument)
                   : D > 300 ? 2 * D + 1
                             : -boost::math::lambert_wm1(argument);
  return std::sqrt(0.5 * x);
}

/// The share of w ~ N(0, sigma^2) for which a point of the Airy curve ends at e = 0, divided by that share at D = 0.
class ShareOfW {
 public:
  ShareOfW(double sigma, bool above) : sigma_(sigma), above_(above), scale_(raw(0)) {}
  double operator()(double D) const { return scale_ > 0 ? raw(D) / scale_ : 0; }
  double scale() const { return scale_; }

 private:
  double raw(double D) const {
    const double w = rootOfG(std::max(D, 0.0), above_);
    return above_ ? 1 - upperTail(w / sigma_) : upperTail(w / sigma_);
  }
  double sigma_;
  bool above_;
  double scale_;
};

/// Integral of phi(e) phi(a) J t/e times the share of w along the curve that ends at alpha, without 1/(2 pi sigma^2).
double alongCurve(double alpha, double sigma, const ShareOfW& share, double relative) {
  const double unit = 1 / (2 * sigma * sigma);
  const auto risen = [alpha](const dynamics::State& x) { return 4 * x[0] * (2 * alpha + x[0]); };  // 4(a^2 - alpha^2)
  const auto slope = [&](double t, const dynamics::State& x) -> dynamics::State {
    const double a = alpha + x[0], more = risen(x), ee = std::max(t * t + more, 0.0);
    const double stretch = ee > 0 ? t / std::sqrt(ee) : 1;  // t/e
    const double weight = std::exp(x[1] - (ee + a * a) * unit);
    return Eigen::Vector3d(0.5 * ee * t, 4 * a * t, weight > 0 ? stretch * weight * share(t * t + 0.5 * more) : 0);
  };
  std::vector<dynamics::Event> events(2);
  const double reach = kReachPlane * sigma;
  events[0].g = [&](double t, const dynamics::State& x) {
    const double a = alpha + x[0];
    return reach * reach - (t * t + risen(x) + a * a);
  };
  constexpr double kForgotten = 60;  // exp(-60): too near the unbounded curve to tell the curves apart
  events[1].g = [&](double, const dynamics::State& x) { return std::max(x[1] + kForgotten, alpha + x[0]); };
  dynamics::IntegratorOptions options;
  options.relativeTolerance = 0.1 * relative;
  options.absoluteTolerance = 1e-3 * relative * std::min(1.0, sigma);
  options.tEnd = 1e6;
  options.firstStep = 1e-3 * std::min({1.0, sigma, 1 / (1 + std::abs(alpha))});
  options.maxSteps = 20000;
  return dynamics::integrate(slope, 0, Eigen::Vector3d(0, 0, 0), options, events).x[2];
}

}  // namespace

double probabilityLocalMinimum3(double sigma, bool switchingAboveOne, double relative) {
  relative = std::clamp(relative, 1e-10, 1e-3);
  if (!(sigma > 0) || !std::isfinite(sigma)) return std::numeric_limits<double>::quiet_NaN();
  const ShareOfW share(sigma, switchingAboveOne);
  if (!(share.scale() > 0)) return 0;
  const double farthest = kReachAlpha * sigma;
  std::vector<double> ends{-farthest, -0.3 * farthest, 0, 0.3 * farthest, farthest};
  for (const double end : {-3.0, -1.0, 1.0})  // where curves begin to bend, whatever sigma is
    if (std::abs(end) < farthest) ends.push_back(end);
  std::sort(ends.begin(), ends.end());
  double sum = 0;
  const auto curve = [&](double alpha) { return alongCurve(alpha, sigma, share, relative); };
  for (std::size_t i = 0; i + 1 < ends.size(); ++i)
    if (ends[i] < ends[i + 1])
      sum += boost::math::quadrature::gauss_kronrod<double, 15>::integrate(curve, ends[i], ends[i + 1], 4, relative);
  // both signs of e
  return std::clamp(2 * sum * share.scale() / (2 * std::numbers::pi * sigma * sigma), 0.0, 1.0);
}

double probabilityLocalMinimum(Model model, double sigma, bool switchingAboveOne) {
  return hasAttention(model) ? probabilityLocalMinimum3(sigma, switchingAboveOne)
                             : probabilityLocalMinimum(sigma, switchingAboveOne);
}

}  // namespace sepx::markov

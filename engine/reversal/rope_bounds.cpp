// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/rope_bounds.h"

#include <cmath>

#include <fmt/format.h>
#include <boost/math/quadrature/gauss.hpp>

namespace sepx::reversal {

Result<void> checkRope(int dimensions, double base) {
  if (dimensions < 2 || dimensions > kMostDimensions || dimensions % 2 != 0)
    return fail(ErrorKind::Usage,
                fmt::format("D is {}: RoPE rotates planes of two dimensions, so D must be an even number from 2 to {}",
                            dimensions, kMostDimensions));
  if (!(base > 1)) return fail(ErrorKind::Usage, fmt::format("the base is {}; it must be above 1", base));
  return {};
}

std::vector<double> ropeAngles(int dimensions, double base) {
  std::vector<double> angles;
  for (int s = 0; s < dimensions / 2; ++s)
    angles.push_back(std::pow(base, -2.0 * s / dimensions));
  return angles;
}

double ropeTrace(const std::vector<double>& angles, double r) {
  double sum = 0;
  for (const double angle : angles)
    sum += std::cos(r * angle);
  return sum / static_cast<double>(angles.size());
}

LeastTrace leastTrace(const std::vector<double>& angles, int reach) {
  LeastTrace least;
  for (int distance = 1; distance <= reach; ++distance) {
    const double trace = ropeTrace(angles, 2.0 * distance);
    if (distance == 1 || trace < least.trace) least = {distance, trace};
  }
  return least;
}

TraceSpread traceSpread(const std::vector<double>& angles, double distance) {
  const auto m = static_cast<double>(angles.size());
  double squares = 0;
  for (const double angle : angles) {
    const double cosine = std::cos(2 * distance * angle);
    squares += cosine * cosine / m;
  }
  const double mean = ropeTrace(angles, 2 * distance);
  return {mean, (squares - mean * mean) / (m + 1)};
}

std::optional<double> cantelliBound(const std::vector<double>& angles, double distance, double c) {
  const auto [mean, variance] = traceSpread(angles, distance);
  if (!(c < mean)) return std::nullopt;
  return (mean - c) * (mean - c) / (variance + (mean - c) * (mean - c));
}

double asymmetricBound(const std::vector<double>& angles, double forward, double reverse) {
  std::vector<double> n, d;
  for (const double angle : angles) {
    const double a = std::cos((forward + reverse) * angle), b = std::cos((forward - reverse) * angle);
    const double rho = b < 0 ? 1 : 0;
    n.push_back(a + rho * b);
    d.push_back(1 + rho * a * b);
  }
  const double scale = 4 / static_cast<double>(angles.size());
  const auto integrand = [&](double x) {  // t = scale x/(1 - x)
    const double t = scale * x / (1 - x);
    double sum = 0, logarithm = 0;
    for (std::size_t s = 0; s < n.size(); ++s) {
      sum += n[s] / (1 + t * d[s]);
      logarithm -= std::log1p(t * d[s]);
    }
    return sum * std::exp(logarithm) * scale / ((1 - x) * (1 - x));
  };
  return boost::math::quadrature::gauss<double, 120>::integrate(integrand, 0.0, 1.0);
}

}  // namespace sepx::reversal

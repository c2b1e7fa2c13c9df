// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/rope_correlation.h"

#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "engine/core/random.h"

namespace sepx::reversal {
namespace {

/// The quotient of sum w (a + rho b) and 1 + sum w rho a b.
struct Surrogate {
  double above = 0, below = 1;
  void add(double w, double rho, double a, double b) {
    above += w * (a + rho * b);
    below += w * rho * a * b;
  }
  double value() const { return above / below; }
};

/// Ci(x), x > 0: gamma + log x + sum_k (-x^2)^k / (2k (2k)!), or -Re E_1(ix) by its continued fraction
/// e^-z / (z + 1 - 1/(z + 3 - 4/(z + 5 - ...))). Both are accurate to rounding where they meet.
double cosineIntegral(double x) {
  if (x <= 2) {
    double term = 1, sum = std::numbers::egamma + std::log(x);
    for (int k = 2; k <= 24; k += 2) {
      term *= -x * x / (k * (k - 1));
      sum += term / k;
    }
    return sum;
  }
  constexpr int kTerms = 120;
  const std::complex<double> z(0, x);
  std::complex<double> fraction = z + (2.0 * kTerms + 1);
  for (int n = kTerms; n >= 1; --n)
    fraction = z + (2.0 * n - 1) - static_cast<double>(n) * n / fraction;
  return -(std::polar(1.0, -x) / fraction).real();
}

}  // namespace

std::vector<double> turnedPlanes(std::span<const double> x, std::span<const double> angles, double r) {
  std::vector<double> out(x.begin(), x.end());
  for (std::size_t s = 0; s < angles.size(); ++s) {
    const double c = std::cos(r * angles[s]), n = std::sin(r * angles[s]);
    out[2 * s] = c * x[2 * s] - n * x[2 * s + 1];
    out[2 * s + 1] = n * x[2 * s] + c * x[2 * s + 1];
  }
  return out;
}

std::vector<double> planeWeights(std::span<const double> q) {
  std::vector<double> w;
  double sum = 0;
  for (std::size_t s = 0; 2 * s + 1 < q.size(); ++s) {
    w.push_back(q[2 * s] * q[2 * s] + q[2 * s + 1] * q[2 * s + 1]);
    sum += w.back();
  }
  for (double& share : w)
    share /= sum;
  return w;
}

double symmetricCorrelation(std::span<const double> w, std::span<const double> rho, std::span<const double> angles,
                            double distance) {
  double above = 0, below = 1;
  for (std::size_t s = 0; s < w.size(); ++s) {
    const double gamma = std::cos(2 * distance * angles[s]);
    above += w[s] * (gamma + rho[s]);
    below += w[s] * rho[s] * gamma;
  }
  return above / below;
}

double symmetricBound(std::span<const double> w, std::span<const double> angles, double distance) {
  double sum = 0;
  for (std::size_t s = 0; s < w.size(); ++s)
    sum += w[s] * std::cos(2 * distance * angles[s]);
  return sum;
}

AsymmetricCorrelation asymmetricCorrelation(std::span<const double> w, std::span<const double> rho,
                                            std::span<const double> angles, double forward, double reverse) {
  AsymmetricCorrelation out;
  Surrogate given, least;
  double forwardVariance = 1, reverseVariance = 1;
  for (std::size_t s = 0; s < w.size(); ++s) {
    const double a = std::cos((forward + reverse) * angles[s]), b = std::cos((forward - reverse) * angles[s]);
    out.rho.push_back(b < 0 ? 1 : 0);
    given.add(w[s], rho[s], a, b);
    least.add(w[s], out.rho.back(), a, b);
    forwardVariance += w[s] * rho[s] * std::cos(2 * forward * angles[s]);
    reverseVariance += w[s] * rho[s] * std::cos(2 * reverse * angles[s]);
  }
  out.correlation = given.above / std::sqrt(forwardVariance * reverseVariance);
  out.surrogate = given.value();
  out.least = least.value();
  return out;
}

SampledBound sampledAsymmetricBound(std::span<const double> angles, double forward, double reverse, int samples,
                                    std::uint64_t seed) {
  std::vector<double> a, b;
  for (const double angle : angles) {
    a.push_back(std::cos((forward + reverse) * angle));
    b.push_back(std::cos((forward - reverse) * angle));
  }
  RandomStream random(seed);
  std::vector<double> w(angles.size());
  double mean = 0, squares = 0;
  for (int i = 1; i <= samples; ++i) {
    double sum = 0;
    for (double& share : w)
      sum += share = -std::log1p(-random.uniform());
    Surrogate least;
    for (std::size_t s = 0; s < w.size(); ++s)
      least.add(w[s] / sum, b[s] < 0 ? 1 : 0, a[s], b[s]);
    const double step = least.value() - mean;
    mean += step / i;
    squares += step * (least.value() - mean);
  }
  const double n = samples;
  return {mean, samples > 1 ? std::sqrt(squares / (n - 1) / n) : std::nan("")};
}

double ropeIntegral(double distance, double base) {
  if (distance == 0) return 1;
  return (cosineIntegral(2 * distance) - cosineIntegral(2 * distance / base)) / std::log(base);
}

}  // namespace sepx::reversal

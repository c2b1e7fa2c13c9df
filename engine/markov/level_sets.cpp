// SPDX-License-Identifier: Apache-2.0
// Level sets of the energy, branch by branch. For w < 0 energies are relative to the separatrix's level, in
// rho = log(-w sqrt 2): e^2 = G(rho) - D, G(rho) = expm1(2 rho)/2 - rho >= 0, D = E_sad - E; for w > 0, in r = log w,
// e^2 = E + exp(2r) + r. Near e = 0 the parameter of a branch is the square root of its distance from there. Pure
// functions.
#include "engine/markov/level_sets.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/markov/energy.h"
#include "engine/markov/plane_curves.h"

namespace sepx::markov {

namespace {

constexpr double kReach = 300;  // of rho and r: exp(2 rho) stays finite; every window is smaller

/// expm1(2 rho)/2 - rho without cancellation near 0.
double aboveSaddle(double rho) {
  if (std::abs(rho) < 1e-3) return rho * rho * (1 + rho * (2.0 / 3 + rho * (1.0 / 3 + rho * (2.0 / 15))));
  return std::expm1(2 * rho) / 2 - rho;
}

double negativeW(double rho) {
  return kSaddleW * std::exp(rho);
}

/// Newton's method on a convex function from a point where it is not negative. From there it descends to the zero.
template <class F, class Slope>
double zeroFrom(double x, const F& f, const Slope& slope) {
  for (int i = 0; i < 200; ++i) {
    const double next = x - f(x) / slope(x);
    if (!std::isfinite(next) || next == x) break;
    const bool done = std::abs(next - x) <= 1e-16 * std::abs(next);
    x = next;
    if (done) break;
  }
  return x;
}

/// rho < 0 or rho > 0 with G(rho) = D > 0.
double rhoAt(double D, bool above) {
  const auto f = [D](double rho) { return aboveSaddle(rho) - D; };
  const auto slope = [](double rho) { return std::expm1(2 * rho); };
  const double far = above ? std::min(std::sqrt(D), 0.5 * std::log1p(4 * D) + 1) : -(D + 0.5);
  return zeroFrom(far, f, slope);
}

/// r with E + exp(2r) + r = 0.
double positiveR(double E) {
  const auto f = [E](double r) { return E + std::exp(2 * r) + r; };
  const auto slope = [](double r) { return 2 * std::exp(2 * r) + 1; };
  return zeroFrom(E >= 0 ? 0.0 : 0.5 * std::log1p(-E), f, slope);
}

double root(double square) {
  return std::sqrt(std::max(square, 0.0));
}

/// The branches with w < 0.
void addNegative(std::vector<std::vector<PlanePoint>>& pieces, double E, const PlaneWindow& window, int samples) {
  const double D = saddleEnergy() - E;
  const double below = D > 0 ? rhoAt(D, false) : 0, above = D > 0 ? rhoAt(D, true) : 0;
  const auto towardsZero = [D, below](double t) {
    const double rho = below - t * t;
    return PlanePoint{root(aboveSaddle(rho) - D), negativeW(rho)};
  };
  const double last = std::sqrt(std::max(kReach - above, 0.0));
  const auto away = [D, above](double t) {
    const double rho = above + t * t;
    return PlanePoint{root(aboveSaddle(rho) - D), negativeW(rho)};
  };
  addMirrored(pieces, {towardsZero, 0, 1e9}, window, samples);
  addMirrored(pieces, {away, 0, last}, window, samples);
}

void addPositive(std::vector<std::vector<PlanePoint>>& pieces, double E, const PlaneWindow& window, int samples) {
  const double start = positiveR(E);
  const auto at = [start](double t) {
    const double r = start + t * t;
    // f(start) = 0 to within rounding, so only the increase since then is computed, without cancellation
    return PlanePoint{root(t * t + std::exp(2 * start) * std::expm1(2 * t * t)), std::exp(r)};
  };
  addMirrored(pieces, {at, 0, std::sqrt(std::max(kReach - start, 0.0))}, window, samples);
}

/// The smallest of 1, 2, 5 times a power of ten that is at least `least`.
double roundStep(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-12)) return factor * power;
  return 10 * power;
}

}  // namespace

double axisEnergy(double w) {
  if (w == 0 || std::isnan(w)) return std::numeric_limits<double>::quiet_NaN();
  return -w * w - std::copysign(1.0, w) * std::log(std::abs(w));
}

std::vector<double> axisCrossings(double E) {
  std::vector<double> crossings;
  if (!std::isfinite(E)) return crossings;
  const double D = saddleEnergy() - E;
  if (D == 0) crossings.push_back(kSaddleW);
  if (D > 0)
    for (const bool above : {true, false})
      crossings.push_back(negativeW(rhoAt(D, above)));
  crossings.push_back(std::exp(positiveR(E)));
  crossings.erase(
      std::remove_if(crossings.begin(), crossings.end(), [](double w) { return w == 0 || !std::isfinite(w); }),
      crossings.end());
  return crossings;
}

std::vector<std::vector<PlanePoint>> energyContour(double E, double eMin, double eMax, double wMin, double wMax,
                                                   int samples) {
  std::vector<std::vector<PlanePoint>> pieces;
  const PlaneWindow window{eMin, eMax, wMin, wMax};
  if (window.empty() || !std::isfinite(E)) return pieces;
  if (wMin < 0) addNegative(pieces, E, window, samples);
  if (wMax > 0) addPositive(pieces, E, window, samples);
  return pieces;
}

std::vector<double> energyLevels(double wMin, double wMax, double eMax, double clearance, int count) {
  std::vector<double> levels;
  if (!(wMin < wMax) || !(clearance > 0) || count < 1 || !std::isfinite(wMax - wMin)) return levels;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto take = [&](double w) {
    if (w < wMin || w > wMax) return;
    const double E = axisEnergy(w);
    low = std::min(low, E);
    high = std::max(high, E);
  };
  for (const double w : {wMin, wMax, kSaddleW})
    if (std::abs(w) >= clearance) take(w);
  for (const double w : {-clearance, clearance})
    take(w);
  if (!(low <= high)) return levels;
  high = std::max(high, low) + std::min(eMax * eMax, high - low);  // adds levels whose lines do not meet e = 0
  const double step = roundStep(std::max((high - low) / count, 1e-300));
  if (!std::isfinite(step) || !(step > 0)) return levels;
  for (double k = std::ceil(low / step); k * step <= high && levels.size() < static_cast<std::size_t>(count); ++k) {
    const double E = k * step;
    if (std::abs(E - saddleEnergy()) > 1e-3 * step) levels.push_back(E);
  }
  return levels;
}

}  // namespace sepx::markov

// SPDX-License-Identifier: Apache-2.0
// Basins and limits of the (e,w) plane in closed form (Local-to-Global, Theorems 2 and 8). An orbit is the curve
// e^2(r) = e0^2 + w0^2 expm1(2r) + sgn(w0) r, r = log(w/w0); its limit is where S reaches S_star or e^2 reaches 0. Pure
// functions.
#include "engine/markov/basin.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <boost/math/tools/toms748_solve.hpp>

#include "engine/markov/energy.h"

namespace sepx::markov {

namespace {

constexpr double kSquareable = 1e150;  // beyond, squares overflow

/// One orbit off the e-axis, as a function of r.
class EnergyOrbit {
 public:
  EnergyOrbit(double e0, double w0) : ee0_(e0 * e0), w0_(w0), sign_(w0 > 0 ? 1 : -1), logW0_(std::log(std::abs(w0))) {}

  double w(double r) const { return sign_ * std::exp(logW0_ + r); }
  double eSquared(double r) const {
    const double growth = std::abs(r) > 1 ? std::exp(2 * (logW0_ + r)) - w0_ * w0_ : w0_ * w0_ * std::expm1(2 * r);
    return ee0_ + growth + sign_ * r;
  }
  double v(double r) const { return 1 + 2 * sign_ * std::exp(2 * (logW0_ + r)); }
  double S(double r) const { return eSquared(r) * v(r); }
  double sign() const { return sign_; }
  /// Where v = 0, for w0 < 0.
  double saddleR() const { return -0.5 * std::numbers::ln2 - logW0_; }

 private:
  double ee0_, w0_, sign_, logW0_;
};

/// The zero of `f` between 0 and `end`; no value if `f` has the same sign at both.
template <class F>
std::optional<double> rootTowards(const F& f, double end) {
  const double atStart = f(0.0), atEnd = f(end);
  if (atStart == 0) return 0.0;
  if (atEnd == 0) return end;
  if (!std::isfinite(atStart) || !std::isfinite(atEnd) || (atStart < 0) == (atEnd < 0)) return std::nullopt;
  std::uintmax_t iterations = 200;
  const auto last = boost::math::tools::eps_tolerance<double>(52);
  const auto bracket = end > 0 ? boost::math::tools::toms748_solve(f, 0.0, end, atStart, atEnd, last, iterations)
                               : boost::math::tools::toms748_solve(f, end, 0.0, atEnd, atStart, last, iterations);
  return 0.5 * (bracket.first + bracket.second);
}

/// As rootTowards() where no end is known: the interval is doubled until the sign changes. `f` must keep its sign
/// beyond the zero.
template <class F>
std::optional<double> rootInDirection(const F& f, double direction) {
  const double atStart = f(0.0);
  double end = direction;
  for (int i = 0; i < 1000 && std::isfinite(f(end)); ++i, end *= 2)
    if ((f(end) < 0) != (atStart < 0)) return rootTowards(f, end);
  return std::nullopt;
}

/// r of the limit on Theta*. S changes monotonically to S_star. If the orbit moves towards v = 0, the r of v = 0 is a
/// bound.
std::optional<double> rootOnThetaStar(const EnergyOrbit& orbit, double target) {
  const double S0 = orbit.S(0);
  const auto missing = [&orbit, target](double r) { return orbit.S(r) - target; };
  const double direction = (S0 < target ? 1 : -1) * orbit.sign();
  const bool towardsSaddle = orbit.sign() < 0 && (target < 0 ? S0 < target : S0 > target);
  return towardsSaddle ? rootTowards(missing, orbit.saddleR()) : rootInDirection(missing, direction);
}

/// r of the limit on e = 0 for a point below the separatrix.
std::optional<double> rootOnAxis(const EnergyOrbit& orbit) {
  const auto eSquared = [&orbit](double r) { return orbit.eSquared(r); };
  return orbit.sign() < 0 ? rootTowards(eSquared, orbit.saddleR()) : rootInDirection(eSquared, -1);
}

State point(double e, double w) {
  return Eigen::Vector2d(e, w);
}

std::optional<State> limitOnThetaStar(double target, double e0, double w0) {
  if (w0 == 0) return point(std::copysign(std::sqrt(target), e0), w0);
  const EnergyOrbit orbit(e0, w0);
  const auto r = rootOnThetaStar(orbit, target);
  if (!r) return std::nullopt;
  // e^2 = S_star/v has no cancellation unless v is small. For small v the equation of the orbit is more accurate.
  const double v = orbit.v(*r);
  const double ee = std::abs(v) > 0.1 ? target / v : orbit.eSquared(*r);
  return point(std::copysign(std::sqrt(std::max(ee, 0.0)), e0), orbit.w(*r));
}

std::optional<State> limitOnAxis(double e0, double w0) {
  if (w0 == 0) return point(0, w0);
  const EnergyOrbit orbit(e0, w0);
  // Just below the separatrix rounding may hide the zero. The limit is then the saddle to within rounding.
  const auto r = rootOnAxis(orbit);
  return point(0, r ? orbit.w(*r) : kSaddleW);
}

bool squareable(double e, double w) {
  return std::abs(e) < kSquareable && std::abs(w) < kSquareable;
}

}  // namespace

std::string_view limitName(LimitKind kind) {
  switch (kind) {
    case LimitKind::GlobalMin:
      return "global-min";
    case LimitKind::LocalMin:
      return "local-min";
    case LimitKind::Saddle:
      return "saddle";
    case LimitKind::LocalMax:
      return "local-max";
    case LimitKind::Undecided:
    case LimitKind::Attractor:
      break;
  }
  return "undecided";
}

std::string_view statusName(FlowStatus status) {
  switch (status) {
    case FlowStatus::Reached:
      return "reached";
    case FlowStatus::OnSeparatrix:
      return "on-separatrix";
    case FlowStatus::Unbounded:
      return "unbounded";
    case FlowStatus::TimeLimit:
      return "time-limit";
    case FlowStatus::Degenerate:
      return "degenerate";
  }
  return "";
}

int sideOfSeparatrix(double e, double w) {
  if (!squareable(e, w)) return std::abs(e) > std::abs(w) ? 1 : std::abs(e) < std::abs(w) ? -1 : 0;
  const double ee = e * e, gg = separatrixSquared(w);
  // The change of the two sides when e and w change by one unit in the last place (d g^2/dw = 2w - 1/w).
  const double noise = 4 * std::numeric_limits<double>::epsilon() * (ee + gg + std::abs(2 * w * w - 1));
  if (e != 0 && std::abs(ee - gg) <= noise) return 0;
  return ee > gg ? 1 : ee < gg ? -1 : 0;
}

LimitKind basinLabel(const Chain& chain, double e, double w) {
  const double s = chain.switching();
  if (s == 0 || chain.degenerate() || !std::isfinite(e) || !std::isfinite(w)) return LimitKind::Undecided;
  const auto bySide = [](int side) {
    return side > 0 ? LimitKind::GlobalMin : side < 0 ? LimitKind::LocalMin : LimitKind::Saddle;
  };
  if (w == kSaddleW) return e == 0 ? LimitKind::Saddle : LimitKind::GlobalMin;
  if (s > 0) {
    if (w >= 0) return LimitKind::LocalMin;
    if (w > kSaddleW) return bySide(sideOfSeparatrix(e, w));
    return e == 0 ? LimitKind::LocalMax : LimitKind::GlobalMin;
  }
  if (w > kSaddleW) return e == 0 ? LimitKind::LocalMax : LimitKind::GlobalMin;
  return bySide(sideOfSeparatrix(e, w));
}

std::optional<Limit> exactLimit(const Chain& chain, double e, double w) {
  const LimitKind kind = basinLabel(chain, e, w);
  if (kind == LimitKind::Undecided || !squareable(e, w)) return std::nullopt;
  const bool global = kind == LimitKind::GlobalMin;
  std::optional<State> theta;
  if (kind == LimitKind::Saddle)
    theta = point(0, kSaddleW);
  else if (e == 0)
    theta = point(0, w);
  else
    theta = global ? limitOnThetaStar(chain.S_star(), e, w) : limitOnAxis(e, w);
  if (!theta || !theta->allFinite()) return std::nullopt;
  return Limit{*theta, global ? chain.entropyRate() : chain.marginalEntropy(), kind};
}

dynamics::BasinMap exactBasinMap(const Chain& chain, const dynamics::BasinWindow& window, ThreadPool& pool) {
  const auto width = static_cast<std::size_t>(std::max(window.width, 0));
  const auto height = static_cast<std::size_t>(std::max(window.height, 0));
  dynamics::BasinMap map{window, std::vector<std::uint8_t>(width * height, 0)};
  pool.parallelFor(0, height, 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row)
      for (std::size_t column = 0; column < width; ++column)
        map.labels[row * width + column] = static_cast<std::uint8_t>(
            basinLabel(chain, window.x(static_cast<int>(column)), window.y(static_cast<int>(row))));
  });
  return map;
}

}  // namespace sepx::markov

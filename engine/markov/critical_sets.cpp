// SPDX-License-Identifier: Apache-2.0
// Critical sets and separatrix as polylines. Each branch is a curve whose two coordinates run monotonically with its
// parameter, so that clipping to a window is two bisections a side; then it is flattened by bend. Pure functions.
#include "engine/markov/critical_sets.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "engine/markov/energy.h"

namespace sepx::markov {

namespace {

using dynamics::LimitKind;

constexpr double kSaddleW = -1 / std::numbers::sqrt2;

struct Window {
  double eMin, eMax, wMin, wMax;
  bool empty() const {
    return !(eMin < eMax && wMin < wMax) || !std::isfinite(eMax - eMin) || !std::isfinite(wMax - wMin);
  }
};

/// A branch with e >= 0: e and w are monotone in t on [first, last].
struct Branch {
  std::function<PlanePoint(double t)> at;
  double first = 0, last = 0;
};

/// The part of [first, last] on which a monotone coordinate lies inside [low, high]; empty when first > last.
std::pair<double, double> inside(const std::function<double(double)>& coordinate, double low, double high, double first,
                                 double last) {
  const bool rising = coordinate(last) >= coordinate(first);
  const auto crossing = [&](double target) {  // first t from which the coordinate is on the far side of the target
    double a = first, b = last;
    const auto beyond = [&](double t) { return rising ? coordinate(t) >= target : coordinate(t) <= target; };
    if (beyond(a)) return a;
    if (!beyond(b)) return std::nextafter(b, b + 1);
    for (int i = 0; i < 200 && a < b; ++i) {
      const double middle = 0.5 * (a + b);
      if (middle == a || middle == b) break;
      (beyond(middle) ? b : a) = middle;
    }
    return b;
  };
  const double enter = crossing(rising ? low : high), leave = crossing(rising ? high : low);
  return {enter, std::min(leave, last)};
}

/// Points along the branch, halving where the middle of a piece is off its chord; at most `most`.
class Flattening {
 public:
  Flattening(const Branch& branch, const Window& window, double mirror, int most)
      : branch_(branch), window_(window), mirror_(mirror), budget_(std::max(most, 2) - 1) {}

  std::vector<PlanePoint> points(double first, double last) {
    const int pieces = std::clamp(budget_ / 8, 1, 16);
    budget_ -= pieces;
    points_.push_back(at(first));
    for (int i = 0; i < pieces; ++i) {
      const double a = first + (last - first) * i / pieces, b = first + (last - first) * (i + 1) / pieces;
      split(a, at(a), b, at(b), 0, budget_ / (pieces - i));
      points_.push_back(at(b));
    }
    return std::move(points_);
  }

 private:
  PlanePoint at(double t) const {
    const PlanePoint point = branch_.at(t);
    return {mirror_ * point.e, point.w};
  }
  void split(double a, PlanePoint atA, double b, PlanePoint atB, int depth, int allowance) {
    constexpr int kDeepest = 24;
    constexpr double kTolerance = 1e-4;  // of the window
    if (depth >= kDeepest || allowance <= 0) return;
    const double middle = 0.5 * (a + b);
    const PlanePoint atMiddle = at(middle);
    const double offE = (atMiddle.e - 0.5 * (atA.e + atB.e)) / (window_.eMax - window_.eMin);
    const double offW = (atMiddle.w - 0.5 * (atA.w + atB.w)) / (window_.wMax - window_.wMin);
    if (std::max(std::abs(offE), std::abs(offW)) <= kTolerance) return;
    const int rest = allowance - 1;
    --budget_;
    split(a, atA, middle, atMiddle, depth + 1, rest - rest / 2);
    points_.push_back(atMiddle);
    split(middle, atMiddle, b, atB, depth + 1, rest / 2);
  }

  const Branch& branch_;
  const Window& window_;
  double mirror_;
  int budget_;
  std::vector<PlanePoint> points_;
};

/// The branch and its mirror image in e, clipped to the window.
void addMirrored(std::vector<Curve>& curves, LimitKind kind, const Branch& branch, const Window& window, int samples) {
  for (const double mirror : {1.0, -1.0}) {
    const double low = std::max(mirror > 0 ? window.eMin : -window.eMax, 0.0);
    const double high = mirror > 0 ? window.eMax : -window.eMin;
    if (high < 0) continue;
    const auto e = [&branch](double t) { return branch.at(t).e; };
    const auto w = [&branch](double t) { return branch.at(t).w; };
    const auto byE = inside(e, low, high, branch.first, branch.last);
    const auto byW = inside(w, window.wMin, window.wMax, branch.first, branch.last);
    const double first = std::max(byE.first, byW.first), last = std::min(byE.second, byW.second);
    if (!(first < last)) continue;
    curves.push_back({kind, Flattening(branch, window, mirror, samples).points(first, last)});
  }
}

/// e^2 v = S_star with t = log|v|: e = sqrt|S_star| exp(-t/2), w|w| = (v - 1)/2.
Branch thetaStar(double S_star) {
  const double sign = S_star > 0 ? 1 : -1, root = std::sqrt(std::abs(S_star));
  const auto at = [sign, root](double t) {
    const double ww = (sign * std::exp(t) - 1) / 2;
    return PlanePoint{root * std::exp(-t / 2), std::copysign(std::sqrt(std::abs(ww)), ww)};
  };
  constexpr double kReach = 600;  // exp(t) stays a number; windows are smaller
  return {at, -kReach, kReach};
}

/// e = g(w) by t = +-sqrt|r|, r = log(-w sqrt 2): smooth and roughly e itself where w goes to zero.
Branch separatrix(bool towardsZero) {
  if (towardsZero) {
    const auto at = [](double t) {
      const double w = kSaddleW * std::exp(-t * t);
      return PlanePoint{std::sqrt(std::max(std::expm1(-2 * t * t) / 2 + t * t, 0.0)), w};
    };
    return {at, 0, 1e9};
  }
  const auto at = [](double t) {
    const double w = kSaddleW * std::exp(t);
    return PlanePoint{std::sqrt(std::max(separatrixSquared(w), 0.0)), w};
  };
  return {at, 0, 300};
}

void addAxis(std::vector<Curve>& curves, LimitKind kind, double from, double to) {
  if (from < to) curves.push_back({kind, {{0, from}, {0, to}}});
}

}  // namespace

CriticalSets criticalSets(const Chain& chain, double eMin, double eMax, double wMin, double wMax, int samples) {
  CriticalSets sets;
  sets.saddle = {0, kSaddleW};
  const Window window{eMin, eMax, wMin, wMax};
  const double s = chain.switching();
  if (window.empty() || chain.degenerate() || s == 0) return sets;
  addMirrored(sets.curves, LimitKind::GlobalMin, thetaStar(chain.S_star()), window, samples);
  if (eMin <= 0 && eMax >= 0) {
    addAxis(sets.curves, s > 0 ? LimitKind::LocalMin : LimitKind::LocalMax, std::max(wMin, kSaddleW), wMax);
    addAxis(sets.curves, s > 0 ? LimitKind::LocalMax : LimitKind::LocalMin, wMin, std::min(wMax, kSaddleW));
  }
  addMirrored(sets.separatrix, LimitKind::Saddle, separatrix(s > 0), window, samples);
  return sets;
}

}  // namespace sepx::markov

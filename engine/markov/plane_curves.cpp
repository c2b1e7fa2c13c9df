// SPDX-License-Identifier: Apache-2.0
// Clips and flattens monotonic branches. Clipping to a window takes two bisections per coordinate. Pure functions.
#include "engine/markov/plane_curves.h"

#include <algorithm>
#include <utility>

namespace sepx::markov {

namespace {

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

/// Points along the branch, at most `most`. A piece is halved if its middle lies off its chord.
class Flattening {
 public:
  Flattening(const PlaneBranch& branch, const PlaneWindow& window, double mirror, int most)
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
    constexpr double kTolerance = 1e-4;  // relative to the window
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

  const PlaneBranch& branch_;
  const PlaneWindow& window_;
  double mirror_;
  int budget_;
  std::vector<PlanePoint> points_;
};

}  // namespace

void addMirrored(std::vector<std::vector<PlanePoint>>& curves, const PlaneBranch& branch, const PlaneWindow& window,
                 int samples) {
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
    curves.push_back(Flattening(branch, window, mirror, samples).points(first, last));
  }
}

}  // namespace sepx::markov

// SPDX-License-Identifier: Apache-2.0
// Samples an orbit by its curvature or evenly, and computes its time t = integral of dt/dsigma by adaptive Gauss
// quadrature. Any thread.
#include "engine/markov/flow_path.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace sepx::markov {

namespace {

constexpr int kApproachHalvings = 20;  // samples at distances L/2, L/4, ... from the limit
// Relative to the extent of the path: a tenth of a pixel on an ordinary canvas. A path that diverges (most do backward)
// is viewed near its start, so there the distance from the origin replaces the extent.
constexpr double kBendTolerance = 2e-4;

State thetaAt(const Orbit& orbit, double sigma) {
  return orbit.chart->theta(orbit.solution.at(sigma));
}

/// Largest side of the box around the ends of the segments.
double extentOf(const Orbit& orbit) {
  State low = orbit.chart->theta(orbit.solution.segments.front().x0), high = low;
  for (const auto& segment : orbit.solution.segments) {
    const State x = orbit.chart->theta(segment.x1);
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return (high - low).maxCoeff();
}

/// Adds sigmas inside (a, b) until the middle of each piece lies on its chord within the tolerance.
class Flattening {
 public:
  Flattening(const Orbit& orbit, std::vector<double>& sigmas)
      : orbit_(orbit),
        sigmas_(sigmas),
        extent_(extentOf(orbit)),
        start_(thetaAt(orbit, orbit.solution.segments.front().t0).cwiseAbs().maxCoeff()),
        always_(orbit.solution.segments.size() < kMany ? 1 : 0) {}

  void split(const dynamics::Segment& segment, double a, const State& atA, double b, const State& atB, int depth) {
    constexpr int kDeepest = 8;
    if (depth >= kDeepest) return;
    const double middle = 0.5 * (a + b);
    const State atMiddle = orbit_.chart->theta(segment.at(middle));
    const double size = std::min(extent_, std::max(start_, atA.cwiseAbs().maxCoeff()));
    if (depth >= always_ && (atMiddle - 0.5 * (atA + atB)).cwiseAbs().maxCoeff() <= kBendTolerance * size) return;
    split(segment, a, atA, middle, atMiddle, depth + 1);
    sigmas_.push_back(middle);
    split(segment, middle, atMiddle, b, atB, depth + 1);
  }

 private:
  const Orbit& orbit_;
  std::vector<double>& sigmas_;
  static constexpr std::size_t kMany = 200;  // if fewer segments, each is halved once before its bend is tested
  double extent_, start_;
  int always_;
};

/// Sigmas chosen by curvature, strictly increasing, from the start to the end; without the end if its time is infinite.
std::vector<double> sigmasByBend(const Orbit& orbit) {
  std::vector<double> sigmas;
  Flattening flattening(orbit, sigmas);
  for (const auto& segment : orbit.solution.segments) {
    sigmas.push_back(segment.t0);
    flattening.split(segment, segment.t0, orbit.chart->theta(segment.x0), segment.t1, orbit.chart->theta(segment.x1),
                     0);
  }
  const double end = orbit.solution.t;
  if (!orbit.arrives) {
    sigmas.push_back(end);
    return sigmas;
  }
  double left = end - sigmas.back();
  for (int i = 0; i < kApproachHalvings; ++i)
    sigmas.push_back(end - (left *= 0.5));
  const double last = sigmas.back();
  sigmas.erase(std::unique(sigmas.begin(), sigmas.end()), sigmas.end());
  if (last >= end) sigmas.pop_back();
  return sigmas;
}

/// Integral of dt/dsigma over [a, b], to nine digits of the time that has passed. The number of refinements is bounded,
/// because near a limit dt/dsigma grows without bound and its last digits are noise that no refinement removes.
class Clock {
 public:
  explicit Clock(const Orbit& orbit) : orbit_(orbit) {}

  double over(double a, double b, double passed) {
    if (!orbit_.clock) return b - a;
    return refined(a, b, passed, 0);
  }

 private:
  double at(double sigma) const { return orbit_.clock(orbit_.solution.at(sigma)); }

  double refined(double a, double b, double passed, int depth) {
    // Gauss-Legendre rules with three and five points on [-1, 1]; their middle is the same
    constexpr double kNode3 = 0.774596669241483377, kOuter = 0.906179845938663993, kInner = 0.538469310105683091;
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    const double centre = at(middle);
    const double three =
        half * (8.0 / 9 * centre + 5.0 / 9 * (at(middle - half * kNode3) + at(middle + half * kNode3)));
    const double five = half * (0.568888888888888889 * centre +
                                0.478628670499366468 * (at(middle - half * kInner) + at(middle + half * kInner)) +
                                0.236926885056189088 * (at(middle - half * kOuter) + at(middle + half * kOuter)));
    // the error of the five-point rule is about the 5/3rd power of that of the three-point rule
    constexpr double kTolerance = 3e-6;
    constexpr int kDeepest = 20;
    if (depth >= kDeepest || refinements_ <= 0 || !(std::abs(five - three) > kTolerance * (passed + std::abs(five))))
      return five;
    --refinements_;
    const double first = refined(a, middle, passed, depth + 1);
    return first + refined(middle, b, passed + first, depth + 1);
  }

  const Orbit& orbit_;
  int refinements_ = 2000;
};

/// Sigma in [a, b] at which the time has advanced by `wanted`.
double sigmaAtTime(Clock& clock, double a, double b, double passed, double wanted) {
  double low = a, high = b;
  for (int i = 0; i < 60 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    (clock.over(a, middle, passed) < wanted ? low : high) = middle;
  }
  return low;
}

/// Times and points for the sigmas, up to tMax.
Samples timed(const Orbit& orbit, const std::vector<double>& sigmas, double tMax) {
  Clock clock(orbit);
  Samples samples;
  double t = 0;
  const auto add = [&](double sigma, double time) {
    samples.sigma.push_back(sigma);
    samples.t.push_back(time);
    samples.theta.push_back(thetaAt(orbit, sigma));
  };
  for (std::size_t i = 0; i < sigmas.size(); ++i) {
    const double step = i == 0 ? 0 : clock.over(sigmas[i - 1], sigmas[i], t);
    if (!(t + step <= tMax)) {
      add(sigmaAtTime(clock, sigmas[i - 1], sigmas[i], t, tMax - t), tMax);
      samples.cut = true;
      break;
    }
    t += step;
    add(sigmas[i], t);
  }
  return samples;
}

/// `count` sigmas whose points are evenly spaced along the polyline of the samples, first and last included.
std::vector<double> evenSigmas(const Samples& fine, int count) {
  std::vector<double> length(fine.theta.size(), 0.0);
  for (std::size_t i = 1; i < length.size(); ++i)
    length[i] = length[i - 1] + (fine.theta[i] - fine.theta[i - 1]).norm();
  std::vector<double> sigmas;
  std::size_t piece = 1;
  for (int k = 0; k < count; ++k) {
    const double wanted = length.back() * k / std::max(count - 1, 1);
    while (piece + 1 < length.size() && length[piece] < wanted)
      ++piece;
    const double span = length[piece] - length[piece - 1];
    const double share = span > 0 ? std::clamp((wanted - length[piece - 1]) / span, 0.0, 1.0) : 1.0;
    sigmas.push_back(fine.sigma[piece - 1] + share * (fine.sigma[piece] - fine.sigma[piece - 1]));
  }
  return sigmas;
}

}  // namespace

Samples samplesOf(const Orbit& orbit, int points, double tMax) {
  if (orbit.solution.segments.empty()) return Samples{{0.0}, {0.0}, {orbit.chart->theta(orbit.solution.x)}, false};
  Samples fine = timed(orbit, sigmasByBend(orbit), tMax);
  if (points <= 0 || fine.sigma.size() < 2) return fine;
  const std::vector<double> wanted = evenSigmas(fine, points);
  // The time is integrated over both sets together, so that no interval is longer than before.
  std::vector<double> all;
  std::merge(fine.sigma.begin(), fine.sigma.end(), wanted.begin(), wanted.end(), std::back_inserter(all));
  const Samples dense = timed(orbit, all, std::numeric_limits<double>::infinity());
  Samples even;
  even.cut = fine.cut;
  for (const double sigma : wanted) {
    const auto place = static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), sigma) - all.begin());
    even.sigma.push_back(sigma);
    even.t.push_back(std::min(dense.t[place], tMax));
    even.theta.push_back(dense.theta[place]);
  }
  return even;
}

}  // namespace sepx::markov

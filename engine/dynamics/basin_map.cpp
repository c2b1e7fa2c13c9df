// SPDX-License-Identifier: Apache-2.0
// The basin map by integration: with the vectorised code of the field if it has any (basin_lanes.h), otherwise pixel by
// pixel: f/(eps+|f|) with Bogacki's and Shampine's 3(2) pair (1989), step control on the local error per unit of arc
// length, both in the coordinates of Chart. Worker threads only; rows are independent, so the result does not depend on
// the thread count.
#include "engine/dynamics/basin_map.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>

#include "engine/dynamics/basin_lanes.h"

namespace sepx::dynamics {

namespace {

constexpr int kRowsPerBlock = 4;

/// The coordinates y in which one orbit is integrated: x_i itself, or log|x_i| if the plane x_i = 0 is invariant and
/// the orbit starts off it. An absolute error of log|x_i| is a relative error of x_i, and no step can cross the plane.
template <int N>
class Chart {
 public:
  using Point = Eigen::Matrix<double, N, 1>;

  Chart(unsigned invariantPlanes, const Point& start) {
    for (int i = 0; i < N; ++i)
      side_[i] = (invariantPlanes >> i & 1u) == 0 ? 0.0 : start[i] > 0 ? 1.0 : start[i] < 0 ? -1.0 : 0.0;
  }

  Point into(Point x) const {
    for (int i = 0; i < N; ++i)
      if (side_[i] != 0) x[i] = std::log(std::abs(x[i]));
    return x;
  }

  /// The point x of y, kept off the plane even if its distance underflows: f_i/x_i has a limit there, but 0/0 is
  /// undefined.
  Point outOf(Point y) const {
    constexpr double kNearest = 1e-290;
    for (int i = 0; i < N; ++i)
      if (side_[i] != 0) y[i] = side_[i] * std::max(std::exp(y[i]), kNearest);
    return y;
  }

  /// y' for x' = f.
  Point speed(Point f, const Point& x) const {
    for (int i = 0; i < N; ++i)
      if (side_[i] != 0) f[i] /= x[i];
    return f;
  }

 private:
  Point side_;  // side of the plane, the sign of x_i; 0: x_i itself is integrated
};

/// Integrates one orbit until its label is certain. N: dimension of the field.
template <int N>
class Orbit {
 public:
  using Point = Eigen::Matrix<double, N, 1>;

  Orbit(const VectorField& field, std::span<const double> parameters, const BasinMapOptions& options,
        const std::vector<State>& attractors)
      : field_(field),
        parameters_(parameters),
        options_(options),
        attractors_(attractors),
        classified_(field.hasClassifier()) {}

  std::uint8_t label(const State& start) const {
    Point x = start;
    if (const auto known = judge(start, x)) return known;
    const auto trapped = attractors_.empty() ? std::nullopt : field_.trap(start, parameters_);
    const double excess = trapped ? trapped->excess : 0;
    const Chart<N> chart(field_.invariantPlanes(), x);
    Point y = chart.into(x), k1 = direction(chart, y);
    double length = 0, h = 0.05;
    for (int attempt = 0; attempt < options_.maxSteps && length < options_.maxLength; ++attempt) {
      const Point k2 = direction(chart, y + (0.5 * h) * k1);
      const Point k3 = direction(chart, y + (0.75 * h) * k2);
      const Point next = y + h * (2 / 9.0 * k1 + 1 / 3.0 * k2 + 4 / 9.0 * k3);
      const Point k4 = direction(chart, next);
      const double error = h * (-5 / 72.0 * k1 + 1 / 12.0 * k2 + 1 / 9.0 * k3 - 1 / 8.0 * k4).cwiseAbs().maxCoeff();
      const double allowed = options_.tolerance * h;
      if (error <= allowed) {
        const Point before = x;
        y = next;
        x = chart.outOf(y);
        length += (x - before).norm();
        k1 = k4;
        if (const auto known = judge(start, x)) return known;
        if (trapped && length > kTrapCheckLength && cannotReachTrap(excess, x, length, attempt + 1)) return 0;
      }
      // error/h is of second order in h; a trial step that is not finite went too far
      const bool finite = error <= kHuge;
      const double factor = finite ? 0.9 * std::sqrt(allowed / std::max(error, 1e-12 * allowed)) : 0.0;
      h *= std::clamp(factor, 0.2, 5.0);
      if (h < 1e-14) return 0;
    }
    return 0;
  }

 private:
  static constexpr double kHuge = 1e300;

  Point direction(const Chart<N>& chart, const Point& y) const {
    const Point x = chart.outOf(y);
    const Point f = chart.speed(field_.evaluate(x, parameters_), x);
    return f / (kSpeedFloor + f.norm());
  }

  /// The label once it is certain, 0 before.
  std::uint8_t judge(const State& start, const Point& x) const {
    if (classified_) return static_cast<std::uint8_t>(field_.classify(start, x, parameters_));
    if (attractors_.empty()) return 0;
    if (const auto trap = field_.trap(x, parameters_); trap && trap->excess < 0) return attractorLabel(trap->attractor);
    for (std::size_t i = 0; i < attractors_.size(); ++i)
      if ((x - attractors_[i]).squaredNorm() < kCaptureRadius * kCaptureRadius)
        return attractorLabel(static_cast<int>(i));
    return 0;
  }

  static std::uint8_t attractorLabel(int attractor) {
    return static_cast<std::uint8_t>(static_cast<int>(LimitKind::Attractor) + attractor);
  }

  /// Whether the remaining arc length is too short to reach the trapping level, judged by the decrease of the excess so
  /// far.
  bool cannotReachTrap(double atStart, const Point& x, double length, int steps) const {
    const double excess = field_.trap(x, parameters_)->excess;
    const double bySteps = length * (options_.maxSteps - steps) / steps;
    return excess * length > kTrapRateFactor * (atStart - excess) * std::min(options_.maxLength - length, bySteps);
  }

  const VectorField& field_;
  std::span<const double> parameters_;
  const BasinMapOptions& options_;
  const std::vector<State>& attractors_;
  const bool classified_;
};

/// Computes the labels of the rows [first, last).
using Rows = std::function<void(std::size_t first, std::size_t last)>;

/// Labels a whole row at once if the field can do that. The pixels it leaves over, and those of other fields, are
/// integrated one by one.
template <int N>
Rows rowsOf(const VectorField& field, std::span<const double> parameters, const BasinMapOptions& options,
            const std::vector<State>& attractors, BasinMap& map) {
  const auto* lanes = options.scalar ? nullptr : dynamic_cast<const BasinLanes*>(&field);
  return [&map, &field, &options, parameters, lanes, orbit = Orbit<N>(field, parameters, options, attractors)](
             std::size_t first, std::size_t last) {
    const auto width = static_cast<std::size_t>(map.window.width);
    std::vector<double> x(width), y(width);
    for (std::size_t column = 0; column < width; ++column)
      x[column] = map.window.x(static_cast<int>(column));
    for (std::size_t row = first; row < last; ++row) {
      std::fill(y.begin(), y.end(), map.window.y(static_cast<int>(row)));
      std::uint8_t* labels = map.labels.data() + row * width;
      if (lanes) lanes->basinLabels(parameters, x, y, options, labels);
      for (std::size_t column = 0; column < width; ++column)
        if (!lanes || labels[column] == BasinLanes::kNeedsGeneralPath)
          labels[column] = orbit.label(field.lift(x[column], y[column], parameters));
    }
  };
}

std::vector<State> attractorsOf(const VectorField& field, std::span<const double> parameters) {
  std::vector<State> attractors;
  for (const FixedPoint& point : field.fixedPoints(parameters))
    if (point.kind == LimitKind::Attractor) attractors.push_back(point.x);
  return attractors;
}

}  // namespace

std::vector<double> BasinMap::shares(int labelCount) const {
  std::vector<double> shares(static_cast<std::size_t>(std::max(labelCount, 0)), 0.0);
  for (const std::uint8_t label : labels)
    if (label < shares.size()) shares[label] += 1;
  for (double& share : shares)
    share /= static_cast<double>(std::max<std::size_t>(labels.size(), 1));
  return shares;
}

double disagreement(const BasinMap& a, const BasinMap& b) {
  assert(a.labels.size() == b.labels.size());
  if (a.labels.empty()) return 0;
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.labels.size(); ++i)
    different += a.labels[i] != b.labels[i];
  return static_cast<double>(different) / static_cast<double>(a.labels.size());
}

BasinMapOptions basinMapOptions(const BasinWindow& window) {
  BasinMapOptions options;
  const double reach =
      std::max({std::abs(window.xMin), std::abs(window.xMax), std::abs(window.yMin), std::abs(window.yMax)});
  constexpr double kDetours = 8;
  if (std::isfinite(reach)) options.maxLength = std::max(options.maxLength, kDetours * reach);
  constexpr double kAllSteps = 1e8;  // of all pixels together: about ten seconds on one core
  constexpr int kFewestSteps = 1000;
  const double pixels = std::max(1.0, static_cast<double>(window.width) * window.height);
  options.maxSteps = static_cast<int>(std::clamp<double>(kAllSteps / pixels, kFewestSteps, options.maxSteps));
  return options;
}

BasinMap integrateBasinMap(const VectorField& field, std::span<const double> parameters, const BasinWindow& window,
                           const BasinMapOptions& options, ThreadPool& pool, const std::function<bool()>& cancelled,
                           const std::function<void(double)>& progress) {
  const auto width = static_cast<std::size_t>(std::max(window.width, 0));
  const auto height = static_cast<std::size_t>(std::max(window.height, 0));
  BasinMap map{window, std::vector<std::uint8_t>(width * height, 0)};
  const std::vector<State> attractors = attractorsOf(field, parameters);
  const auto rows = [&]() -> Rows {
    switch (field.dimension()) {
      case 1:
        return rowsOf<1>(field, parameters, options, attractors, map);
      case 2:
        return rowsOf<2>(field, parameters, options, attractors, map);
      case 3:
        return rowsOf<3>(field, parameters, options, attractors, map);
      default:
        return rowsOf<4>(field, parameters, options, attractors, map);
    }
  }();
  std::atomic<std::size_t> rowsDone{0};
  pool.parallelFor(0, height, kRowsPerBlock, [&](std::size_t first, std::size_t last) {
    if (cancelled && cancelled()) return;
    rows(first, last);
    const std::size_t done = rowsDone.fetch_add(last - first) + (last - first);
    if (progress) progress(static_cast<double>(done) / static_cast<double>(height));
  });
  return map;
}

}  // namespace sepx::dynamics

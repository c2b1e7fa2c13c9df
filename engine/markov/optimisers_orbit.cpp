// SPDX-License-Identifier: Apache-2.0
// Distance from a polyline, piece by piece. Pure.
#include "engine/markov/optimisers_orbit.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "engine/markov/flow.h"

namespace sepx::markov {

namespace {

constexpr int kSamples = 400;

}  // namespace

TheoryOrbit::TheoryOrbit(std::vector<State> points, int coordinates)
    : points_(std::move(points)), coordinates_(coordinates) {
  assert(!points_.empty());
}

double TheoryOrbit::distance(const State& x) const {
  if (!x.head(coordinates_).allFinite()) return std::numeric_limits<double>::infinity();
  double best = (x.head(coordinates_) - points_.front().head(coordinates_)).squaredNorm();
  for (std::size_t i = 1; i < points_.size(); ++i) {
    double along = 0, length = 0, square = 0;
    for (Eigen::Index j = 0; j < coordinates_; ++j) {
      const double piece = points_[i][j] - points_[i - 1][j];
      along += (x[j] - points_[i - 1][j]) * piece;
      length += piece * piece;
    }
    const double share = length > 0 ? std::clamp(along / length, 0.0, 1.0) : 0.0;
    for (Eigen::Index j = 0; j < coordinates_; ++j) {
      const double gap = x[j] - points_[i - 1][j] - share * (points_[i][j] - points_[i - 1][j]);
      square += gap * gap;
    }
    best = std::min(best, square);
  }
  return std::sqrt(best);
}

Result<TheoryOrbit> theoryOrbit(const Chain& chain, Model model, const State& theta0) {
  assert(!hasFreeBias(model));
  FlowOptions options;
  options.points = kSamples;
  Result<FlowResult> flow = flowFrom(chain, model, theta0, options);
  if (!flow) return tl::unexpected(flow.error());
  std::vector<State> points;
  for (State& theta : flow->path.theta)
    if (theta.allFinite()) points.push_back(std::move(theta));
  if (points.empty()) points.push_back(theta0);
  return TheoryOrbit(std::move(points), dimension(model));
}

}  // namespace sepx::markov

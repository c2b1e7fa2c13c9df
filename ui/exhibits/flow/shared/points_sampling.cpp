// SPDX-License-Identifier: Apache-2.0
// See points_sampling.h. A cloud uses the same random draws as flow.gauss at the same seed; attention has a random
// stream of its own, so that e and w are the same on every page.
#include "ui/exhibits/flow/shared/points_sampling.h"

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/cos_pi.hpp>
#include <boost/math/special_functions/sin_pi.hpp>

#include "engine/core/random.h"

namespace sepx::ui {

namespace {

constexpr std::uint64_t kAttention = std::uint64_t{1} << 63;  // the streams of the program's seeds are below this

std::vector<FlowPoint> grid(const Sampling& sampling) {
  const int columns = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(sampling.count))));
  const int rows = (sampling.count + columns - 1) / columns;
  // From edge to edge; a single row or column lies in the middle.
  const auto at = [&](int i, int of) { return of < 2 ? 0 : sampling.radius * (2.0 * i / (of - 1) - 1); };
  std::vector<FlowPoint> points;
  points.reserve(static_cast<std::size_t>(sampling.count));
  for (int i = 0; i < sampling.count; ++i)
    points.push_back({sampling.center.e + at(i % columns, columns), sampling.center.w + at(i / columns, rows), {}});
  return points;
}

std::vector<FlowPoint> ring(const Sampling& sampling) {
  std::vector<FlowPoint> points;
  points.reserve(static_cast<std::size_t>(sampling.count));
  for (int i = 0; i < sampling.count; ++i) {
    const double half = 2.0 * i / sampling.count;  // angle in half turns; a quarter turn lies exactly on an axis
    points.push_back({sampling.center.e + sampling.radius * boost::math::cos_pi(half),
                      sampling.center.w + sampling.radius * boost::math::sin_pi(half),
                      {}});
  }
  return points;
}

std::vector<FlowPoint> cloud(const Sampling& sampling) {
  RandomStream plane(sampling.seed, sampling.program), attention(sampling.seed, sampling.program ^ kAttention);
  std::vector<FlowPoint> points;
  points.reserve(static_cast<std::size_t>(sampling.count));
  for (int i = 0; i < sampling.count; ++i) {
    const double e = sampling.center.e + sampling.sigma * plane.normal();
    const double w = sampling.center.w + sampling.sigma * plane.normal();
    points.push_back({e, w, {}});
    if (sampling.threeD) points.back().a = sampling.sigma * attention.normal();
  }
  return points;
}

}  // namespace

std::vector<FlowPoint> sampledPoints(const Sampling& sampling) {
  Sampling bound = sampling;
  bound.count = std::clamp(sampling.count, 1, kMostSampled);
  std::vector<FlowPoint> points = bound.shape == SampleShape::Grid   ? grid(bound)
                                  : bound.shape == SampleShape::Ring ? ring(bound)
                                                                     : cloud(bound);
  for (FlowPoint& point : points) {
    point.e = bounded(point.e);
    point.w = bounded(point.w);
    if (bound.threeD) point.a = bounded(point.a + bound.center.a);
  }
  return points;
}

Sampling readSampling(const Document& document, const PropertyRegistry& registry, const FlowState& state,
                      SampleShape shape, bool threeD, std::uint64_t program) {
  Sampling sampling;
  registry.read(document, sampling);
  sampling.shape = shape;
  sampling.program = program;
  sampling.threeD = threeD;
  const bool selected = registry.text(document, "flow.sampling.center") == "selected" && state.selected >= 0;
  if (selected) sampling.center = state.points[static_cast<std::size_t>(state.selected)];
  return sampling;
}

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/exhibits/flow/plane/real_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/markov/flow.h"

namespace sepx::ui {

namespace {

constexpr int kFlowPoints = 400;

/// Of the segment from a to b the point that is nearest to p.
render::Point nearestOf(render::Point a, render::Point b, render::Point p) {
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  const double share = length2 > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0, 1.0) : 0;
  return {a.x + share * dx, a.y + share * dy};
}

double between(render::Point a, render::Point b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

}  // namespace

bool RealRun::update(const RunPointer& run) {
  if (run == run_ && (!run || run->revision() == seen_)) return false;
  if (run != run_) {
    run_ = run;
    chain_.reset();
    path_ = {};
    halo_.clear();
    flow_.clear();
    times_.clear();
    place_.reset();
  }
  ++revision_;
  if (!run_) return true;
  seen_ = run_->revision();
  if (flow_.empty() && run_->config()) integrate();
  path_ = projectedPathOf(*run_);
  halo_ = path_.halo();
  measure();
  return true;
}

void RealRun::integrate() {
  const train::RunConfig& config = *run_->config();
  chain_ = markov::Chain{config.data.p, config.data.q};
  const Result<markov::FlowResult> flow = markov::flowFrom(
      *chain_, markov::Model::EW, Eigen::Vector2d(config.initial.e, config.initial.w), {.points = kFlowPoints});
  if (!flow) return;
  times_ = flow->path.t;
  for (const markov::State& theta : flow->path.theta)
    flow_.push_back({theta[0], theta[1]});
}

render::Point RealRun::flowAt(double time) const {
  const auto after = std::upper_bound(times_.begin(), times_.end(), time);
  if (after == times_.end()) return flow_.back();
  if (after == times_.begin()) return flow_.front();
  const auto i = static_cast<std::size_t>(after - times_.begin());
  const double share = (time - times_[i - 1]) / (times_[i] - times_[i - 1]);
  return {flow_[i - 1].x + share * (flow_[i].x - flow_[i - 1].x),
          flow_[i - 1].y + share * (flow_[i].y - flow_[i - 1].y)};
}

void RealRun::measure() {
  place_.reset();
  if (path_.empty() || flow_.empty()) return;
  RealPlace place;
  place.step = static_cast<std::int64_t>(path_.steps.back());
  place.at = {path_.e.back(), path_.w.back()};
  place.residual = path_.residual.back();
  place.nearest = flow_.front();
  place.distance = between(place.at, place.nearest);
  for (std::size_t i = 1; i < flow_.size(); ++i) {
    const render::Point candidate = nearestOf(flow_[i - 1], flow_[i], place.at);
    if (const double distance = between(place.at, candidate); distance < place.distance) {
      place.distance = distance;
      place.nearest = candidate;
    }
  }
  place.time = flowTimeAt(*run_, place.step);
  place.then = flowAt(place.time);
  place.apart = between(place.at, place.then);
  place_ = place;
}

}  // namespace sepx::ui

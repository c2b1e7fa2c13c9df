// SPDX-License-Identifier: Apache-2.0
// Follows a point of (e, w, a) and describes the result. Pure.

#include "ui/exhibits/flow/space/space_follow.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/markov/attention_basin.h"
#include "engine/markov/energy.h"
#include "engine/markov/flow.h"
#include "engine/markov/invariants3.h"
#include "engine/markov/unbounded_surface.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

using markov::FlowStatus;
using markov::LimitKind;
using markov::Place3;

Place3 placeOf(const markov::State& theta) {
  return {theta[0], theta[1], theta[2]};
}

void addPath(const markov::Path& path, SpacePoint& result) {
  for (std::size_t i = 0; i < path.theta.size(); ++i) {
    if (!path.theta[i].allFinite() || !std::isfinite(path.t[i])) break;
    result.path.push_back(placeOf(path.theta[i]));
    result.time.push_back(i == 0 ? path.t[i] : std::max(path.t[i], result.time.back()));
  }
}

void integrate(const markov::Chain& chain, const Place3& at, SpacePoint& result) {
  markov::FlowOptions options;
  options.maxSteps = 4000;
  const auto flow = markov::flowFrom(chain, markov::Model::EWA, markov::stateOf(at), options);
  if (!flow) {
    result.failure = flow.error().message;
    return;
  }
  result.status = flow->status;
  result.kind = flow->label;
  result.isCritical = flow->label != LimitKind::Undecided && flow->statistics.steps == 0;
  if (flow->limit && flow->limit->theta.allFinite()) {
    result.limit = placeOf(flow->limit->theta);
    result.limitLoss = finiteOnly(flow->limit->loss);
  }
  result.energyDrift = flow->energyDrift;
  // Far out, the Airy functions oscillate too fast for their angle to be determined.
  constexpr double kMostForAngle = 50;
  if (std::max(std::abs(at[0]), std::abs(at[2])) < kMostForAngle)
    result.angleDrift = finiteOnly(markov::driftOf(flow->path).angle);
  addPath(flow->path, result);
}

/// Integrates uphill, to the origin of the path or far out.
void integrateBack(const markov::Chain& chain, const Place3& at, SpacePoint& result) {
  markov::FlowOptions options;
  options.maxSteps = 4000;
  options.backward = true;
  const auto flow = markov::flowFrom(chain, markov::Model::EWA, markov::stateOf(at), options);
  if (!flow) return;
  for (std::size_t i = 0; i < flow->path.theta.size(); ++i) {
    if (!flow->path.theta[i].allFinite() || !std::isfinite(flow->path.t[i])) break;
    result.back.push_back(placeOf(flow->path.theta[i]));
    result.backTime.push_back(flow->path.t[i]);
  }
}

}  // namespace

SpacePoint followInSpace(const markov::Chain& chain, const Place3& at, bool path, bool back) {
  SpacePoint result;
  if (!std::isfinite(at[0]) || !std::isfinite(at[1]) || !std::isfinite(at[2])) {
    result.failure = tr("A coordinate of the point is not a number; type a number or drag the point.");
    result.path = {{0, 0, 0}};
    result.time = {0};
    return result;
  }
  const markov::State theta = markov::stateOf(at);
  result.loss = finiteOnly(markov::loss(chain, markov::Model::EWA, theta));
  result.S = finiteOnly(markov::reducedS(markov::Model::EWA, theta));
  if (const auto energy = markov::energy(markov::Model::EWA, theta)) result.energy = finiteOnly(*energy);
  result.angle = finiteOnly(markov::airyAngle(theta));
  result.theory = markov::basinLabel3(chain, at[0], at[1], at[2]);
  result.plane = markov::basinLabel(chain, at[0], at[1]);
  result.onSurface = markov::onUnboundedSurface(chain, theta);
  result.isCritical = at[0] == 0;
  if (chain.switching() > 0 && at[1] >= 0 && at[0] != 0)
    result.distance = finiteOnly(std::abs(at[0]) - markov::unboundedSurfaceE(at[2]));
  if (path) integrate(chain, at, result);
  if (path && back) integrateBack(chain, at, result);
  if (!path) result.kind = result.theory;
  if (chain.degenerate()) result.status = FlowStatus::Degenerate;
  if (result.path.empty()) {
    result.path = {at};
    result.time = {0};
  }
  return result;
}

Place3 headAt(const SpacePoint& point, double time) {
  const auto after = std::upper_bound(point.time.begin(), point.time.end(), time);
  if (after == point.time.begin()) return point.path.front();
  if (after == point.time.end()) return point.path.back();
  const auto i = static_cast<std::size_t>(after - point.time.begin());
  const double share = (time - point.time[i - 1]) / (point.time[i] - point.time[i - 1]);
  Place3 head{};
  for (std::size_t k = 0; k < 3; ++k)
    head[k] = point.path[i - 1][k] + share * (point.path[i][k] - point.path[i - 1][k]);
  return head;
}

double settlingTime(const SpacePoint& point) {
  if (point.path.size() < 2) return 0;
  constexpr double kSeen = 20;  // parts of a path farther out are in no useful box
  std::vector<double> length(point.path.size(), 0);
  for (std::size_t i = 1; i < length.size(); ++i) {
    const Place3 &a = point.path[i - 1], &b = point.path[i];
    const bool counts = std::max({std::abs(b[0]), std::abs(b[1]), std::abs(b[2])}) <= kSeen;
    length[i] = length[i - 1] + (counts ? std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) : 0);
  }
  const auto at = std::lower_bound(length.begin(), length.end(), 0.99 * length.back());
  return point.time[static_cast<std::size_t>(at - length.begin())];
}

std::string spaceReason(const SpacePoint& point) {
  if (!point.failure.empty()) return point.failure;
  if (point.status == FlowStatus::Degenerate)
    return tr(
        "degenerate: with p + q = 1 the next symbol does not depend on the last, S⋆ = 0, and there are no "
        "separate basins");
  if (point.onSurface)
    return tr(
        "on the surface a = k Ai′(−ks)/Ai(−ks) within rounding: by the two invariants e → 0 and a → −∞, and the path "
        "never comes to rest; a computed path leaves the surface");
  if (point.status == FlowStatus::Unbounded) return tr("unbounded: the path left every box before it came to rest");
  if (point.kind == LimitKind::Undecided && point.status == FlowStatus::TimeLimit)
    return tr("undecided: integration was stopped before the path came to rest");
  if (point.kind == LimitKind::Saddle && !point.isCritical)
    return tr("on the separatrix: the path reaches the saddle, but no path near it does");
  if (point.isCritical) return tr("a critical point: the gradient is 0 and the point does not move");
  return {};
}

std::string spaceWords(const markov::Chain& chain, const SpacePoint& point) {
  if (point.limit && point.status == FlowStatus::Degenerate)
    return trFormat("comes to rest at ({}, {}, {}): loss {} = H(π)", shownFixed((*point.limit)[0], 4),
                    shownFixed((*point.limit)[1], 4), shownFixed((*point.limit)[2], 4),
                    shownFixed(point.limitLoss.value_or(chain.marginalEntropy()), 4));
  if (!point.limit || point.kind == LimitKind::Undecided) return spaceReason(point);
  std::string ends = trEither(point.isCritical, "stays on a {}", "ends in a {}", kindWords(point.kind));
  if (!point.limitLoss) return ends;
  const bool global = point.kind == LimitKind::GlobalMin;
  return fmt::format("{}: {} {} = {}", ends, tr("loss"), shownFixed(*point.limitLoss, 4), global ? "H(x′|x)" : "H(π)") +
         (global ? std::string()
                 : trFormat(", {} above the entropy rate", shownFixed(*point.limitLoss - chain.entropyRate(), 4)));
}

std::string planeWords(const SpacePoint& point, double a) {
  const LimitKind here = point.kind == LimitKind::Undecided ? point.theory : point.kind;
  if (point.plane == LimitKind::Undecided || here == LimitKind::Undecided || point.plane == here) return {};
  return trEither(a == 0, "the plane's theorem predicts a {}: with attention the basins differ",
                  "the plane's theorem predicts a {} at the same e and w", kindWords(point.plane));
}

}  // namespace sepx::ui

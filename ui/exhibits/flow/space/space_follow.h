// SPDX-License-Identifier: Apache-2.0
// One initial point in (e, w, a): its path by integration; its limit by integration, by theory in three dimensions and
// by the plane's theorem; its two invariants; and the sentences about all of these. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/markov/basin.h"
#include "engine/markov/chain.h"
#include "engine/markov/critical_sets3.h"

namespace sepx::ui {

struct SpacePoint {
  markov::FlowStatus status = markov::FlowStatus::TimeLimit;
  markov::LimitKind kind = markov::LimitKind::Undecided;    ///< by integration
  markov::LimitKind theory = markov::LimitKind::Undecided;  ///< by the two invariants
  markov::LimitKind plane = markov::LimitKind::Undecided;   ///< of (e, w) by Theorems 2 and 8
  bool onSurface = false;                                   ///< on the surface of unbounded orbits
  bool isCritical = false;                                  ///< is a critical point itself
  std::optional<markov::Place3> limit;
  std::optional<double> limitLoss, loss, S, energy, angle;
  std::optional<double> energyDrift, angleDrift;
  std::optional<double> distance;    ///< along e to the unbounded surface, where there is one at this w
  std::vector<markov::Place3> path;  ///< from the point on, every coordinate finite; the point alone without a path
  std::vector<double> time;          ///< the flow's own time at path[i], not decreasing
  std::vector<markov::Place3> back;  ///< the backward path, from the point on
  std::vector<double> backTime;      ///< of the flow at back[i], decreasing from 0
  std::string failure;               ///< a sentence, if the point could not be followed
};

/// Follows a point. Without `path` only what theory says is computed, which takes microseconds. `back`: integrates also
/// backward.
SpacePoint followInSpace(const markov::Chain& chain, const markov::Place3& at, bool path = true, bool back = false);

/// Where a moving head is at a time of the flow.
markov::Place3 headAt(const SpacePoint& point, double time);
/// The time at which a path has covered nearly all of its length.
double settlingTime(const SpacePoint& point);

/// "ends in a local minimum: loss 0.6663 = H(π)". Translated.
std::string spaceWords(const markov::Chain& chain, const SpacePoint& point);
/// Why there is no limit, or what the user should know: unbounded, p + q = 1, time limit. May be empty.
std::string spaceReason(const SpacePoint& point);
/// How the limit differs from that of the plane's theorem; empty if it does not.
std::string planeWords(const SpacePoint& point, double a);

}  // namespace sepx::ui

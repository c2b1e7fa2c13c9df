// SPDX-License-Identifier: Apache-2.0
// One initial point in (e, w, a): its path by integration, where it ends, what theory says of it in three dimensions
// and what the plane's theorem says, its two invariants, and the words for all that. Pure.
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
  bool onSurface = false;                                   ///< of unbounded orbits
  bool stands = false;                                      ///< is a critical point itself
  std::optional<markov::Place3> limit;
  std::optional<double> limitLoss, loss, S, energy, angle;
  std::optional<double> energyDrift, angleDrift;
  std::optional<double> distance;    ///< along e to the unbounded surface, where there is one at this w
  std::vector<markov::Place3> path;  ///< from the point on, every coordinate finite; the point alone without a path
  std::vector<double> time;          ///< the flow's own time at path[i], not decreasing
  std::vector<markov::Place3> back;  ///< the way by which the point would have come, from the point on
  std::vector<double> backTime;      ///< of the flow at back[i], from 0 downwards
  std::string failure;               ///< sentence, when the point could not be followed
};

/// Without its path a point costs microseconds: what theory says of it. `back`: also the way back.
SpacePoint followInSpace(const markov::Chain& chain, const markov::Place3& at, bool path = true, bool back = false);

/// Where a moving head is at a time of the flow.
markov::Place3 headAt(const SpacePoint& point, double time);
/// The time at which a path has covered nearly all of its length.
double settlingTime(const SpacePoint& point);

/// "ends in a local minimum: loss 0.6663 = H(π)". Translated.
std::string spaceWords(const markov::Chain& chain, const SpacePoint& point);
/// Why nothing can be said, or what a person should know: unbounded, p + q = 1, out of time. Empty: nothing.
std::string spaceReason(const SpacePoint& point);
/// How the answer differs from that of the plane's theorem; empty where it does not.
std::string planeWords(const SpacePoint& point, double a);

}  // namespace sepx::ui

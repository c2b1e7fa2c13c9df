// SPDX-License-Identifier: Apache-2.0
// One initial point: its path, where it ends, and the words for it. The canonical plane uses its own flow and closed
// forms (Local-to-Global, Theorems 2 and 8); every other field is integrated along its arc. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/markov/flow.h"
#include "ui/exhibits/flow/flow_state.h"

namespace sepx::ui {

struct PointResult {
  markov::FlowStatus status = markov::FlowStatus::TimeLimit;
  markov::LimitKind kind = markov::LimitKind::Undecided;
  bool exact = false;  ///< label and limit in closed form
  std::optional<render::Point> limit;
  std::optional<double> limitLoss;  ///< loss (nats) or potential at the limit
  std::optional<double> loss;       ///< at the point itself
  std::optional<double> energy, drift;
  std::vector<render::Point> path;  ///< from the point to where it stopped; every coordinate finite
  std::vector<double> time;         ///< the flow's own time at path[i], not decreasing
  std::string failure;              ///< sentence, when the point could not be followed
};

/// `path`: with its path; without, where a closed form knows the end, the point itself is all of it.
PointResult followPoint(const FlowModel& model, double e, double w, bool path = true);

/// Where a moving head is at a time of the flow.
render::Point headAt(const PointResult& point, double time);
/// The time at which a path has covered nearly all of its length: after it nothing moves that could be seen.
double settlingTime(const PointResult& point);

/// "ends in a local minimum: loss 0.6663 = H(π), 0.0721 above the entropy rate". Translated.
std::string limitWords(const FlowModel& model, const PointResult& point);
/// "local minimum, loss 0.6663", for little room. Translated.
std::string shortWords(const FlowModel& model, const PointResult& point);
/// "local minimum". Translated.
std::string kindWords(markov::LimitKind kind);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// One initial point: its path, where it ends, and the words for it. The canonical plane uses its own flow and closed
// forms (Local-to-Global, Theorems 2 and 8); every other field is integrated along its arc. Pure; any thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/markov/flow.h"
#include "ui/exhibits/flow/shared/flow_state.h"

namespace sepx::ui {

inline constexpr std::array kLimitKinds{markov::LimitKind::GlobalMin, markov::LimitKind::LocalMin,
                                        markov::LimitKind::Saddle,    markov::LimitKind::LocalMax,
                                        markov::LimitKind::Attractor, markov::LimitKind::Undecided};

/// The way by which a point came: the flow run backwards, uphill.
struct WayBack {
  markov::FlowStatus status = markov::FlowStatus::TimeLimit;
  markov::LimitKind kind = markov::LimitKind::Undecided;  ///< of `origin`
  std::optional<render::Point> origin;                    ///< nothing where it came from far out, or is not known
  std::vector<render::Point> path;                        ///< from the point on; every coordinate finite
  std::vector<double> time;                               ///< of the flow at path[i], from 0 downwards
};

struct PointResult {
  markov::FlowStatus status = markov::FlowStatus::TimeLimit;
  markov::LimitKind kind = markov::LimitKind::Undecided;
  bool exact = false;  ///< label and limit in closed form
  std::optional<render::Point> limit;
  /// Of the limit: as `kind`, but for p + q = 1, where the start has no basin and the limit is a minimum.
  markov::LimitKind limitKind = markov::LimitKind::Undecided;
  std::optional<double> limitLoss;  ///< loss (nats) or potential at the limit
  std::optional<double> loss;       ///< at the point itself
  std::optional<double> energy, drift;
  std::vector<render::Point> path;   ///< from the point to where it stopped; every coordinate finite
  std::vector<double> time;          ///< the flow's own time at path[i], not decreasing
  std::optional<double> time99;      ///< first time with less than 1 % of the loss above that of the limit left
  std::optional<double> rate;        ///< of |e| on the last e-folds of the path, where the limit has e = 0
  std::optional<double> rateTheory;  ///< 2 pi0 pi1 (p+q-1)(1+2w|w|) at that limit
  std::optional<WayBack> back;       ///< where it was asked for
  std::string failure;               ///< sentence, when the point could not be followed
};

/// How much of a point is followed.
enum class Extent {
  End,    ///< where a closed form knows the end, the point itself is all of the path
  Clock,  ///< and the time that it takes
  Path,   ///< with its path, time and rate
  Both,   ///< and the way back
};

PointResult followPoint(const FlowModel& model, double e, double w, Extent extent = Extent::Path);

/// Where a moving head is at a time of the flow; before 0 on the way back, where there is one.
render::Point headAt(const PointResult& point, double time);
/// The time at which a path has covered nearly all of its length: after it nothing moves that could be seen.
double settlingTime(const PointResult& point);
/// The same on the way back, 0 or less: before it nothing moved that could be seen.
double beginningTime(const PointResult& point);

/// "ends in a local minimum: loss 0.6663 = H(π), 0.0721 above the entropy rate". Translated.
std::string limitWords(const FlowModel& model, const PointResult& point);
/// "local minimum, loss 0.6663", for little room. Translated.
std::string shortWords(const FlowModel& model, const PointResult& point);
/// "local minimum". Translated.
std::string kindWords(markov::LimitKind kind);
const char* kindName(markov::LimitKind kind);  ///< N_("…")
/// "came to rest": STATUS of the command line as words. Translated.
std::string statusWords(const std::string& status);
/// "came from a local maximum", "came from far out". Translated; empty without a way back.
std::string originWords(const FlowModel& model, const PointResult& point);

}  // namespace sepx::ui

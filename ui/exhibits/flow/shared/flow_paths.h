// SPDX-License-Identifier: Apache-2.0
// The path of one initial point, its limit, and their descriptions in words. The canonical plane uses its own flow and
// closed forms (Local-to-Global, Theorems 2 and 8); every other field is integrated by arc length. Pure; any thread.
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

/// The backward path of a point: the flow run backwards in time, uphill.
struct BackwardPath {
  markov::FlowStatus status = markov::FlowStatus::TimeLimit;
  markov::LimitKind kind = markov::LimitKind::Undecided;  ///< of `origin`
  std::optional<render::Point> origin;  ///< empty if the path comes from far out or its origin is unknown
  std::vector<render::Point> path;      ///< from the point on; every coordinate finite
  std::vector<double> time;             ///< flow time at path[i], from 0 downwards
};

struct PointResult {
  markov::FlowStatus status = markov::FlowStatus::TimeLimit;
  markov::LimitKind kind = markov::LimitKind::Undecided;
  bool exact = false;  ///< label and limit in closed form
  std::optional<render::Point> limit;
  /// The kind of the limit. Equal to `kind` except for p + q = 1, where the initial point has no basin and the limit is
  /// a minimum.
  markov::LimitKind limitKind = markov::LimitKind::Undecided;
  std::optional<double> limitLoss;  ///< loss (nats) or potential at the limit
  std::optional<double> loss;       ///< at the point itself
  std::optional<double> energy, drift;
  std::vector<render::Point> path;   ///< from the point to where it stopped; every coordinate finite
  std::vector<double> time;          ///< the flow's own time at path[i], not decreasing
  std::optional<double> time99;      ///< first time at which less than 1 % of the initial loss above the limit is left
  std::optional<double> rate;        ///< of |e| over the last e-folds of the path, if the limit has e = 0
  std::optional<double> rateTheory;  ///< 2 pi0 pi1 (p+q-1)(1+2w|w|) at that limit
  std::optional<BackwardPath> back;  ///< only if requested
  std::string failure;               ///< a sentence if the point could not be followed
};

/// How much is computed for a point.
enum class Extent {
  End,    ///< where the end has a closed form, the path is the point alone
  Clock,  ///< also the convergence time
  Path,   ///< the path, the convergence time and the rate
  Both,   ///< also the backward path
};

PointResult followPoint(const FlowModel& model, double e, double w, Extent extent = Extent::Path);

/// The position of a moving head at a flow time; for a negative time on the backward path, if there is one.
render::Point headAt(const PointResult& point, double time);
/// The time at which a path has covered nearly all of its length. After it there is no visible movement.
double settlingTime(const PointResult& point);
/// The same for the backward path, 0 or less. Before it there is no visible movement.
double beginningTime(const PointResult& point);

/// "ends in a local minimum: loss 0.6663 = H(π), 0.0721 above the entropy rate". Translated.
std::string limitWords(const FlowModel& model, const PointResult& point);
/// "→ local minimum, loss 0.6663", for small spaces. Translated.
std::string shortWords(const FlowModel& model, const PointResult& point);
/// "local minimum". Translated.
std::string kindWords(markov::LimitKind kind);
const char* kindName(markov::LimitKind kind);  ///< N_("…")
/// "came to rest": STATUS of the command line as words. Translated.
std::string statusWords(const std::string& status);
/// "came from a local maximum", "came from far out". Translated; empty without a backward path.
std::string originWords(const FlowModel& model, const PointResult& point);

}  // namespace sepx::ui

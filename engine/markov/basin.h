// SPDX-License-Identifier: Apache-2.0
// The limit of gradient flow from a point of the (e,w) plane, in closed form: the label by Theorems 2 and 8, the limit
// as the root of a scalar equation along the orbit e^2(r) = e0^2 + w0^2 expm1(2r) + sgn(w0) r, r = log(w/w0).
#pragma once

#include <optional>

#include "engine/dynamics/basin_map.h"
#include "engine/markov/canonical_model.h"

namespace sepx::markov {

using dynamics::LimitKind;

/// global-min | local-min | saddle | local-max | undecided
std::string_view limitName(LimitKind kind);

/// reached | on-separatrix | unbounded | time-limit | degenerate
enum class FlowStatus { Reached, OnSeparatrix, Unbounded, TimeLimit, Degenerate };
std::string_view statusName(FlowStatus status);

/// Theorems 2 and 8. Undecided when p + q = 1 or a coordinate is not finite.
LimitKind basinLabel(const Chain& chain, double e, double w);
struct Limit {                            ///< where an orbit ends
  State theta;                            ///< the point that this orbit reaches, also where the minima form a curve
  double loss = 0;                        ///< nats
  LimitKind kind = LimitKind::Undecided;  ///< what the point is
};
/// Closed-form limit in (e,w). No value if p + q = 1, or if a coordinate is not finite or beyond 1e150.
std::optional<Limit> exactLimit(const Chain& chain, double e, double w);
dynamics::BasinMap exactBasinMap(const Chain& chain, const dynamics::BasinWindow& window, ThreadPool& pool);
/// Sign of e^2 - g(w)^2 for w < 0: +1 above the separatrix, -1 below, 0 on it as far as doubles can tell.
int sideOfSeparatrix(double e, double w);

}  // namespace sepx::markov

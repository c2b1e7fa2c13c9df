// SPDX-License-Identifier: Apache-2.0
// Where the flow of (e, w, a) ends, as far as it is known without integration, and how well a path keeps the two
// invariants. Published / corrected: Theorem 3 says every orbit converges; for p + q > 1, w >= 0 the surface a = k
// Ai'(-ks)/Ai(-ks) does not (erratum 1), and it, not the plane's theorem, divides the basins (erratum 2). Pure.
#pragma once

#include <optional>

#include "engine/markov/basin.h"
#include "engine/markov/flow.h"
#include "engine/markov/surfaces3.h"

namespace sepx::markov {

/// Why a label is known.
enum class Known3 {
  Stationary,  ///< the point itself is critical
  Airy,        ///< p + q > 1, w >= 0: side of the unbounded surface
  Above,       ///< p + q < 1, w >= 0, e != 0: a global minimum always
};
struct Label3 {
  LimitKind kind = LimitKind::Undecided;  ///< Undecided: on the surface, the orbit is unbounded
  Known3 known = Known3::Stationary;
};
/// Nothing where only integration tells (w < 0), for p + q = 1 and for coordinates that are not finite.
std::optional<Label3> exactLabel3(const Chain& chain, const Place3& at);

/// The exact label, else that of an integration to `relativeTolerance`.
LimitKind label3(const Chain& chain, const Place3& at, double relativeTolerance = 1e-8);

/// Largest departure of the two invariants from their first values along a path.
struct Drift3 {
  std::optional<double> energy;  ///< |E - E0| / (1 + |E0|); none for w = 0
  double angle = 0;              ///< of the Airy angle, radians, modulo pi
};
Drift3 driftOf(const Path& path);

}  // namespace sepx::markov

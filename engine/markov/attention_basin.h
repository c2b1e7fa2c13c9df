// SPDX-License-Identifier: Apache-2.0
// Decides which limit the gradient flow reaches in (e,w,a), without integrating it in time. Along every orbit a obeys
// da/ds = e^2/4 with s = e^2 - 4a^2 (the second invariant), so (e,a) follows one Airy curve whatever w is. The energy
// then decides whether w reaches -1/sqrt 2 on the way. With sigma = sign(p+q-1), u = 1 + a e^2, v = 1 + 2w|w|:
//   local minimum iff sigma v > 0, u > 0, the Airy curve comes down to e = 0 (at a = alpha), and
//   w >= 0 or g(w)^2 > D = e^2 - 2a^2 + 2 alpha^2;   a point of the separatrix at equality; else a global minimum.
// For w >= 0 this is the corrected Theorem 3 (errata 1, 2); with a = 0 kept at 0 it would be Theorems 2 and 8. Pure
// functions; any thread; no quadrature, no time stepping of the flow.
#pragma once

#include <optional>

#include "engine/markov/basin.h"

namespace sepx::markov {

/// The point where the Airy curve through (e, a), followed towards smaller s, reaches e = 0.
struct Landing {
  double alpha = 0;  ///< a at e = 0
  double D = 0;      ///< e^2 - 2a^2 + 2 alpha^2 >= 0, the decrease of h(w) = w^2 + sgn(w) log|w| on the way
};
/// No value if the curve never reaches e = 0 (on or above the unbounded surface, or 1 + a e^2 <= 0). Relative error
/// about 1e-10.
std::optional<Landing> landing(double e, double a);

/// Undecided if p + q = 1, on the unbounded surface with w >= 0, or if a coordinate is not finite or beyond 1e100.
/// Saddle on the separatrix and on the stationary curves, as far as doubles can tell.
LimitKind basinLabel3(const Chain& chain, double e, double w, double a);

}  // namespace sepx::markov

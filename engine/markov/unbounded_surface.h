// SPDX-License-Identifier: Apache-2.0
// The initial points of the (e,w,a) flow whose orbit is unbounded (erratum 1 to Theorem 3, Lemma 15): for p + q > 1 and
// w >= 0 the surface a = k Ai'(-k s)/Ai(-k s), s = e^2 - 4a^2, which separates the basins of global and of local
// minima. Pure functions.
#pragma once

#include "engine/markov/canonical_model.h"

namespace sepx::markov {

/// The limit of the orbit from theta = (e, w, a) according to the second invariant, for p + q > 1 and w >= 0: +1 a
/// global minimum, -1 a local one, 0 on the surface as far as doubles can tell.
int sideOfUnboundedSurface(const State& theta);
/// Always false for p + q <= 1, w < 0 or e = 0.
bool onUnboundedSurface(const Chain& chain, const State& theta);

/// |e| of the surface at height a; it is the same for every w >= 0. Strictly between 0 and infinity for finite a.
double unboundedSurfaceE(double a);
/// a of the surface at s = e^2 - 4a^2; NaN from s = 2.3381 / k = 3.7115 on, where it ends at a = infinity.
double unboundedSurfaceA(double s);

}  // namespace sepx::markov

// SPDX-License-Identifier: Apache-2.0
// Level sets of the energy in the (e,w) plane, exact: e^2 = E + w^2 + sgn(w) log|w| on each side of the e-axis. Orbits
// of the flow run along them (Lemma 1). And Lemma 12: the profile E(0,w), and where a level meets it. Pure functions.
#pragma once

#include <vector>

#include "engine/markov/critical_sets.h"

namespace sepx::markov {

/// E(0, w) = -w^2 - sgn(w) log|w|; +inf (w -> 0+) or -inf (w -> 0-) is left to the caller: w = 0 answers NaN.
double axisEnergy(double w);

/// Every w with E(0, w) = E, ascending: below E_sad two negative ones and a positive one, at E_sad the saddle (once)
/// and a positive one, above it the positive one alone (Lemma 12). A w that underflows is left out.
std::vector<double> axisCrossings(double E);

/// The pieces of E(e,w) = E inside [eMin, eMax] x [wMin, wMax], with at most `samples` points a piece. A piece ends
/// where it meets e = 0 or, above E_sad, the row of the saddle; its mirror image goes on there.
std::vector<std::vector<PlanePoint>> energyContour(double E, double eMin, double eMax, double wMin, double wMax,
                                                   int samples = 256);

/// At most `count` levels between the least and the greatest E(0,w) of the window that are `clearance` (a length in w)
/// away from w = 0, at a round distance from each other: a multiple of it each. The separatrix's level is not among
/// them.
std::vector<double> energyLevels(double wMin, double wMax, double eMax, double clearance, int count);

}  // namespace sepx::markov

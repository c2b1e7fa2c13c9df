// SPDX-License-Identifier: Apache-2.0
// Exact level sets of the energy in the (e,w) plane: e^2 = E + w^2 + sgn(w) log|w| on each side of the e-axis. Orbits
// of the flow follow them (Lemma 1). Also the profile E(0,w) and the points where a level meets it (Lemma 12). Pure
// functions.
#pragma once

#include <vector>

#include "engine/markov/critical_sets.h"

namespace sepx::markov {

/// E(0, w) = -w^2 - sgn(w) log|w|. NaN at w = 0: the limits +inf (w -> 0+) and -inf (w -> 0-) are left to the caller.
double axisEnergy(double w);

/// Every w with E(0, w) = E, ascending: below E_sad two negative values and a positive one, at E_sad the saddle (once)
/// and a positive value, above E_sad a positive value only (Lemma 12). A w that underflows is omitted.
std::vector<double> axisCrossings(double E);

/// The pieces of E(e,w) = E inside [eMin, eMax] x [wMin, wMax], with at most `samples` points per piece. A piece ends
/// at e = 0, where its mirror image continues it, or, above E_sad, at the w of the saddle, where another piece
/// continues it.
std::vector<std::vector<PlanePoint>> energyContour(double E, double eMin, double eMax, double wMin, double wMax,
                                                   int samples = 256);

/// At most `count` levels between the least and the greatest E(0,w) of the window that are `clearance` (a length in w)
/// away from w = 0, all multiples of one round spacing. The separatrix's level is not among them.
std::vector<double> energyLevels(double wMin, double wMax, double eMax, double clearance, int count);

}  // namespace sepx::markov

// SPDX-License-Identifier: Apache-2.0
// The critical sets of Theorem 1 as exact curves, and the separatrix I_sad of Theorems 2 and 8, sampled for drawing
// inside a window.
#pragma once

#include <vector>

#include "engine/dynamics/vector_field.h"
#include "engine/markov/chain.h"

namespace sepx::markov {

struct PlanePoint {  ///< of the (e, w) plane
  double e = 0, w = 0;
};

/// One connected piece of a set.
struct Curve {
  dynamics::LimitKind kind = dynamics::LimitKind::Undecided;
  std::vector<PlanePoint> points;
};

struct CriticalSets {
  std::vector<Curve> curves;      ///< Theta* (GlobalMin), Theta_min and Theta_max on e = 0; empty when degenerate
  PlanePoint saddle;              ///< (0, -1/sqrt 2)
  std::vector<Curve> separatrix;  ///< both branches of I_sad (kind Saddle)
};

/// Pieces inside [eMin, eMax] x [wMin, wMax], with at most `samples` points per piece, spaced so that a polyline looks
/// smooth.
CriticalSets criticalSets(const Chain& chain, double eMin, double eMax, double wMin, double wMax, int samples = 256);

}  // namespace sepx::markov

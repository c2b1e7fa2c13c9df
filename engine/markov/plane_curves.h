// SPDX-License-Identifier: Apache-2.0
// Curves of the (e,w) plane for drawing: a branch whose two coordinates are monotonic in its parameter is clipped to a
// window by bisection and turned into a polyline whose points follow its curvature. Internal to engine/markov. Pure
// functions.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "engine/markov/critical_sets.h"

namespace sepx::markov {

struct PlaneWindow {  ///< part of the (e, w) plane
  double eMin, eMax, wMin, wMax;
  bool empty() const {  ///< no area, or not finite
    return !(eMin < eMax && wMin < wMax) || !std::isfinite(eMax - eMin) || !std::isfinite(wMax - wMin);
  }
};

/// A branch with e >= 0: e and w are monotone in t on [first, last].
struct PlaneBranch {
  std::function<PlanePoint(double t)> at;
  double first = 0, last = 0;
};

/// The branch and its mirror image in e, clipped to the window, with at most `samples` points each.
void addMirrored(std::vector<std::vector<PlanePoint>>& curves, const PlaneBranch& branch, const PlaneWindow& window,
                 int samples);

}  // namespace sepx::markov

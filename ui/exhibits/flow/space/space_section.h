// SPDX-License-Identifier: Apache-2.0
// The section of the box by the slice plane: loss, basins (by the two invariants or by integration) and traces of the
// critical sets. Made by a job in two passes, coarse first. Pure; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/markov/chain.h"
#include "engine/markov/sections3.h"

namespace sepx::ui {

/// The same p and q.
inline bool sameChain(const markov::Chain& a, const markov::Chain& b) {
  return a.p == b.p && a.q == b.q;
}

struct SectionRequest {
  markov::Chain chain;
  markov::Box3 box;
  markov::SectionPlane plane;
  bool basins = true, integrate = false;
  bool operator==(const SectionRequest& other) const {
    return sameChain(chain, other.chain) && box == other.box && plane == other.plane && basins == other.basins &&
           integrate == other.integrate;
  }
};

struct SpaceSection {
  SectionRequest of;
  int side = 0;                                             ///< pixels
  std::shared_ptr<const std::vector<float>> loss;           ///< place on the scale, row 0 at the top
  std::shared_ptr<const std::vector<std::uint8_t>> labels;  ///< null: shaded by loss; kinds of limits
  std::vector<double> shares;                               ///< per kind of limit, of the labels
  std::size_t disagreements = 0;                            ///< pixels on which integration differs from theory
  std::vector<markov::SectionLine> thetaStar, separatrix;
  std::vector<markov::SectionLine> minima, maxima;  ///< of the plane e = 0
  std::vector<markov::SectionPoint> saddles, stationary;
  std::vector<markov::SectionLine> saddleLines, stationaryLines;  ///< where a whole curve lies in the plane
  bool finished = false;
};

/// `cancelled` is asked between rows; what was begun is then left unfinished.
SpaceSection makeSection(const SectionRequest& request, int side, ThreadPool& pool,
                         const std::function<bool()>& cancelled);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Everything the space of (e, w, a) has computed: paths, surfaces as meshes, the section. One initial point: its path
// by integration, where it ends, what theory says of it in three dimensions and what the plane's theorem says, its two
// invariants, and the words for all that. The section of the box by the slice plane, coarse first. A few points are
// followed at once, the rest runs as jobs; a surface that is being made anew stays as it was until then. Frame thread,
// but for what is said to be pure.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/markov/basin.h"
#include "engine/markov/chain.h"
#include "engine/markov/critical_sets3.h"
#include "engine/markov/sections3.h"
#include "engine/markov/surfaces3.h"
#include "engine/render/scene3.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/exhibits/flow/shared/followed_points.h"
#include "ui/exhibits/flow/space/space_state.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

struct SpacePoint {
  markov::FlowStatus status = markov::FlowStatus::TimeLimit;
  markov::LimitKind kind = markov::LimitKind::Undecided;    ///< by integration
  markov::LimitKind theory = markov::LimitKind::Undecided;  ///< by the two invariants
  markov::LimitKind plane = markov::LimitKind::Undecided;   ///< of (e, w) by Theorems 2 and 8
  bool onSurface = false;                                   ///< of unbounded orbits
  bool stands = false;                                      ///< is a critical point itself
  std::optional<markov::Place3> limit;
  std::optional<double> limitLoss, loss, S, energy, angle;
  std::optional<double> energyDrift, angleDrift;
  std::optional<double> distance;    ///< along e to the unbounded surface, where there is one at this w
  std::vector<markov::Place3> path;  ///< from the point on, every coordinate finite; the point alone without a path
  std::vector<double> time;          ///< the flow's own time at path[i], not decreasing
  std::vector<markov::Place3> back;  ///< the way by which the point would have come, from the point on
  std::vector<double> backTime;      ///< of the flow at back[i], from 0 downwards
  std::string failure;               ///< sentence, when the point could not be followed
};

/// Without its path a point costs microseconds: what theory says of it. `back`: also the way back.
SpacePoint followInSpace(const markov::Chain& chain, const markov::Place3& at, bool path = true, bool back = false);

/// Where a moving head is at a time of the flow.
markov::Place3 headAt(const SpacePoint& point, double time);
/// The time at which a path has covered nearly all of its length.
double settlingTime(const SpacePoint& point);

/// "ends in a local minimum: loss 0.6663 = H(π)". Translated.
std::string spaceWords(const markov::Chain& chain, const SpacePoint& point);
/// Why nothing can be said, or what a person should know: unbounded, p + q = 1, out of time. Empty: nothing.
std::string spaceReason(const SpacePoint& point);
/// How the answer differs from that of the plane's theorem; empty where it does not.
std::string planeWords(const SpacePoint& point, double a);

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

using MeshPointer = std::shared_ptr<const render::Mesh>;

/// Surfaces of a chain in a box; null where there is none.
struct SpaceSurfaces {
  markov::Chain chain;
  markov::Box3 box;
  MeshPointer thetaStar, minima, maxima, separatrix;
  std::vector<markov::Curve3> curves;
};

/// The triangles of a sheet for the renderers, with a revision of its own; null for an empty one.
MeshPointer meshOf(const markov::Sheet3& sheet);

class SpaceResults {
 public:
  void update(const FlowState& flow, const SpaceState& space, ExhibitContext& context);

  /// Never null; `i` below points().
  const SpacePoint& point(std::size_t i) const { return paths_[i]; }
  std::size_t points() const { return paths_.size(); }
  /// Null while there is none, as the two below.
  std::shared_ptr<const SpaceSurfaces> surfaces() const { return surfaces_.result() ? *surfaces_.result() : nullptr; }
  MeshPointer energySheet() const { return energy_.result() ? *energy_.result() : nullptr; }  ///< of the selected point
  std::shared_ptr<const SpaceSection> section() const { return section_.result() ? *section_.result() : nullptr; }

  std::uint64_t pathsRevision() const { return paths_.revision(); }
  std::uint64_t surfacesRevision() const { return surfaces_.revision() + energy_.revision(); }
  std::uint64_t sectionRevision() const { return section_.revision(); }
  bool complete() const {
    return paths_.complete() && surfaces_.complete() && energy_.complete() && section_.complete();
  }

 private:
  struct PointWork {
    markov::Chain chain;
    markov::Place3 at{};
    bool path = true, back = false;
    bool serves(const PointWork& wanted) const {
      return sameChain(chain, wanted.chain) && at == wanted.at && (path || !wanted.path) && back == wanted.back;
    }
  };
  struct SurfacesRequest {
    markov::Chain chain;
    markov::Box3 box;
    bool operator==(const SurfacesRequest& other) const { return sameChain(chain, other.chain) && box == other.box; }
  };
  struct EnergyRequest {
    markov::Chain chain;
    markov::Box3 box;
    markov::Place3 at{};
    bool operator==(const EnergyRequest& other) const {
      return sameChain(chain, other.chain) && box == other.box && at == other.at;
    }
  };

  void updatePaths(const FlowState& flow, ExhibitContext& context);
  void updateSurfaces(const FlowState& flow, const SpaceState& space, ExhibitContext& context);
  void updateEnergy(const FlowState& flow, const SpaceState& space, ExhibitContext& context);
  void updateSection(const FlowState& flow, const SpaceState& space, ExhibitContext& context);

  FollowedPoints<PointWork, SpacePoint> paths_{"flow.space.paths", 24};
  Lane<SurfacesRequest, std::shared_ptr<const SpaceSurfaces>> surfaces_{"flow.space.surfaces"};
  Lane<EnergyRequest, MeshPointer> energy_{"flow.space.energy"};
  Lane<SectionRequest, std::shared_ptr<const SpaceSection>> section_{"flow.space.section"};
};

/// What the getters read; lives as long as the page.
struct SpaceReadings {
  const FlowShared& shared;
  const SpaceState& space;
  const SpaceResults& results;
  const FlowPlay& play;
};

inline constexpr const char* kSpaceS = "S = e^2\\,(1+ae^2)\\,(1+2w|w|)";
inline constexpr const char* kSpaceEnergy = "E(e,w,a) = e^2-\\left(w^2+\\sgn(w)\\,\\log|w|\\right)-2a^2";
inline constexpr const char* kSpaceSurface =
    "a = k\\,\\frac{\\mathrm{Ai}'(-ks)}{\\mathrm{Ai}(-ks)},\\quad s = e^2-4a^2,\\quad k = 4^{-1/3},\\quad p+q>1,\\ "
    "w\\ge0";

/// The parameters.
void declareSpace(PropertyRegistry& registry);
void declareSpaceReadOuts(PropertyRegistry& registry, const SpaceReadings& readings);
Numbers spaceNumbers(const SpaceReadings& readings);
/// `section`: whether it is drawn.
std::string spaceCaption(const SpaceReadings& readings, bool section = true);

}  // namespace sepx::ui

// SPDX-License-Identifier: Apache-2.0
// Everything that the space page, (e, w, a), has computed: the initial points with their paths, limits and invariants
// (space_follow.h), the surfaces as meshes, and the section of the box by the slice plane, coarse first. A few points
// are followed at once; the rest runs as jobs. While a surface is being recomputed, the old one stays. Frame thread,
// except for makeSection() and meshOf(), which jobs call.
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
#include "ui/exhibits/flow/space/space_follow.h"
#include "ui/exhibits/flow/space/space_state.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

/// Whether p and q are the same.
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
  std::shared_ptr<const std::vector<std::uint8_t>> labels;  ///< kinds of limits; null: shaded by loss
  std::vector<double> shares;                               ///< per kind of limit, of the labels
  std::size_t disagreements = 0;                            ///< pixels on which integration differs from theory
  std::vector<markov::SectionLine> thetaStar, separatrix;
  std::vector<markov::SectionLine> minima, maxima;  ///< of the plane e = 0
  std::vector<markov::SectionPoint> saddles, stationary;
  std::vector<markov::SectionLine> saddleLines, stationaryLines;  ///< where a whole curve lies in the plane
  bool finished = false;
};

/// `cancelled` is called between rows. If it returns true, the section is left unfinished.
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
  /// Null while there is none. The same holds for the two functions below.
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

}  // namespace sepx::ui

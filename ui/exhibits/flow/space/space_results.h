// SPDX-License-Identifier: Apache-2.0
// Everything the space of (e, w, a) has computed: paths, surfaces as meshes, the section. A few points are followed at
// once, the rest runs as jobs; a surface that is being made anew stays as it was until then. Frame thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/markov/critical_sets3.h"
#include "engine/render/scene3.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/exhibits/flow/shared/followed_points.h"
#include "ui/exhibits/flow/space/space_follow.h"
#include "ui/exhibits/flow/space/space_section.h"
#include "ui/exhibits/flow/space/space_state.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

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

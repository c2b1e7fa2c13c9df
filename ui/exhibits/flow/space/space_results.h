// SPDX-License-Identifier: Apache-2.0
// Everything the space of (e, w, a) has computed: paths, surfaces as meshes, the section. A few points are followed at
// once, the rest runs as jobs; a surface that is being made anew stays as it was until then. Frame thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/markov/critical_sets3.h"
#include "engine/render/scene3.h"
#include "ui/exhibit/exhibit.h"
#include "ui/exhibit/lane.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/exhibits/flow/space/space_follow.h"
#include "ui/exhibits/flow/space/space_section.h"
#include "ui/exhibits/flow/space/space_state.h"

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
  const SpacePoint& point(std::size_t i) const { return *entries_[i].result; }
  std::size_t points() const { return entries_.size(); }
  /// Null while there is none, as the two below.
  std::shared_ptr<const SpaceSurfaces> surfaces() const { return surfaces_.result() ? *surfaces_.result() : nullptr; }
  MeshPointer energySheet() const { return energy_.result() ? *energy_.result() : nullptr; }  ///< of the selected point
  std::shared_ptr<const SpaceSection> section() const { return section_.result() ? *section_.result() : nullptr; }

  std::uint64_t pathsRevision() const { return pathsRevision_; }
  std::uint64_t surfacesRevision() const { return surfaces_.revision() + energy_.revision(); }
  std::uint64_t sectionRevision() const { return section_.revision(); }
  bool complete() const { return pathsDone_ && surfaces_.complete() && energy_.complete() && section_.complete(); }

 private:
  struct Entry {
    markov::Chain chain;
    markov::Place3 at{};
    bool path = true, back = false, pending = false;
    std::shared_ptr<const SpacePoint> result;
  };
  using Entries = std::vector<std::pair<std::size_t, Entry>>;  ///< by the index of their point
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
  std::size_t followAtOnce(const std::vector<std::size_t>& order, bool scripted);
  void startPaths(const std::vector<std::size_t>& order, ExhibitContext& context);
  void updateSurfaces(const FlowState& flow, const SpaceState& space, ExhibitContext& context);
  void updateEnergy(const FlowState& flow, const SpaceState& space, ExhibitContext& context);
  void updateSection(const FlowState& flow, const SpaceState& space, ExhibitContext& context);

  std::vector<Entry> entries_;
  std::size_t turn_ = 0;
  bool pathsDone_ = true;
  std::uint64_t pathsRevision_ = 1;

  Lane<Entries, Entries> paths_{"flow.space.paths"};
  Lane<SurfacesRequest, std::shared_ptr<const SpaceSurfaces>> surfaces_{"flow.space.surfaces"};
  Lane<EnergyRequest, MeshPointer> energy_{"flow.space.energy"};
  Lane<SectionRequest, std::shared_ptr<const SpaceSection>> section_{"flow.space.section"};
};

}  // namespace sepx::ui

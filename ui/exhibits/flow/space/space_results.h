// SPDX-License-Identifier: Apache-2.0
// Everything the space of (e, w, a) has computed: paths, surfaces as meshes, the section. A few points are followed at
// once, the rest runs as jobs; a surface that is being made anew stays as it was until then. Frame thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/core/exchange.h"
#include "engine/markov/critical_sets3.h"
#include "engine/render/scene3.h"
#include "ui/exhibit/exhibit.h"
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
  SpaceResults();
  void update(const FlowState& flow, const SpaceState& space, ExhibitContext& context);

  /// Never null; `i` below points().
  const SpacePoint& point(std::size_t i) const { return *entries_[i].result; }
  std::size_t points() const { return entries_.size(); }
  const std::shared_ptr<const SpaceSurfaces>& surfaces() const { return surfaces_; }
  /// Of the selected point; null while there is none.
  const MeshPointer& energySheet() const { return energy_; }
  const std::shared_ptr<const SpaceSection>& section() const { return section_; }

  std::uint64_t pathsRevision() const { return pathsRevision_; }
  std::uint64_t surfacesRevision() const { return surfacesRevision_; }
  std::uint64_t sectionRevision() const { return sectionRevision_; }
  bool complete() const { return pathsDone_ && !surfacesRun_ && !energyRuns_ && sectionDone_; }

 private:
  struct Entry {
    markov::Chain chain;
    markov::Place3 at{};
    bool path = true, back = false, pending = false;
    std::shared_ptr<const SpacePoint> result;
  };
  struct PathsPart {
    std::vector<std::pair<std::size_t, Entry>> entries;
  };
  struct EnergyRequest {
    markov::Chain chain;
    markov::Box3 box;
    markov::Place3 at{};
    bool operator==(const EnergyRequest& other) const {
      return sameChain(chain, other.chain) && box == other.box && at == other.at;
    }
  };
  struct EnergyPart {
    EnergyRequest of;
    MeshPointer mesh;
  };

  void updatePaths(const FlowState& flow, ExhibitContext& context);
  std::size_t followAtOnce(const std::vector<std::size_t>& order, bool scripted);
  void startPaths(const std::vector<std::size_t>& order, ExhibitContext& context);
  void updateSurfaces(const FlowState& flow, const SpaceState& space, ExhibitContext& context);
  void updateEnergy(const FlowState& flow, const SpaceState& space, ExhibitContext& context);
  void updateSection(const FlowState& flow, const SpaceState& space, ExhibitContext& context);

  bool idle_ = true;
  std::vector<Entry> entries_;
  std::size_t turn_ = 0;
  bool pathsDone_ = true;
  std::shared_ptr<Exchange<PathsPart>> pathsChannel_;
  std::uint64_t pathsRevision_ = 1, surfacesRevision_ = 1, sectionRevision_ = 1;

  bool surfacesRun_ = false;
  std::shared_ptr<const SpaceSurfaces> surfaces_;
  std::shared_ptr<Exchange<std::shared_ptr<const SpaceSurfaces>>> surfacesChannel_;

  bool energyRuns_ = false;
  std::optional<EnergyRequest> energyOf_;
  MeshPointer energy_;
  std::shared_ptr<Exchange<EnergyPart>> energyChannel_;

  bool sectionDone_ = true;
  std::optional<SectionRequest> sectionOf_;
  std::shared_ptr<const SpaceSection> section_;
  std::shared_ptr<Exchange<std::shared_ptr<const SpaceSection>>> sectionChannel_;
};

}  // namespace sepx::ui

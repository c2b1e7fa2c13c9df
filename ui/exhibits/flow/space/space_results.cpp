// SPDX-License-Identifier: Apache-2.0
// What the lanes of the space page are asked for. A surface or section that is wanted while one is being made waits for
// it, so that a drag shows every one that is finished.
#include "ui/exhibits/flow/space/space_results.h"

#include <algorithm>
#include <atomic>

#include "engine/render/mesh_coarse.h"
#include "ui/exhibits/flow/space/space_scene.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kMostPaths = 300;       // more tubes cannot be told apart
constexpr std::size_t kMostTriangles = 8000;  // of a sheet: a frame costs about 1 us a triangle on a processor
constexpr int kFlatCells = 24, kCells = 56, kEnergyCells = 40, kCurveCells = 64, kCoarseSide = 32, kIntegratedSide = 96,
              kSectionSide = 160;

/// Unique over all meshes of the program: these are the only ones.
std::uint64_t nextMesh() {
  static std::atomic<std::uint64_t> counter{0};
  return ++counter;
}

/// With the slivers of marching gone.
MeshPointer coarse(const MeshPointer& mesh) {
  if (!mesh) return mesh;
  std::shared_ptr<render::Mesh> fewer = render::coarsened(*mesh, kMostTriangles);
  fewer->revision = nextMesh();
  return fewer;
}

}  // namespace

MeshPointer meshOf(const markov::Sheet3& sheet) {
  if (sheet.empty()) return nullptr;
  auto mesh = std::make_shared<render::Mesh>();
  const auto floats = [](const markov::Place3& at) {
    return std::array<float, 3>{static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])};
  };
  for (std::size_t i = 0; i < sheet.points.size(); ++i) {
    mesh->positions.push_back(floats(sheet.points[i]));
    mesh->normals.push_back(floats(sheet.normals[i]));
    mesh->values.push_back(static_cast<float>(sheet.values[i]));
  }
  mesh->triangles.reserve(3 * sheet.triangles.size());
  for (const auto& triangle : sheet.triangles)
    mesh->triangles.insert(mesh->triangles.end(), triangle.begin(), triangle.end());
  mesh->revision = nextMesh();
  return mesh;
}

void SpaceResults::update(const FlowState& flow, const SpaceState& space, ExhibitContext& context) {
  updatePaths(flow, context);
  updateSurfaces(flow, space, context);
  updateEnergy(flow, space, context);
  updateSection(flow, space, context);
}

void SpaceResults::updatePaths(const FlowState& flow, ExhibitContext& context) {
  const std::size_t stride = (std::max<std::size_t>(flow.points.size(), 1) + kMostPaths - 1) / kMostPaths;
  paths_.update(
      flow.points.size(), flow.selected,
      [&](std::size_t i) {
        const bool path = i % stride == 0 || static_cast<int>(i) == flow.selected;
        return PointWork{flow.chain, placeOf(flow.points[i]), path, flow.showBackward};
      },
      [](const PointWork& work) { return followInSpace(work.chain, work.at, work.path, work.back); },
      [](const PointWork& work) {  // nothing but where it stands
        SpacePoint point;
        point.path = {work.at};
        point.time = {0};
        return point;
      },
      tr("paths in space"), context);
}

void SpaceResults::updateSurfaces(const FlowState& flow, const SpaceState& space, ExhibitContext& context) {
  surfaces_.refresh(context.jobs);
  if (surfaces_.pending()) return;
  surfaces_.request(
      context.jobs, {flow.chain, space.box}, tr("surfaces"),
      [&pool = context.pool](const SurfacesRequest& request, auto&) -> std::shared_ptr<const SpaceSurfaces> {
        const auto& [chain, box] = request;
        auto made = std::make_shared<SpaceSurfaces>();
        made->chain = chain;
        made->box = box;
        made->thetaStar = coarse(meshOf(markov::thetaStarSheet(chain, box, kCells, &pool)));
        if (chain.degenerate()) {  // S* = 0: S vanishes on e = 0, on w = -1/sqrt2 and on 1 + a e^2 = 0
          markov::Sheet3 zero;
          for (const markov::Level3& level : markov::flatMinima())
            zero.append(markov::levelSheet(level, box, kCells, &pool));
          made->thetaStar = coarse(meshOf(zero));
          made->minima = meshOf(markov::flatSheet(0, 0, box, kFlatCells, [](const markov::Place3&) { return 0.0; }));
          return made;
        }
        made->separatrix = meshOf(markov::unboundedSheet(chain, box, kCurveCells));
        for (const markov::AxisPlane& plane : markov::axisPlanes(chain, box, kFlatCells))
          (plane.kind == markov::LimitKind::LocalMin ? made->minima : made->maxima) = meshOf(plane.sheet);
        made->curves = markov::criticalCurves(chain, box);
        return made;
      });
}

void SpaceResults::updateEnergy(const FlowState& flow, const SpaceState& space, ExhibitContext& context) {
  energy_.refresh(context.jobs);
  if (!space.show.energy || flow.selected < 0) {
    energy_.clear();
    return;
  }
  if (energy_.pending()) return;
  energy_.request(
      context.jobs, {flow.chain, space.box, placeOf(flow.points[static_cast<std::size_t>(flow.selected)])},
      tr("energy sheet"), [&pool = context.pool](const EnergyRequest& request, auto&) {
        return coarse(meshOf(markov::energySheet(request.chain, request.at, request.box, kEnergyCells, &pool)));
      });
}

void SpaceResults::updateSection(const FlowState& flow, const SpaceState& space, ExhibitContext& context) {
  section_.refresh(context.jobs);
  if (!space.slice) {
    section_.clear();
    return;
  }
  // A coarse one comes within a frame or two and is shown; only what is beyond it is given up for the next.
  if (section_.pending() && section_.result() && !section_.fresh()) return;
  section_.request(context.jobs, {flow.chain, space.box, space.section, space.basins, space.basins && space.integrate},
                   tr("section"), [&pool = context.pool](const SectionRequest& request, auto& output) {
                     for (const int side : {kCoarseSide, request.integrate ? kIntegratedSide : kSectionSide}) {
                       const bool coarse = side == kCoarseSide;
                       auto made = std::make_shared<SpaceSection>(
                           makeSection(request, side, pool, [&] { return !coarse && output.cancelled(); }));
                       made->finished = !coarse;
                       output.progress(coarse ? 0.1 : 1);
                       if (!output.publish(std::move(made), !coarse)) return;
                     }
                   });
}

}  // namespace sepx::ui

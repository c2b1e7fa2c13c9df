// SPDX-License-Identifier: Apache-2.0
// What the lanes of the space page are asked for. A surface or section that is wanted while one is being made waits for
// it, so that a drag shows every one that is finished.
#include "ui/exhibits/flow/space/space_results.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "engine/render/mesh_coarse.h"
#include "ui/exhibits/flow/space/space_scene.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kFollowingMs = 8;
constexpr std::size_t kPointsAtOnce = 24;     // instead, in a script
constexpr std::size_t kMostPaths = 300;       // more tubes cannot be told apart
constexpr std::size_t kMostTriangles = 8000;  // of a sheet: a frame costs about 1 us a triangle on a processor
constexpr int kFlatCells = 24, kCells = 56, kEnergyCells = 40, kCurveCells = 64, kCoarseSide = 32, kIntegratedSide = 96,
              kSectionSide = 160;

/// Something to show until a point has been followed: nothing but where it stands.
std::shared_ptr<const SpacePoint> standing(const markov::Place3& at) {
  auto point = std::make_shared<SpacePoint>();
  point->path = {at};
  point->time = {0};
  return point;
}

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
  if (paths_.refresh(context.jobs)) {
    for (const auto& [index, done] : *paths_.result()) {
      if (index >= entries_.size() || !entries_[index].pending) continue;
      Entry& entry = entries_[index];
      if (sameChain(entry.chain, done.chain) && entry.at == done.at && entry.path == done.path &&
          entry.back == done.back)
        entry = done;
    }
    ++pathsRevision_;
  }
  if (paths_.complete() && paths_.clear())
    for (Entry& entry : entries_)  // also where it was cancelled: what is there is all there will be
      entry.pending = false;
  if (entries_.size() != flow.points.size()) ++pathsRevision_;
  entries_.resize(flow.points.size());
  const std::size_t stride = (std::max<std::size_t>(entries_.size(), 1) + kMostPaths - 1) / kMostPaths;
  bool news = false;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    const bool path = i % stride == 0 || static_cast<int>(i) == flow.selected;
    const markov::Place3 at = placeOf(flow.points[i]);
    if (entry.result && sameChain(entry.chain, flow.chain) && entry.at == at && (entry.path || !path) &&
        entry.back == flow.showBackward)
      continue;
    // A path of before stays in sight until the new one is there.
    std::shared_ptr<const SpacePoint> before = entry.result ? entry.result : standing(at);
    entry = {flow.chain, at, path, flow.showBackward, true, std::move(before)};
    news = true;
  }
  if (news) {
    std::vector<std::size_t> order;
    const auto selected = static_cast<std::size_t>(std::max(flow.selected, 0));
    if (selected < entries_.size() && entries_[selected].pending) order.push_back(selected);
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (const std::size_t index = (turn_ + i) % entries_.size(); entries_[index].pending && index != selected)
        order.push_back(index);
    const std::size_t done = followAtOnce(order, context.scripted);
    order.erase(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(done));
    if (!order.empty()) startPaths(order, context);
    ++pathsRevision_;
  }
  pathsDone_ = std::none_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.pending; });
}

std::size_t SpaceResults::followAtOnce(const std::vector<std::size_t>& order, bool scripted) {
  const auto begin = std::chrono::steady_clock::now();
  std::size_t done = 0;
  for (; done < order.size(); ++done) {
    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - begin;
    // A script's frames must not depend on the machine's speed.
    if (scripted ? done == kPointsAtOnce : done > 0 && spent.count() > kFollowingMs) break;
    Entry& entry = entries_[order[done]];
    entry.result = std::make_shared<SpacePoint>(followInSpace(entry.chain, entry.at, entry.path, entry.back));
    entry.pending = false;
    turn_ = order[done] + 1;
  }
  return done;
}

void SpaceResults::startPaths(const std::vector<std::size_t>& order, ExhibitContext& context) {
  Entries wanted;
  for (const std::size_t index : order)
    wanted.emplace_back(index, entries_[index]);
  paths_.start(context.jobs, std::move(wanted), tr("paths in space"),
               [&pool = context.pool](const Entries& request, auto& output) {
                 Entries made = request;
                 pool.parallelFor(0, made.size(), 4, [&](std::size_t first, std::size_t last) {
                   for (std::size_t i = first; i < last && !output.cancelled(); ++i) {
                     Entry& entry = made[i].second;
                     entry.result =
                         std::make_shared<SpacePoint>(followInSpace(entry.chain, entry.at, entry.path, entry.back));
                     entry.pending = false;
                   }
                 });
                 return made;
               });
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

// SPDX-License-Identifier: Apache-2.0
// Starts and collects the work of the space page. Jobs capture values and their channel only. A surface or section that
// is asked for while one is being made waits for it, so that a drag shows every one that is finished.
#include "ui/exhibits/flow/space/space_results.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "engine/render/mesh_coarse.h"
#include "ui/exhibits/flow/space/space_scene.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kPathsLane = "flow.space.paths";
constexpr const char* kSurfacesLane = "flow.space.surfaces";
constexpr const char* kEnergyLane = "flow.space.energy";
constexpr const char* kSectionLane = "flow.space.section";

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

SpaceResults::SpaceResults()
    : pathsChannel_(std::make_shared<Exchange<PathsPart>>()),
      surfacesChannel_(std::make_shared<Exchange<std::shared_ptr<const SpaceSurfaces>>>()),
      energyChannel_(std::make_shared<Exchange<EnergyPart>>()),
      sectionChannel_(std::make_shared<Exchange<std::shared_ptr<const SpaceSection>>>()) {}

void SpaceResults::update(const FlowState& flow, const SpaceState& space, ExhibitContext& context) {
  // Asked before anything is collected: when nothing runs, what was published is all there will be.
  idle_ = context.jobs.idle();
  updatePaths(flow, context);
  updateSurfaces(flow, space, context);
  updateEnergy(flow, space, context);
  updateSection(flow, space, context);
}

void SpaceResults::updatePaths(const FlowState& flow, ExhibitContext& context) {
  if (pathsChannel_->refresh()) {
    for (const auto& [index, done] : pathsChannel_->latest().entries) {
      if (index >= entries_.size() || !entries_[index].pending) continue;
      Entry& entry = entries_[index];
      if (sameChain(entry.chain, done.chain) && entry.at == done.at && entry.path == done.path &&
          entry.back == done.back)
        entry = done;
    }
    ++pathsRevision_;
  }
  if (idle_)  // a job may have been cancelled by hand
    for (Entry& entry : entries_)
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
  std::vector<std::pair<std::size_t, Entry>> work;
  for (const std::size_t index : order)
    work.emplace_back(index, entries_[index]);
  context.jobs.start(
      kPathsLane, tr("paths in space"),
      [channel = pathsChannel_, work = std::move(work), &pool = context.pool](JobContext& job) mutable {
        pool.parallelFor(0, work.size(), 4, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last && !job.cancelled(); ++i) {
            Entry& entry = work[i].second;
            entry.result = std::make_shared<SpacePoint>(followInSpace(entry.chain, entry.at, entry.path, entry.back));
            entry.pending = false;
          }
        });
        if (job.cancelled()) return Result<void>();
        channel->slot() = {std::move(work)};
        channel->publish();
        job.published();
        return Result<void>();
      });
}

void SpaceResults::updateSurfaces(const FlowState& flow, const SpaceState& space, ExhibitContext& context) {
  if (surfacesChannel_->refresh()) {
    surfaces_ = surfacesChannel_->latest();
    surfacesRun_ = false;
    ++surfacesRevision_;
  }
  if (idle_) surfacesRun_ = false;
  if (surfacesRun_ || (surfaces_ && sameChain(surfaces_->chain, flow.chain) && surfaces_->box == space.box)) return;
  surfacesRun_ = true;
  context.jobs.start(
      kSurfacesLane, tr("surfaces"),
      [channel = surfacesChannel_, chain = flow.chain, box = space.box, &pool = context.pool](JobContext& job) {
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
          channel->slot() = std::move(made);
          channel->publish();
          job.published();
          return Result<void>();
        }
        made->separatrix = meshOf(markov::unboundedSheet(chain, box, kCurveCells));
        for (const markov::AxisPlane& plane : markov::axisPlanes(chain, box, kFlatCells))
          (plane.kind == markov::LimitKind::LocalMin ? made->minima : made->maxima) = meshOf(plane.sheet);
        made->curves = markov::criticalCurves(chain, box);
        channel->slot() = std::move(made);
        channel->publish();
        job.published();
        return Result<void>();
      });
}

void SpaceResults::updateEnergy(const FlowState& flow, const SpaceState& space, ExhibitContext& context) {
  if (energyChannel_->refresh()) {
    energyOf_ = energyChannel_->latest().of;
    energy_ = energyChannel_->latest().mesh;
    energyRuns_ = false;
    ++surfacesRevision_;
  }
  if (idle_) energyRuns_ = false;
  const bool wanted = space.show.energy && flow.selected >= 0;
  if (!wanted) {
    if (energyOf_) ++surfacesRevision_;
    energyOf_.reset();
    energy_ = nullptr;
    return;
  }
  const EnergyRequest request{flow.chain, space.box, placeOf(flow.points[static_cast<std::size_t>(flow.selected)])};
  if (energyRuns_ || energyOf_ == request) return;
  energyRuns_ = true;
  context.jobs.start(
      kEnergyLane, tr("energy sheet"), [channel = energyChannel_, request, &pool = context.pool](JobContext& job) {
        channel->slot() = {
            request, coarse(meshOf(markov::energySheet(request.chain, request.at, request.box, kEnergyCells, &pool)))};
        channel->publish();
        job.published();
        return Result<void>();
      });
}

void SpaceResults::updateSection(const FlowState& flow, const SpaceState& space, ExhibitContext& context) {
  if (sectionChannel_->refresh()) {
    section_ = sectionChannel_->latest();
    if (sectionOf_ && section_->of == *sectionOf_ && section_->finished) sectionDone_ = true;
    ++sectionRevision_;
  }
  if (idle_) sectionDone_ = true;
  if (!space.slice) {
    if (!sectionDone_) context.jobs.cancel(kSectionLane);
    if (section_) ++sectionRevision_;
    section_.reset();
    sectionOf_.reset();
    sectionDone_ = true;
    return;
  }
  const SectionRequest request{flow.chain, space.box, space.section, space.basins, space.basins && space.integrate};
  if (sectionOf_ == request) return;
  // A coarse one comes within a frame or two and is shown; only what is beyond it is given up for the next.
  if (!sectionDone_ && section_ && sectionOf_ && !(section_->of == *sectionOf_)) return;
  sectionOf_ = request;
  sectionDone_ = false;
  context.jobs.start(kSectionLane, tr("section"),
                     [channel = sectionChannel_, request, &pool = context.pool](JobContext& job) {
                       for (const int side : {kCoarseSide, request.integrate ? kIntegratedSide : kSectionSide}) {
                         const bool coarse = side == kCoarseSide;
                         auto made = std::make_shared<SpaceSection>(
                             makeSection(request, side, pool, [&] { return !coarse && job.cancelled(); }));
                         if (!coarse && job.cancelled()) return Result<void>();
                         made->finished = !coarse;
                         channel->slot() = std::move(made);
                         channel->publish();
                         job.progress(coarse ? 0.1 : 1);
                         job.published();
                       }
                       return Result<void>();
                     });
}

}  // namespace sepx::ui

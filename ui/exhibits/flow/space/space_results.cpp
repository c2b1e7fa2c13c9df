// SPDX-License-Identifier: Apache-2.0
// Loss, labels and traces of a section (pure), and below them the lanes, which request stale results and take over
// finished ones.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numbers>
#include <optional>

#include "engine/markov/attention_basin.h"
#include "engine/markov/critical_sets3.h"
#include "engine/markov/flow_batch.h"
#include "engine/markov/unbounded_surface.h"
#include "engine/render/mesh_coarse.h"
#include "ui/exhibits/flow/shared/flow_limits.h"
#include "ui/exhibits/flow/space/space_axes.h"
#include "ui/exhibits/flow/space/space_results.h"
#include "ui/exhibits/flow/space/space_scene.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using markov::LimitKind;
using markov::Place3;

constexpr double kSaddleW = -1 / std::numbers::sqrt2;

class SectionMaker {
 public:
  SectionMaker(const SectionRequest& request, int side) : r_(request) {
    section_.of = request;
    section_.side = side;
  }

  SpaceSection make(ThreadPool& pool, const std::function<bool()>& cancelled) {
    shade(pool, cancelled);
    if (!r_.chain.degenerate()) {
      trace();
      if (r_.plane.axis == 0)
        crossE();
      else
        axisLines();
      stationary();
    } else {
      traceFlat();
    }
    return std::move(section_);
  }

 private:
  double low(std::size_t axis) const { return r_.box.low[axis]; }
  double high(std::size_t axis) const { return r_.box.high[axis]; }

  Place3 pixel(std::size_t column, std::size_t row) const {
    const std::size_t x = r_.plane.x(), y = r_.plane.y();
    const double side = section_.side;
    return r_.plane.place(low(x) + (static_cast<double>(column) + 0.5) * (high(x) - low(x)) / side,
                          high(y) - (static_cast<double>(row) + 0.5) * (high(y) - low(y)) / side);
  }

  void shade(ThreadPool& pool, const std::function<bool()>& cancelled) {
    const auto side = static_cast<std::size_t>(section_.side);
    const ColorScale scale(limitsOf(r_.chain));
    auto loss = std::make_shared<std::vector<float>>(side * side);
    auto labels = std::make_shared<std::vector<std::uint8_t>>(r_.basins ? side * side : 0);
    pool.parallelFor(0, side, 2, [&](std::size_t first, std::size_t last) {
      for (std::size_t row = first; row < last && !cancelled(); ++row)
        for (std::size_t column = 0; column < side; ++column) {
          const Place3 at = pixel(column, row);
          const double place = scale.place(markov::loss(r_.chain, markov::Model::EWA, markov::stateOf(at)));
          (*loss)[row * side + column] = static_cast<float>(std::clamp(place, -0.5, 1.5));
          if (!r_.basins) continue;
          const LimitKind kind = markov::basinLabel3(r_.chain, at[0], at[1], at[2]);
          (*labels)[row * side + column] = static_cast<std::uint8_t>(kind);
        }
    });
    section_.loss = std::move(loss);
    if (!r_.basins) return;
    if (r_.integrate) follow(*labels, pool, cancelled);
    section_.shares.assign(8, 0);
    for (const std::uint8_t label : *labels)
      section_.shares[std::min<std::size_t>(label, 7)] += 1.0 / static_cast<double>(labels->size());
    section_.labels = std::move(labels);
  }

  /// Replaces the label that theory gives to each pixel by that of integration, and counts the differences.
  void follow(std::vector<std::uint8_t>& labels, ThreadPool& pool, const std::function<bool()>& cancelled) {
    const auto side = static_cast<std::size_t>(section_.side);
    std::array<std::vector<double>, 3> starts;
    for (std::size_t i = 0; i < side * side; ++i) {
      const Place3 at = pixel(i % side, i / side);
      for (std::size_t k = 0; k < 3; ++k)
        starts[k].push_back(at[k]);
    }
    const markov::FlowBatch batch =
        markov::flowBatch(r_.chain, markov::Model::EWA, {starts[0], starts[1], starts[2]}, {}, pool, cancelled);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto label = static_cast<std::uint8_t>(batch.label[i]);
      section_.disagreements += label != labels[i];
      labels[i] = label;
    }
  }

  /// p + q = 1: S* = 0, and the minima are where S = 0 (updateSurfaces() makes the same sheets).
  void traceFlat() {
    constexpr int kSectionCells = 96;
    for (const markov::Level3& level : markov::flatMinima())
      for (markov::SectionLine& line : traceOf(level, r_.plane, r_.box, kSectionCells))
        section_.thetaStar.push_back(std::move(line));
    if (r_.plane.axis == 0 || low(0) > 0 || high(0) < 0) return;
    const std::size_t y = r_.plane.y();
    section_.minima.push_back({{0, low(y)}, {0, high(y)}});
  }

  void trace() {
    constexpr int kSectionCells = 96;
    section_.thetaStar = traceOf(markov::thetaStarLevel(r_.chain), r_.plane, r_.box, kSectionCells);
    if (r_.chain.switching() <= 0 || high(1) <= 0) return;
    if (r_.plane.axis == 1) {
      if (r_.plane.at < 0) return;
      for (const std::vector<Place3>& curve : markov::unboundedCurves(r_.box, kSectionCells)) {
        markov::SectionLine line;
        for (const Place3& at : curve)
          line.push_back({at[0], at[2]});
        section_.separatrix.push_back(std::move(line));
      }
      return;
    }
    // Lines along w, because the surface is the same for every w >= 0.
    const double from = std::max(low(1), 0.0);
    if (r_.plane.axis == 2) {
      const double e = markov::unboundedSurfaceE(r_.plane.at);
      for (const double sign : {1.0, -1.0})
        if (sign * e >= low(0) && sign * e <= high(0))
          section_.separatrix.push_back({{sign * e, from}, {sign * e, high(1)}});
      return;
    }
    if (const auto a = heightAt(std::abs(r_.plane.at))) section_.separatrix.push_back({{from, *a}, {high(1), *a}});
  }

  /// a of the unbounded surface at |e|, inside the box.
  std::optional<double> heightAt(double e) const {
    double below = low(2), above = high(2);
    if (!(markov::unboundedSurfaceE(below) <= e && markov::unboundedSurfaceE(above) >= e)) return std::nullopt;
    for (int i = 0; i < 50; ++i) {
      const double middle = 0.5 * (below + above);
      (markov::unboundedSurfaceE(middle) < e ? below : above) = middle;
    }
    return below;
  }

  /// The section at e = 0 is the plane of minima and maxima itself, so only the line of saddles is drawn.
  void crossE() {
    if (r_.plane.at != 0) return;
    if (kSaddleW >= low(1) && kSaddleW <= high(1))
      section_.saddleLines.push_back({{kSaddleW, low(2)}, {kSaddleW, high(2)}});
  }

  void axisLines() {
    if (low(0) > 0 || high(0) < 0) return;
    const bool above = r_.chain.switching() > 0;
    if (r_.plane.axis == 1) {
      const bool minima = (r_.plane.at > kSaddleW) == above;
      if (r_.plane.at == kSaddleW)
        section_.saddleLines.push_back({{0, low(2)}, {0, high(2)}});
      else
        (minima ? section_.minima : section_.maxima).push_back({{0, low(2)}, {0, high(2)}});
      return;
    }
    const double split = std::clamp(kSaddleW, low(1), high(1));
    if (split < high(1)) (above ? section_.minima : section_.maxima).push_back({{0, split}, {0, high(1)}});
    if (split > low(1)) (above ? section_.maxima : section_.minima).push_back({{0, low(1)}, {0, split}});
    if (split == kSaddleW) section_.saddles.push_back({0, kSaddleW});
  }

  void stationary() {
    for (const markov::Curve3& curve : markov::criticalCurves(r_.chain, r_.box)) {
      if (curve.set != markov::Curve3::Set::Station) continue;
      if (r_.plane.axis != 1) {
        for (const markov::SectionPoint& point : crossings(curve.points, r_.plane))
          section_.stationary.push_back(point);
      } else if (std::abs(r_.plane.at - kSaddleW) < 1e-9) {
        markov::SectionLine line;
        for (const Place3& point : curve.points)
          line.push_back({point[0], point[2]});
        section_.stationaryLines.push_back(std::move(line));
      }
    }
  }

  const SectionRequest& r_;
  SpaceSection section_;
};

}  // namespace

SpaceSection makeSection(const SectionRequest& request, int side, ThreadPool& pool,
                         const std::function<bool()>& cancelled) {
  return SectionMaker(request, side).make(pool, cancelled);
}

namespace {

constexpr std::size_t kMostPaths = 300;       // more tubes cannot be distinguished
constexpr std::size_t kMostTriangles = 8000;  // per sheet: a frame costs about 1 us per triangle on a CPU
constexpr int kFlatCells = 24, kCells = 56, kEnergyCells = 40, kCurveCells = 64, kCoarseSide = 32, kIntegratedSide = 96,
              kSectionSide = 160;

/// A revision that is unique in the process, because a renderer caches meshes by revision, whichever pane made them.
std::uint64_t nextMesh() {
  static std::atomic<std::uint64_t> counter{0};
  return ++counter;
}

/// The mesh with fewer triangles, without the slivers that marching leaves.
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
      [](const PointWork& work) {  // only its position
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
  // A coarse section comes within a frame or two and is shown. Only its finer version is cancelled by the next one.
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

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "engine/core/thread_pool.h"
#include "engine/markov/critical_sets3.h"
#include "engine/markov/energy.h"
#include "engine/markov/flow.h"
#include "engine/markov/invariants3.h"
#include "engine/markov/sections3.h"
#include "engine/markov/unbounded_surface.h"
#include "tests/engine/markov/fixtures.h"

using namespace sepx::markov;
using sepx::markov::test::state;

namespace {

void checkSheet(const Sheet3& sheet, const Box3& box) {
  REQUIRE(sheet.normals.size() == sheet.points.size());
  REQUIRE(sheet.values.size() == sheet.points.size());
  for (std::size_t i = 0; i < sheet.points.size(); ++i) {
    REQUIRE(box.contains(sheet.points[i]));
    const Place3& n = sheet.normals[i];
    REQUIRE(std::abs(std::hypot(n[0], n[1], n[2]) - 1) < 1e-12);
    REQUIRE(std::isfinite(sheet.values[i]));
  }
  for (const auto& triangle : sheet.triangles)
    for (const std::uint32_t corner : triangle)
      REQUIRE(corner < sheet.points.size());
}

const Box3 kBoxes[] = {{}, {{-3, -1.5, -4}, {3, 1.5, 1}}, {{0.2, -2, -3}, {2, -0.1, 3}}};

}  // namespace

TEST_CASE("On Theta* of (e,w,a) the loss is the entropy rate and the gradient vanishes at every vertex") {
  for (const Chain& chain : {Chain{0.5, 0.8}, Chain{0.2, 0.3}, Chain{0.5, 0.501}})
    for (const Box3& box : kBoxes) {
      INFO("p " << chain.p << " q " << chain.q << " box from " << box.low[0]);
      const Sheet3 sheet = thetaStarSheet(chain, box, 24);
      checkSheet(sheet, box);
      if (box == Box3{}) REQUIRE(sheet.triangles.size() > 500);
      for (std::size_t i = 0; i < sheet.points.size(); i += 7) {
        const Evaluation at = evaluate(chain, Model::EWA, stateOf(sheet.points[i]));
        REQUIRE(std::abs(at.loss - chain.entropyRate()) < 1e-12);
        REQUIRE(at.gradient.cwiseAbs().maxCoeff() < 1e-10);
      }
    }
  CHECK(thetaStarSheet(Chain{0.4, 0.6}, {}, 24).empty());
  CHECK(thetaStarSheet(Chain{0.4, 0.7}, {{1, 1, 1}, {0, 2, 2}}, 24).empty());
}

TEST_CASE("A surface is closed inside the box: every edge that is not on the border of the box has two triangles") {
  const Box3 box;
  const Sheet3 sheet = thetaStarSheet(Chain{0.5, 0.8}, box, 20);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const auto& t : sheet.triangles)
    for (int k = 0; k < 3; ++k)
      ++edges[std::minmax({t[static_cast<std::size_t>(k)], t[static_cast<std::size_t>((k + 1) % 3)]})];
  const auto onBorder = [&](std::uint32_t i) {
    for (std::size_t k = 0; k < 3; ++k)
      if (sheet.points[i][k] == box.low[k] || sheet.points[i][k] == box.high[k]) return true;
    return false;
  };
  std::size_t open = 0;
  for (const auto& [edge, count] : edges)
    if (count == 1 && !(onBorder(edge.first) && onBorder(edge.second))) ++open;
  CHECK(open == 0);
}

TEST_CASE("A sheet does not depend on the thread pool") {
  sepx::ThreadPool pool(3);
  const Sheet3 alone = thetaStarSheet(Chain{0.5, 0.8}, {}, 16),
               together = thetaStarSheet(Chain{0.5, 0.8}, {}, 16, &pool);
  CHECK(alone.points == together.points);
  CHECK(alone.triangles == together.triangles);
}

TEST_CASE("The energy sheet keeps the energy of its point and its side of w = 0") {
  const Chain chain{0.5, 0.8};
  for (const Place3& through :
       {Place3{0.9, 0.4, -0.3}, Place3{0.5, -0.6, 0.7}, Place3{1.2, -1.1, 0}, Place3{0.3, 1e-9, 0}}) {
    const Sheet3 sheet = energySheet(chain, through, {}, 24);
    checkSheet(sheet, {});
    REQUIRE_FALSE(sheet.empty());
    const double E0 = *energy(Model::EWA, stateOf(through));
    for (const Place3& point : sheet.points) {
      REQUIRE(point[1] * through[1] >= 0);
      if (std::abs(point[1]) > 1e-3)
        REQUIRE(std::abs(*energy(Model::EWA, stateOf(point)) - E0) < 1e-9 * (1 + std::abs(E0)));
    }
  }
  CHECK(energySheet(chain, {0.5, 0, 0.2}, {}, 24).empty());
}

TEST_CASE("The plane e = 0 and the curves are critical, with the kinds of the corrected Theorem 10") {
  const Box3 box;
  for (const Chain& chain : {Chain{0.5, 0.8}, Chain{0.2, 0.3}}) {
    const auto planes = axisPlanes(chain, box, 6);
    REQUIRE(planes.size() == 2);
    for (const AxisPlane& plane : planes) {
      checkSheet(plane.sheet, box);
      for (const Place3& point : plane.sheet.points) {
        const Evaluation at = evaluate(chain, Model::EWA, stateOf(point));
        CHECK(at.gradient.cwiseAbs().maxCoeff() == 0);
        CHECK(std::abs(at.loss - chain.marginalEntropy()) < 1e-14);
        const double curvature = at.hessian(0, 0);
        if (std::abs(point[1] + std::sqrt(0.5)) > 1e-9) CHECK((curvature > 0) == (plane.kind == LimitKind::LocalMin));
      }
    }
    const auto curves = criticalCurves(chain, box);
    REQUIRE(curves.size() == 3);
    for (const Curve3& curve : curves)
      for (const Place3& point : curve.points) {
        CHECK(point[0] >= box.low[0] - 1e-12);
        CHECK(point[2] >= box.low[2] - 1e-12);
        const Evaluation at = evaluate(chain, Model::EWA, stateOf(point));
        CHECK(at.gradient.cwiseAbs().maxCoeff() < 1e-12);
        CHECK(std::abs(at.loss - chain.marginalEntropy()) < 1e-12);
        if (curve.set != Curve3::Set::Station) continue;
        const State values = hessianEigenvalues(at.hessian);
        CHECK(values[0] < -1e-3);
        CHECK(std::abs(values[1]) < 1e-12);
        CHECK(values[2] > 1e-3);
      }
  }
  CHECK(axisPlanes(Chain{0.4, 0.6}, box, 6).empty());
  CHECK(criticalCurves(Chain{0.4, 0.6}, box).empty());
  // Remark l2g-3.
  const State values =
      hessianEigenvalues(evaluate(Chain{0.2, 0.3}, Model::EWA, state({0.9, -std::sqrt(0.5), -1 / 0.81})).hessian);
  CHECK(std::abs(values[0] + 0.650) < 5e-4);
  CHECK(std::abs(values[2] - 0.650) < 5e-4);
}

TEST_CASE("The unbounded surface contains known points, has the right asymptote and separates the basins") {
  CHECK(std::abs(unboundedSurfaceE(0) - 1.27170) < 5e-6);
  CHECK(std::abs(unboundedSurfaceE(-1) - 0.689443330325249) < 1e-14);
  // 2|a|e^2 -> 1 (erratum 1).
  for (const double a : {-10.0, -1e3, -1e6, -1e12}) {
    const double e = unboundedSurfaceE(a);
    CHECK(std::abs(2 * std::abs(a) * e * e - 1) < 1 / std::abs(a));
  }
  double before = 0;
  for (double a = -20; a <= 20; a += 0.25) {
    const double e = unboundedSurfaceE(a);
    CHECK(e > before);
    before = e;
    CHECK(sideOfUnboundedSurface(state({e * (1 + 1e-6), 0.3, a})) == 1);
    CHECK(sideOfUnboundedSurface(state({e * (1 - 1e-6), 0.3, a})) == -1);
  }
  const Chain chain{0.5, 0.8};
  for (const Box3& box : kBoxes) {
    const Sheet3 sheet = unboundedSheet(chain, box, 24);
    checkSheet(sheet, box);
    CHECK(sheet.empty() == (box.high[1] <= 0));
    for (const Place3& point : sheet.points) {
      REQUIRE(point[1] >= 0);
      REQUIRE(std::abs(point[0]) == Approx(unboundedSurfaceE(point[2])));
    }
  }
  CHECK(unboundedSheet(Chain{0.2, 0.3}, {}, 24).empty());
  for (const double a : {-1.5, -0.4, 0.3, 0.8})
    for (const double w : {0.0, 0.7}) {
      const double e = unboundedSurfaceE(a);
      const auto inside = flowFrom(chain, Model::EWA, state({e - 1e-5, w, a}));
      const auto outside = flowFrom(chain, Model::EWA, state({-e - 1e-5, w, a}));
      INFO("a " << a << " w " << w);
      CHECK(inside->label == LimitKind::LocalMin);
      CHECK(outside->label == LimitKind::GlobalMin);
    }
}

TEST_CASE("Gradients of level functions are normal to their surfaces") {
  const Chain chain{0.5, 0.8};
  const auto check = [](const Level3& level, const Place3& at) {
    const Place3 g = level.gradient(at);
    for (std::size_t i = 0; i < 3; ++i) {
      Place3 up = at, down = at;
      const double h = 1e-5;
      up[i] += h;
      down[i] -= h;
      CHECK(g[i] == Approx((level.f(up) - level.f(down)) / (2 * h)).margin(1e-6));
    }
  };
  for (const Place3& at : {Place3{0.9, 0.4, -0.3}, Place3{-0.7, -0.6, 0.7}}) {
    check(thetaStarLevel(chain), at);
    check(energyLevel(chain, at), at);
  }
  const double e = unboundedSurfaceE(-0.4);
  check(unboundedLevel(chain), {e, 0.5, -0.4});
  check(unboundedLevel(chain), {-e, 0.5, -0.4});
}

TEST_CASE("A path conserves both invariants") {
  const auto path = flowFrom({0.5, 0.8}, Model::EWA, state({1.1, -0.6, 0.3}))->path;
  const Drift3 drift = driftOf(path);
  REQUIRE(drift.energy);
  CHECK(*drift.energy < 1e-8);
  CHECK(drift.angle < 1e-8);
  Path bent = path;
  bent.theta.back()[2] += 0.01;
  CHECK(driftOf(bent).angle > 1e-4);
  CHECK(*driftOf(bent).energy > 1e-4);
  CHECK_FALSE(driftOf(flowFrom({0.5, 0.8}, Model::EWA, state({1.1, 0, 0.3}))->path).energy);
}

TEST_CASE("Section traces lie on their surface and in the plane and are connected") {
  const Chain chain{0.5, 0.8};
  const Box3 box;
  for (int axis = 0; axis < 3; ++axis) {
    const SectionPlane plane{axis, axis == 0 ? 1.1 : axis == 1 ? -1.2 : -0.5};
    const auto traces = traceOf(thetaStarLevel(chain), plane, box, 64);
    REQUIRE_FALSE(traces.empty());
    CHECK(traces.size() <= 4);
    for (const SectionLine& line : traces)
      for (std::size_t i = 0; i < line.size(); ++i) {
        const Place3 at = plane.place(line[i].x, line[i].y);
        CHECK(at[plane.across()] == plane.at);
        CHECK(std::abs(reducedS(Model::EWA, stateOf(at)) - chain.S_star()) < 1e-9);
        if (i > 0) CHECK(std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y) < 0.1);
      }
  }
  CHECK(traceOf(thetaStarLevel(chain), {2, 5}, box).empty());
  const auto cut = crossings({{0, 0, 0}, {1, 2, 1}, {2, 2, 0.5}, {2, 2, -1}}, {2, 0.75});
  REQUIRE(cut.size() == 2);
  CHECK(cut[0].x == Approx(0.75));
  CHECK(cut[0].y == Approx(1.5));
  CHECK(cut[1].x == Approx(1.5));
}

// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "engine/markov/basin.h"
#include "engine/markov/critical_sets.h"
#include "engine/markov/energy.h"
#include "tests/engine/markov/fixtures.h"

using namespace sepx::markov;
using sepx::markov::test::state;

namespace {

struct Box {
  double eMin, eMax, wMin, wMax;
};

void checkCurve(const Curve& curve, const Box& box, int samples) {
  REQUIRE(curve.points.size() >= 2);
  CHECK(curve.points.size() <= static_cast<std::size_t>(samples));
  const double width = box.eMax - box.eMin, height = box.wMax - box.wMin;
  double bend = 0;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const PlanePoint& p = curve.points[i];
    REQUIRE(std::isfinite(p.e));
    REQUIRE(std::isfinite(p.w));
    CHECK(p.e >= box.eMin - 1e-9 * width);
    CHECK(p.e <= box.eMax + 1e-9 * width);
    CHECK(p.w >= box.wMin - 1e-9 * height);
    CHECK(p.w <= box.wMax + 1e-9 * height);
    if (i < 2) continue;
    const PlanePoint &a = curve.points[i - 2], &b = curve.points[i - 1];
    const double x1 = (b.e - a.e) / width, y1 = (b.w - a.w) / height, x2 = (p.e - b.e) / width,
                 y2 = (p.w - b.w) / height;
    const double length = std::min(std::hypot(x1, y1), std::hypot(x2, y2));
    if (length > 0.01) bend = std::max(bend, std::abs(std::atan2(x1 * y2 - y1 * x2, x1 * x2 + y1 * y2)));
  }
  CHECK(bend < 0.2);
}

}  // namespace

TEST_CASE("The sets of Theorem 1 and the separatrix are correct in any window") {
  const Box boxes[] = {
      {-2, 2, -2, 2}, {-0.1, 3, -0.8, 0.2}, {0.4, 0.6, -1.4, -1}, {-50, 50, -50, 50}, {-1e6, 1e6, -1e6, 1e6}};
  for (const Chain& chain : {Chain{0.5, 0.8}, Chain{0.2, 0.3}, Chain{0.9, 0.8}, Chain{0.5, 0.501}, Chain{0.05, 0.01}})
    for (const Box& box : boxes) {
      INFO("p " << chain.p << " q " << chain.q << " window " << box.eMin << " " << box.eMax << " " << box.wMin << " "
                << box.wMax);
      const CriticalSets sets = criticalSets(chain, box.eMin, box.eMax, box.wMin, box.wMax);
      CHECK(sets.saddle.e == 0);
      CHECK(sets.saddle.w == Approx(-std::sqrt(0.5)));
      for (const Curve& curve : sets.curves) {
        if (curve.kind == LimitKind::GlobalMin) {
          checkCurve(curve, box, 256);
          for (const PlanePoint& p : curve.points) {
            // S loses accuracy as w approaches the saddle's row.
            const double S = reducedS(Model::EW, state({p.e, p.w}));
            CHECK(std::abs(S - chain.S_star()) < 1e-9 * (1 + p.e * p.e));
          }
        } else {
          REQUIRE(curve.points.size() == 2);
          CHECK(curve.points[0].e == 0);
          const double middle = 0.5 * (curve.points[0].w + curve.points[1].w);
          CHECK(curve.kind == basinLabel(chain, 0, middle));
        }
      }
      for (const Curve& curve : sets.separatrix) {
        CHECK(curve.kind == LimitKind::Saddle);
        checkCurve(curve, box, 256);
        for (const PlanePoint& p : curve.points)
          if (std::abs(p.w) > 1e-300)  // at large e the curve is w = 0 to the last digit
            CHECK(std::abs(p.e * p.e - separatrixSquared(p.w)) < 1e-9 * (1 + p.e * p.e));
      }
    }
}

TEST_CASE("A window around the saddle shows two mirrored branches of each curve") {
  for (const Chain& chain : {Chain{0.5, 0.8}, Chain{0.2, 0.3}}) {
    const CriticalSets sets = criticalSets(chain, -2, 2, -2, 2);
    REQUIRE(sets.separatrix.size() == 2);
    for (const Curve& branch : sets.separatrix) {
      CHECK(branch.points.front().e == Approx(0).margin(1e-12));
      CHECK(branch.points.front().w == Approx(-std::sqrt(0.5)));
      for (const PlanePoint& p : branch.points)
        if (p.e != 0) CHECK(basinLabel(chain, p.e, p.w) != LimitKind::LocalMax);
    }
    CHECK(sets.separatrix[0].points.back().e == -sets.separatrix[1].points.back().e);
    std::multiset<LimitKind> kinds;
    for (const Curve& curve : sets.curves)
      kinds.insert(curve.kind);
    CHECK(kinds.count(LimitKind::GlobalMin) == 2);
    CHECK(kinds.count(LimitKind::LocalMin) == 1);
    CHECK(kinds.count(LimitKind::LocalMax) == 1);
  }
}

TEST_CASE("Degenerate chains, invalid windows and windows beside the sets give no curves") {
  CHECK(criticalSets(Chain{0.4, 0.6}, -1, 1, -1, 1).curves.empty());
  CHECK(criticalSets(Chain{0.4, 0.6}, -1, 1, -1, 1).separatrix.empty());
  CHECK(criticalSets(Chain{0.5, 0.8}, 1, 1, -1, 1).curves.empty());
  CHECK(criticalSets(Chain{0.5, 0.8}, 1, -1, -1, 1).curves.empty());
  CHECK(criticalSets(Chain{0.5, 0.8}, std::nan(""), 1, -1, 1).curves.empty());
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(criticalSets(Chain{0.5, 0.8}, -inf, inf, -1, 1).curves.empty());
  const CriticalSets aside = criticalSets(Chain{0.5, 0.8}, 0.1, 0.2, 3, 4);
  CHECK(aside.curves.empty());
  CHECK(aside.separatrix.empty());
}

TEST_CASE("The number of samples limits the number of points") {
  for (const int samples : {2, 3, 10, 40})
    for (const auto& curves : {criticalSets(Chain{0.5, 0.8}, -2, 2, -2, 2, samples).separatrix,
                               criticalSets(Chain{0.5, 0.8}, -2, 2, -2, 2, samples).curves})
      for (const Curve& curve : curves)
        CHECK(curve.points.size() <= static_cast<std::size_t>(samples));
}

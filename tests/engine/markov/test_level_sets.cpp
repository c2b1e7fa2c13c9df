// SPDX-License-Identifier: Apache-2.0
// Contour points have the energy of the contour. Crossings lie on the profile, and Lemma 12 gives their number.
#include <limits>

#include "engine/markov/energy.h"
#include "engine/markov/level_sets.h"
#include "tests/engine/markov/fixtures.h"

using namespace sepx::markov;
using sepx::markov::test::state;

TEST_CASE("Every point of a contour has its energy and lies in the window") {
  struct Box {
    double eMin, eMax, wMin, wMax;
  };
  for (const Box& box : {Box{-2, 2, -2, 2}, Box{-0.5, 3, -1, 0.5}, Box{0.2, 0.4, -1.3, -0.9}, Box{-40, 40, -40, 40}})
    for (const double E :
         {-30.0, -3.0, saddleEnergy() - 1e-6, saddleEnergy(), saddleEnergy() + 1e-6, -0.2, 0.0, 1.5, 9.0}) {
      INFO("E " << E << " in " << box.eMin << " " << box.wMin);
      for (const auto& piece : energyContour(E, box.eMin, box.eMax, box.wMin, box.wMax)) {
        REQUIRE(piece.size() >= 2);
        for (const PlanePoint& p : piece) {
          REQUIRE(p.e >= box.eMin - 1e-9);
          REQUIRE(p.e <= box.eMax + 1e-9);
          REQUIRE(p.w >= box.wMin - 1e-9);
          REQUIRE(p.w <= box.wMax + 1e-9);
          if (std::abs(p.w) < 1e-300) continue;
          CHECK(std::abs(*energy(Model::EW, state({p.e, p.w})) - E) < 1e-9 * (1 + std::abs(E) + p.w * p.w));
        }
      }
    }
}

TEST_CASE("A contour through a point passes through that point") {
  for (const auto& [e, w] : {std::pair{0.4, 0.3}, {-1.2, 0.9}, {0.3, -0.4}, {1.1, -1.0}, {0.2, -1.6}}) {
    const double E = *energy(Model::EW, state({e, w}));
    double nearest = 1;
    for (const auto& piece : energyContour(E, -2, 2, -2, 2, 2000))
      for (std::size_t i = 1; i < piece.size(); ++i) {
        // The distance to the segment.
        const double dx = piece[i].e - piece[i - 1].e, dy = piece[i].w - piece[i - 1].w;
        const double along =
            ((e - piece[i - 1].e) * dx + (w - piece[i - 1].w) * dy) / std::max(dx * dx + dy * dy, 1e-300);
        const double t = std::min(1.0, std::max(0.0, along));
        nearest = std::min(nearest, std::hypot(piece[i - 1].e + t * dx - e, piece[i - 1].w + t * dy - w));
      }
    INFO(e << " " << w);
    CHECK(nearest < 1e-3);
  }
}

TEST_CASE("The profile meets a level as often as Lemma 12 states") {
  struct Case {
    double E;
    std::size_t negative;
  };
  for (const Case& one : {Case{-50, 2},
                          {-2, 2},
                          {saddleEnergy() - 1e-9, 2},
                          {saddleEnergy(), 1},
                          {saddleEnergy() + 1e-9, 0},
                          {0, 0},
                          {3, 0}}) {
    const std::vector<double> crossings = axisCrossings(one.E);
    INFO("E " << one.E);
    REQUIRE(crossings.size() == one.negative + 1);
    CHECK(std::is_sorted(crossings.begin(), crossings.end()));
    CHECK(crossings.back() > 0);
    for (const double w : crossings)
      CHECK(std::abs(axisEnergy(w) - one.E) < 1e-12 * (1 + std::abs(one.E)) + 1e-12 * w * w);
    if (one.negative == 2) {
      CHECK(crossings[0] < -std::sqrt(0.5));
      CHECK(crossings[1] > -std::sqrt(0.5));
      CHECK(crossings[1] < 0);
    }
  }
}

TEST_CASE("Levels are evenly spaced and limited in number, and invalid windows have none") {
  const std::vector<double> levels = energyLevels(-2, 2, 2, 0.05, 12);
  REQUIRE(levels.size() >= 4);
  CHECK(levels.size() <= 12);
  for (std::size_t i = 2; i < levels.size(); ++i)
    CHECK(levels[i] - levels[i - 1] == Approx(levels[1] - levels[0]).epsilon(1e-9));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(energyLevels(2, -2, 2, 0.05, 12).empty());
  CHECK(energyLevels(-2, 2, 2, 0, 12).empty());
  CHECK(energyLevels(nan, 2, 2, 0.1, 12).empty());
  CHECK(energyContour(nan, -1, 1, -1, 1).empty());
  CHECK(energyContour(0, 1, -1, -1, 1).empty());
  CHECK(axisCrossings(nan).empty());
  CHECK(std::isnan(axisEnergy(0)));
  for (const double E : {1e6, -1e6, 1e300, -1e300})
    for (const auto& piece : energyContour(E, -2, 2, -2, 2))
      for (const PlanePoint& p : piece) {
        CHECK(std::isfinite(p.e));
        CHECK(std::isfinite(p.w));
      }
}

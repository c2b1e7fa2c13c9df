// SPDX-License-Identifier: Apache-2.0
// Basins and limits in closed form: special points, and agreement with integration.
#include "engine/core/random.h"
#include "engine/markov/basin.h"
#include "engine/markov/energy.h"
#include "engine/markov/flow.h"
#include "engine/markov/gaussian.h"
#include "tests/engine/markov/fixtures.h"

using namespace sepx::markov;
using sepx::markov::test::state;

namespace {

const Chain kAbove{0.5, 0.8}, kBelow{0.2, 0.3};

}  // namespace

TEST_CASE("The names of limits and statuses are fixed") {
  CHECK(limitName(LimitKind::GlobalMin) == "global-min");
  CHECK(limitName(LimitKind::LocalMin) == "local-min");
  CHECK(limitName(LimitKind::Saddle) == "saddle");
  CHECK(limitName(LimitKind::LocalMax) == "local-max");
  CHECK(limitName(LimitKind::Undecided) == "undecided");
  CHECK(statusName(FlowStatus::Reached) == "reached");
  CHECK(statusName(FlowStatus::OnSeparatrix) == "on-separatrix");
  CHECK(statusName(FlowStatus::Unbounded) == "unbounded");
  CHECK(statusName(FlowStatus::TimeLimit) == "time-limit");
  CHECK(statusName(FlowStatus::Degenerate) == "degenerate");
}

TEST_CASE("Labels are correct on the axes, at the saddle and on the separatrix") {
  CHECK(basinLabel(kAbove, 0, 0.3) == LimitKind::LocalMin);
  CHECK(basinLabel(kAbove, 0, -0.3) == LimitKind::LocalMin);
  CHECK(basinLabel(kAbove, 0, -0.9) == LimitKind::LocalMax);
  CHECK(basinLabel(kBelow, 0, 0.3) == LimitKind::LocalMax);
  CHECK(basinLabel(kBelow, 0, -0.9) == LimitKind::LocalMin);
  CHECK(basinLabel(kAbove, 0.5, 0) == LimitKind::LocalMin);
  CHECK(basinLabel(kBelow, 0.5, 0) == LimitKind::GlobalMin);
  for (const Chain& chain : {kAbove, kBelow}) {
    CHECK(basinLabel(chain, 0, sepx::markov::kSaddleW) == LimitKind::Saddle);
    CHECK(basinLabel(chain, 0.1, sepx::markov::kSaddleW) == LimitKind::GlobalMin);
  }
  for (const double w : {-1e-200, -1e-9, -0.01, -0.3, -0.7, -0.7071}) {
    INFO(w);
    const double g = std::sqrt(separatrixSquared(w));
    CHECK(basinLabel(kAbove, g, w) == LimitKind::Saddle);
    CHECK(basinLabel(kAbove, -g, w) == LimitKind::Saddle);
    CHECK(basinLabel(kAbove, g * (1 + 1e-9), w) == LimitKind::GlobalMin);
    CHECK(basinLabel(kAbove, g * (1 - 1e-9), w) == LimitKind::LocalMin);
    CHECK(basinLabel(kBelow, g, w) == LimitKind::GlobalMin);
  }
  for (const double w : {-0.7072, -0.75, -1.3, -10.0, -1e6}) {
    INFO(w);
    const double g = std::sqrt(separatrixSquared(w));
    CHECK(basinLabel(kBelow, g, w) == LimitKind::Saddle);
    CHECK(basinLabel(kBelow, g * (1 + 1e-9), w) == LimitKind::GlobalMin);
    CHECK(basinLabel(kBelow, g * (1 - 1e-9), w) == LimitKind::LocalMin);
    CHECK(basinLabel(kAbove, g, w) == LimitKind::GlobalMin);
  }
}

TEST_CASE("A point without a basin has no label") {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  CHECK(basinLabel(Chain{0.4, 0.6}, 0.5, 0.5) == LimitKind::Undecided);
  CHECK_FALSE(exactLimit(Chain{0.4, 0.6}, 0.5, 0.5).has_value());
  CHECK(basinLabel(kAbove, nan, 0.5) == LimitKind::Undecided);
  CHECK(basinLabel(kAbove, 0.5, -inf) == LimitKind::Undecided);
  CHECK_FALSE(exactLimit(kAbove, nan, 0).has_value());
}

TEST_CASE("Labels depend on neither the sign of e nor more of the chain than the sign of p + q - 1") {
  sepx::RandomStream random(21);
  for (int i = 0; i < 2000; ++i) {
    const double e = 2 * random.normal(), w = 2 * random.normal();
    const Chain chain{random.uniform(0.02, 0.98), random.uniform(0.02, 0.98)};
    const LimitKind label = basinLabel(chain, e, w);
    CHECK(label == basinLabel(chain, -e, w));
    CHECK(label == basinLabel(chain.switching() > 0 ? kAbove : kBelow, e, w));
    // The common region of Theorems 2 and 8.
    if (w < 0 && sideOfSeparatrix(e, w) > 0) CHECK(label == LimitKind::GlobalMin);
  }
}

TEST_CASE("A limit lies on its orbit and on its critical set") {
  sepx::RandomStream random(22);
  for (int i = 0; i < 2000; ++i) {
    const double e = 1.5 * random.normal(), w = 1.5 * random.normal();
    const Chain chain{random.uniform(0.05, 0.95), random.uniform(0.05, 0.95)};
    INFO("p " << chain.p << " q " << chain.q << " e " << e << " w " << w);
    const auto limit = exactLimit(chain, e, w);
    REQUIRE(limit.has_value());
    const auto before = energy(Model::EW, state({e, w})), after = energy(Model::EW, limit->theta);
    REQUIRE(after.has_value());
    CHECK(std::abs(*after - *before) < 1e-11 * (1 + std::abs(*before) + e * e + w * w));
    CHECK(limit->theta[1] * w > 0);
    if (limit->kind == LimitKind::GlobalMin) {
      CHECK(limit->theta[0] * e > 0);
      CHECK(std::abs(reducedS(Model::EW, limit->theta) - chain.S_star()) < 1e-10 * (1 + std::abs(chain.S_star())));
      CHECK(limit->loss == chain.entropyRate());
    } else {
      CHECK(limit->theta[0] == 0);
      CHECK(limit->loss == chain.marginalEntropy());
    }
  }
}

TEST_CASE("Far and tiny points have finite limits") {
  for (const Chain& chain : {kAbove, kBelow})
    for (const double e : {1e6, -1e6, 1e-200, 0.5, 0.0})
      for (const double w : {1e6, -1e6, 1e-200, -1e-200, 0.0, 0.5, -0.5, -2.0}) {
        INFO(e << " " << w << " " << chain.p);
        const auto limit = exactLimit(chain, e, w);
        REQUIRE(limit.has_value());
        CHECK(limit->theta.allFinite());
        CHECK(std::isfinite(limit->loss));
      }
  CHECK(basinLabel(kAbove, 1e200, -0.5) == LimitKind::GlobalMin);
  CHECK(basinLabel(kBelow, 1e200, -1e250) == LimitKind::LocalMin);
}

TEST_CASE("Theory and integration give the same limit") {
  sepx::RandomStream random(23);
  for (int i = 0; i < 300; ++i) {
    const double e = 1.2 * random.normal(), w = 1.2 * random.normal();
    const Chain chain{random.uniform(0.1, 0.9), random.uniform(0.1, 0.9)};
    if (std::abs(chain.switching()) < 0.02) continue;
    INFO("p " << chain.p << " q " << chain.q << " e " << e << " w " << w);
    // (e, w, 0) does not stay close to the plane, so the plane itself is integrated with the true flow.
    const auto end = flowAt(chain, Model::EW, state({e, w}), {3000 / std::abs(chain.switching())});
    REQUIRE(end.has_value());
    const auto limit = exactLimit(chain, e, w);
    REQUIRE(limit.has_value());
    const double close = std::abs(std::abs(e) - std::sqrt(w < 0 ? separatrixSquared(w) : 0)) < 1e-3 ? 0.1 : 1e-6;
    CHECK((end->theta[0] - limit->theta).norm() < close);
  }
}

TEST_CASE("The exact map contains the labels of its pixels") {
  sepx::ThreadPool one(1), three(3);
  const sepx::dynamics::BasinWindow window{-2, 1.5, -1.7, 2, 31, 17};
  const auto map = exactBasinMap(kAbove, window, one);
  CHECK(map.labels == exactBasinMap(kAbove, window, three).labels);
  for (int row = 0; row < window.height; ++row)
    for (int column = 0; column < window.width; ++column)
      CHECK(map.labels[static_cast<std::size_t>(row * window.width + column)] ==
            static_cast<int>(basinLabel(kAbove, window.x(column), window.y(row))));
}

TEST_CASE("The separatrix is accurate next to the saddle") {
  for (const double r : {1e-12, -1e-9, 1e-6, -1e-4, 0.9e-3, 1.1e-3, -0.3, 0.4, 0.6, -30.0}) {
    INFO(r);
    const double w = sepx::markov::kSaddleW * std::exp(r);
    // g^2 = r^2 + 2 r^3/3 + ...; the rounding of w changes r by 1e-16.
    const double exact = std::abs(r) < 1e-5 ? r * r * (1 + 2 * r / 3) : std::expm1(2 * r) / 2 - r;
    CHECK(std::abs(separatrixSquared(w) - exact) <= 4e-16 * std::abs(r) * 2 + 1e-10 * exact);
  }
  CHECK(separatrixSquared(sepx::markov::kSaddleW) < 1e-31);
}

TEST_CASE("The share of a Gaussian cloud that ends in the local minimum agrees with known values and counts") {
  CHECK(probabilityLocalMinimum(0.2, true) == Approx(0.99700).margin(1e-5));
  CHECK(probabilityLocalMinimum(0.3, true) == Approx(0.9564).margin(1e-4));
  CHECK(probabilityLocalMinimum(1e6, true) == Approx(0.5).margin(1e-4));
  CHECK(probabilityLocalMinimum(1e6, false) == Approx(0.25).margin(1e-4));
  CHECK(probabilityLocalMinimum(1e-6, true) == Approx(1).margin(1e-12));
  CHECK(probabilityLocalMinimum(1e-6, false) == 0);
  CHECK(std::isnan(probabilityLocalMinimum(0, true)));
  CHECK(std::isnan(probabilityLocalMinimum(std::nan(""), true)));
  double before = 1;
  for (double sigma = 0.05; sigma < 20; sigma *= 1.1) {
    const double now = probabilityLocalMinimum(sigma, true);
    CHECK(now <= before + 1e-13);
    before = now;
  }
  constexpr int kDraws = 100000;
  for (const Chain& chain : {kAbove, kBelow}) {
    sepx::RandomStream random(24);
    int bad = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double e = 0.7 * random.normal(), w = 0.7 * random.normal();
      bad += basinLabel(chain, e, w) == LimitKind::LocalMin;
    }
    const double p = probabilityLocalMinimum(0.7, chain.switching() > 0);
    CHECK(std::abs(bad / double{kDraws} - p) < 5 * std::sqrt(p * (1 - p) / kDraws));
  }
}

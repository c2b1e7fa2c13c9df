// SPDX-License-Identifier: Apache-2.0
#include "engine/markov/attention_basin.h"
#include "engine/markov/energy.h"
#include "engine/markov/flow.h"
#include "engine/markov/gaussian.h"
#include "engine/markov/gaussian_count.h"
#include "tests/engine/markov/fixtures.h"

using namespace sepx::markov;
using sepx::markov::test::state;

TEST_CASE("Exact labels of (e,w,a) agree with the reference integrations", "[markov][attention]") {
  for (const nlohmann::json& item : sepx::markov::test::fixtureGroup("markov_basin3")) {
    const State theta = sepx::markov::test::stateOf(item.at("theta0"));
    const std::string label = item.at("label").get<std::string>();
    const LimitKind wanted = label == "star"  ? LimitKind::GlobalMin
                             : label == "min" ? LimitKind::LocalMin
                             : label == "max" ? LimitKind::LocalMax
                                              : LimitKind::Saddle;
    INFO(item.dump());
    CHECK(basinLabel3(sepx::markov::test::chainOf(item), theta[0], theta[1], theta[2]) == wanted);
  }
}

TEST_CASE("Exact labels of (e,w,a) agree with integration for every sign of w and of p+q-1", "[markov][attention]") {
  for (const Chain& chain : {Chain{0.5, 0.8}, Chain{0.2, 0.3}, Chain{0.95, 0.1}})
    for (const double sigma : {0.4, 1.0, 2.5}) {
      const GaussCount count = countLocalMinima(chain, Model::EWA, sigma, {600, true, 7});
      INFO("p = " << chain.p << ", sigma = " << sigma);
      CHECK(count.disagreements == 0);
      CHECK(count.undecided == 0);
      CHECK(count.integrated.hits == count.byTheory.hits);
      if (sigma >= 1) CHECK(count.byTheory.hits > 20);
    }
}

TEST_CASE("The landing point lies on the same Airy curve and gives the decrease D of h(w)", "[markov][attention]") {
  for (const State& start : {state({0.5, 0, 0.3}), state({1.2, 0, 0}), state({3, 0, 2}), state({-0.4, 0, -0.9}),
                             state({40, 0, 60}), state({0.05, 0, -4}), state({1e-3, 0, 1e-3})}) {
    const auto end = landing(start[0], start[2]);
    INFO("e = " << start[0] << ", a = " << start[2]);
    REQUIRE(end);
    CHECK(end->alpha <= start[2]);
    const double e = start[0], a = start[2];
    CHECK(end->D == Approx(e * e - 2 * a * a + 2 * end->alpha * end->alpha).epsilon(1e-8).margin(1e-9 * a * a));
    if (std::abs(a) < 5) {
      const double before = airyAngle(start), after = airyAngle(state({0, 0, end->alpha}));
      CHECK(std::abs(std::sin(before - after)) < 1e-9);
    }
  }
  CHECK_FALSE(landing(1.3, 0));  // |e| > 1.27170 with a = 0 (erratum 2)
  CHECK(landing(1.27, 0));
  CHECK_FALSE(landing(2, -0.5));  // 1 + a e^2 < 0
  CHECK_FALSE(landing(1e200, 0));
  CHECK_FALSE(landing(std::nan(""), 0));
  CHECK(landing(0, -3)->alpha == -3);
}

TEST_CASE("Corrected Theorem 3: the unbounded surface separates the basins, and at a = 0 it differs from the plane",
          "[markov][attention]") {
  const Chain above{0.5, 0.8}, below{0.2, 0.3};
  constexpr double e0 = 0.689443330325249;
  CHECK(basinLabel3(above, e0 - 1e-6, 0, -1) == LimitKind::LocalMin);
  CHECK(basinLabel3(above, e0 + 1e-6, 0, -1) == LimitKind::GlobalMin);
  CHECK(basinLabel3(above, 1.2716, 0.4, 0) == LimitKind::LocalMin);
  CHECK(basinLabel3(above, 1.2718, 0.4, 0) == LimitKind::GlobalMin);
  CHECK(basinLabel(above, 1.2718, 0.4) == LimitKind::LocalMin);
  CHECK(basinLabel3(below, 0.01, 0.4, -3) == LimitKind::GlobalMin);
  CHECK(basinLabel3(below, 0, 0.4, -3) == LimitKind::LocalMax);
  CHECK(basinLabel3(above, 0, -1 / std::sqrt(2.0), 1) == LimitKind::Saddle);
  CHECK(basinLabel3(Chain{0.3, 0.7}, 1, 1, 1) == LimitKind::Undecided);
  CHECK(basinLabel3(above, 1e300, 1, 1) == LimitKind::Undecided);
  CHECK(basinLabel3(above, 1, std::nan(""), 1) == LimitKind::Undecided);
}
